/** A write that the user asked for, its attempts, and what is remembered of it until the server has confirmed it. */
import type {
  ContactId,
  Conversation,
  ConversationId,
  GroupId,
  Message,
  MessageId,
  Millis,
} from '../../protocol/types.ts';

/**
 * A write that the user asked for and the server has not confirmed.
 *
 * `queued`: to be sent. `sending`: its request is under way. `unsure`: the answer to a sent message did not come; it is
 * looked for in the history and never sent again without the user or the settings. `failed`: the server refused it; the
 * user retries, edits or discards it. What leads from one state to another stands in `op-state.ts`.
 */
export interface Op {
  /** Random UUID; sent as `Idempotency-Key`, relied on never. */
  readonly uuid: string;
  /** Position in the outbox; one sequence over all conversations. */
  readonly seq: number;
  readonly action: OpAction;
  readonly state: 'queued' | 'sending' | 'unsure' | 'failed';
  readonly created: Millis;
  /** Not to be tried before; 0 = at once. */
  readonly notBefore: Millis;
  /** Why it failed or waits, for people; raw text, not sanitised. */
  readonly reason: string | null;
  readonly attempts: readonly Attempt[];
  /** What history held when the last attempt began; null before the first. */
  readonly baseline: Baseline | null;
  /** Complete history scans since the last attempt ended, and when the last one was. */
  readonly scans: number;
  readonly lastScan: Millis | null;
  /** A change of a message has left, and what it took besides has not been looked at or not been put back yet. */
  readonly pendingRepair?: BeforeImage;
  /** The conversation's settings before a change of one that may reset the others. */
  readonly settings?: Settings;
  /** While it is unsure, later messages of its conversation go before it: the user's own decision (R-SEND-4). */
  readonly skippedInOrder?: true;
  /** It was sent again without being asked for, as the settings say; never more than once. */
  readonly autoResent?: true;
  /** Whom its conversation was with when the user wanted it: an id may be given to another one since. */
  readonly recipient?: Recipient;
}

export type Recipient = { readonly contactId: ContactId } | { readonly groupId: GroupId };

export type Settings = Pick<Conversation, 'isPinned' | 'isMuted' | 'pinnedMessageId' | 'archivedAt'>;

/** A message as it was before a change, and what was sent. */
export interface BeforeImage extends Pick<Message, 'text' | 'reactions' | 'attachments'> {
  readonly sent: {
    readonly message?: string;
    readonly reactions?: Message['reactions'];
    readonly attachments?: readonly Message['attachments'][number]['fields'][];
  };
}

export type OpAction =
  | { readonly kind: 'message.send'; readonly conversationId: ConversationId; readonly text: string }
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
      readonly present: boolean;
      /** The user has agreed that others' reactions may be replaced (rule unknown). */
      readonly confirmed: boolean;
    }
  | { readonly kind: 'message.delete'; readonly conversationId: ConversationId; readonly messageId: MessageId }
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
    };

export type OpKind = OpAction['kind'];

/**
 * `not-applied`: certainly not carried out, so that it may be repeated. `rejected`: refused for good. `ambiguous`: it may
 * have been carried out. `applied`: carried out.
 */
export type AttemptOutcome = 'not-applied' | 'rejected' | 'ambiguous' | 'applied';

export interface Attempt {
  readonly started: Millis;
  readonly ended: Millis | null;
  /** What the server has done (R-CLASS); null while it is under way. */
  readonly outcome: AttemptOutcome | null;
  /** Status or error code that decided it, without any secret. */
  readonly evidence: string;
  /** The message that its answer showed, though not with these words: history tells whether that is it. */
  readonly answeredId?: MessageId;
}

export interface Baseline {
  /** Ids of own messages with the same normalised text known before the attempt. */
  readonly sameText: readonly MessageId[];
  /** The newest ids known before the attempt: a scan is complete when it reaches one of them. */
  readonly newest: readonly MessageId[];
  /** Everything created later was known; 0: everything there was. Left out where that cannot be said. */
  readonly from?: Millis;
}

/** A message that was sent again by the user's decision and has been found once. */
export interface Resent {
  readonly uuid: string;
  readonly conversationId: ConversationId;
  readonly text: string;
  /** Ids of own messages with this text known before the first attempt. */
  readonly sameText: readonly MessageId[];
  readonly found: MessageId;
  /** When it was found. */
  readonly at: Millis;
  /** The second copy, once it was seen; the user is asked then. */
  readonly twin: MessageId | null;
}
