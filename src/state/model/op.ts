/** A write that the user asked for, its attempts, and what is remembered of it until the server has confirmed it. */
import type { SentContent } from '../../protocol/same-text.ts';
import type {
  ContactId,
  Conversation,
  ConversationId,
  GroupId,
  Message,
  MessageId,
  Millis,
} from '../../protocol/types.ts';
import type { Draft } from './draft.ts';

/**
 * A write that the user asked for and the server has not confirmed.
 *
 * `queued`: to be sent. `sending`: its request is under way. `unsure`: the answer to a sent message did not come; it is
 * looked for in the history and never sent again without the user or the settings. `failed`: the server refused it; the
 * user retries, edits or discards it. The transitions between the states are in `op-state.ts`.
 */
export interface Op {
  /** Random UUID; sent as `Idempotency-Key`, though nothing relies on the server to use it. */
  readonly uuid: string;
  /** Its position in the outbox, in one sequence over all conversations. */
  readonly seq: number;
  readonly action: OpAction;
  readonly state: 'queued' | 'sending' | 'unsure' | 'failed';
  readonly created: Millis;
  /**
   * Until when its author can take it back; after a failed attempt, when this run tries it again, while another run tries it at
   * once. 0 = at once.
   */
  readonly notBefore: Millis;
  /** Why it failed or waits, for the user; raw text, not sanitised. */
  readonly reason: string | null;
  readonly attempts: readonly Attempt[];
  /** What the history held when the first attempt began; null before it. */
  readonly baseline: Baseline | null;
  /** Complete history scans since the last attempt ended, and when the last one was. */
  readonly scans: number;
  readonly lastScan: Millis | null;
  /** The last of these scans found a message that may be this one, so that sending it again may post it twice. */
  readonly hasPossibleCopy: boolean;
  /** A change of a message has left, and it is not known yet that it took nothing else from the message. */
  readonly pendingRepair?: BeforeImage;
  /** The user has decided that later messages of its conversation do not wait for it while it is unsure (R-SEND-4). */
  readonly skippedInOrder?: true;
  /** It was sent again as the settings say, without the user; that happens once at most. */
  readonly autoResent?: true;
  /**
   * The contact or the group of its conversation at the moment when the user asked for the change. A server may give the id of
   * the conversation to another one later.
   */
  readonly recipient?: Recipient;
  /**
   * The contact or the group of its conversation when the user was last told that the op had been meant for another one. A
   * further try means this one.
   */
  readonly warnedOf?: Recipient;
  /** What the conversation was set to before a change left of which it is not known whether the server resets the rest. */
  readonly settingsBefore?: ConversationSettings;
}

/** What a conversation can be set to. */
export type ConversationSettings = Pick<Conversation, 'isPinned' | 'isMuted' | 'pinnedMessageId' | 'archivedAt'>;

export type Recipient = { readonly contactId: ContactId } | { readonly groupId: GroupId };

/** A message as it was before a change, and what was sent. */
export interface BeforeImage extends Pick<Message, 'text' | 'reactions' | 'attachments'> {
  /** When it was created: a server may give its id to another message. */
  readonly createdAt?: Millis;
  readonly sent: {
    readonly message?: string;
    readonly reactions?: Message['reactions'];
    readonly attachments?: readonly Message['attachments'][number]['fields'][];
  };
}

export type OpAction =
  | ({ readonly kind: 'message.send'; readonly conversationId: ConversationId } & SentContent)
  | {
      readonly kind: 'message.edit';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      /** The text when the editor opened: a server text other than this is a conflict. */
      readonly base: string;
      readonly text: string;
    }
  | {
      readonly kind: 'message.react';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      readonly name: string;
      /** Whether the user's reaction is to be there afterwards. */
      readonly present: boolean;
      /** The user has agreed that others' reactions may be replaced (rule unknown). */
      readonly confirmed: boolean;
      /** When the message was created, as far as it is known: a server may give its id to another one later. */
      readonly createdAt?: Millis;
    }
  | {
      readonly kind: 'message.delete';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      /** When the message was created, as far as it is known: a server may give its id to another one later. */
      readonly createdAt?: Millis;
    }
  | {
      readonly kind: 'conversation.pinMessage';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId | null;
    }
  | { readonly kind: 'conversation.pin'; readonly conversationId: ConversationId; readonly value: boolean }
  | { readonly kind: 'conversation.mute'; readonly conversationId: ConversationId; readonly value: boolean }
  | { readonly kind: 'conversation.archive'; readonly conversationId: ConversationId; readonly at: Millis | null }
  | { readonly kind: 'conversation.delete'; readonly conversationId: ConversationId }
  | {
      readonly kind: 'conversation.create';
      readonly contactId: ContactId | null;
      readonly groupId: GroupId | null;
      /** The first message: it waits with the creation, as it needs the id that the server gives the conversation. */
      readonly first?: SentContent;
    };

export type OpKind = OpAction['kind'];

/** How a change is put into the outbox. */
export interface EnqueueOptions {
  /** The conversation whose draft the change was made from: in the same transaction it is deleted, or becomes `left`. */
  readonly draftOf?: ConversationId | undefined;
  /** What is left in the composer: a text that was put aside for an edit, or for a text that was recalled. */
  readonly left?: Draft | undefined;
  /** The shortest time before the change is sent, ten seconds at most; for a message, the time of the settings where it is longer. */
  readonly holdMs?: number | undefined;
}

/** `not-applied`: may be repeated. `rejected`: refused for good. `ambiguous`: may have been carried out. */
export type AttemptOutcome = 'not-applied' | 'rejected' | 'ambiguous' | 'applied';

export interface Attempt {
  readonly started: Millis;
  readonly ended: Millis | null;
  /** What the server has done (R-CLASS); null while it is under way. */
  readonly outcome: AttemptOutcome | null;
  /** Status or error code that decided it, without any secret. */
  readonly evidence: string;
  /** What the server's own log calls the request that failed, for those who run it. */
  readonly request?: string;
  /** The message that the answer showed with another text. The history decides whether it is the message of this op. */
  readonly answeredId?: MessageId;
}

export interface Baseline {
  /** Ids of the user's messages with the same normalised text, and the same files, that were known before the attempt. */
  readonly sameText: readonly MessageId[];
  /** The newest ids that were known before the attempt. A scan is complete when it reaches one of them. */
  readonly newest: readonly MessageId[];
  /** Everything created after this time was known; 0: the whole history. Left out where that cannot be said. */
  readonly from?: Millis;
}

/** A message that was sent again, by the user's decision or the settings, and has been found once. */
export interface Resent extends SentContent {
  readonly uuid: string;
  readonly conversationId: ConversationId;
  /** Ids of own messages with this text known before the first attempt. */
  readonly sameText: readonly MessageId[];
  readonly found: MessageId;
  /** When it was found. */
  readonly at: Millis;
  /** The second copy, once it was seen; the user is then asked which of the two to delete. */
  readonly duplicateId: MessageId | null;
}
