/** The whole state, sorted by lifetime: `cache` (the server's truth), `local` (exists only here), `view` (this run). */
import type { ServerTraits } from '../protocol/traits.ts';
import type {
  Contact,
  ContactId,
  Conversation,
  ConversationId,
  GroupId,
  Message,
  MessageId,
  Millis,
} from '../protocol/types.ts';

export interface AppState {
  readonly cache: Cache;
  readonly local: Local;
  readonly view: View;
}

// ---------------------------------------------------------------- cache

/** The working set of what the server said; written only from its answers. */
export interface Cache {
  readonly conversations: ReadonlyMap<ConversationId, Conversation>;
  /** The contact book: contacts seen in messages, newest wins. */
  readonly contacts: ReadonlyMap<ContactId, Contact>;
  /** Newest known message of each conversation, for the list's preview. */
  readonly lastMessages: ReadonlyMap<ConversationId, Message>;
  /** Incoming messages after the read line, counted over everything cached. */
  readonly unread: ReadonlyMap<ConversationId, number>;
  /** Windows of the threads in use. */
  readonly threads: ReadonlyMap<ConversationId, Thread>;
}

/**
 * What lies beyond an end of a thread's window.
 * `end`: nothing, history is complete there; `disk`: more rows in the cache; `server`: more on the server;
 * `unknown`: not asked yet; `unreachable`: the server has more and offers no way to get it.
 */
export type Edge = 'end' | 'disk' | 'server' | 'unknown' | 'unreachable';

/** A contiguous window of one conversation's messages, oldest first by (createdAt, rank). */
export interface Thread {
  readonly messages: readonly Message[];
  readonly older: Edge;
  readonly newer: 'end' | 'disk';
  /** Messages directly before which history may be missing. */
  readonly gaps: readonly MessageId[];
  /** Where unread began when the conversation was opened: the "new" line stands after this message. */
  readonly newLineAfter: MessageId | null;
}

// ---------------------------------------------------------------- local

/** What would be lost with this machine: on disk before anything else happens. */
export interface Local {
  /** Unsettled writes, by `seq`. */
  readonly outbox: readonly Op[];
  /** Settled sends of which a second copy may still arrive. */
  readonly resent: readonly Resent[];
  readonly drafts: ReadonlyMap<ConversationId, Draft>;
  /** Everything at or before the line counts as read here, whatever the server's `read_at` says. */
  readonly readLines: ReadonlyMap<ConversationId, ReadLine>;
  /** Names the user gave to contacts and groups. */
  readonly names: ReadonlyMap<ContactId | GroupId, string>;
  readonly me: Me | null;
  /** The conversation open last, which the next start opens again. */
  readonly opened: ConversationId | null;
  readonly traits: ServerTraits;
}

export interface ReadLine {
  readonly messageId: MessageId | null;
  readonly at: Millis;
}

/** Who the token's user is, learned from the answer to an own send (api-silences: who am I). */
export interface Me {
  readonly contactId: ContactId;
  readonly username: string | null;
}

/** The composer of one conversation. Offsets are UTF-16 units at grapheme boundaries. */
export interface Draft {
  readonly text: string;
  readonly cursor: number;
  /** The other end of the selection; null when nothing is selected. */
  readonly anchor: number | null;
  /** The column that up and down try to keep, in cells. */
  readonly goalColumn: number | null;
  readonly undo: readonly DraftStep[];
  readonly redo: readonly DraftStep[];
  readonly kill: string;
  /** Kind of the last change, so that runs of it are one undo step. */
  readonly lastChange: 'insert' | 'delete' | 'kill' | 'other';
  /** The own message being edited here; the text replaces it when sent. */
  readonly editing: DraftEditing | null;
}

export interface DraftEditing {
  readonly messageId: MessageId;
  readonly base: string;
  /** What the composer held before, when it held anything; comes back when editing ends. */
  readonly stash?: string;
}

export interface DraftStep {
  readonly text: string;
  readonly cursor: number;
}

/**
 * A write that the user asked for and the server has not confirmed.
 *
 *     queued ──► sending ──► (settled: leaves the outbox together with its result)
 *       ▲          │ │ └───► failed     the server refused it; the user retries, edits or discards
 *       └──────────┘ └─────► unsure     the answer did not come; reconcile, never send again blindly
 *      not applied              │ found in history ──► settled
 *                               └ checked, not found ──► the user chooses: resend ──► queued, edit, discard, wait
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
  readonly owed?: Owed;
}

/** A message as it was before a change, and what was sent. */
export interface Owed extends Pick<Message, 'text' | 'reactions' | 'attachments'> {
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

export interface Attempt {
  readonly started: Millis;
  readonly ended: Millis | null;
  /** reliability.md: applied, not applied, refused for good, ambiguous. */
  readonly outcome: 'Y' | 'N' | 'P' | 'A' | null;
  /** Status or error code that decided it, without any secret. */
  readonly evidence: string;
}

export interface Baseline {
  /** Ids of own messages with the same normalised text known before the attempt. */
  readonly sameText: readonly MessageId[];
  /** The newest ids known before the attempt: a scan is complete when it reaches one of them. */
  readonly newest: readonly MessageId[];
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

// ---------------------------------------------------------------- view

export type Focus = 'list' | 'messages' | 'composer';
export type ListView = 'all' | 'unread' | 'pinned' | 'muted' | 'archived' | { readonly groupId: GroupId };

export interface View {
  readonly size: Size;
  readonly focus: Focus;
  readonly list: ListState;
  readonly openId: ConversationId | null;
  /** The conversation open before this one. */
  readonly previousId: ConversationId | null;
  /** When the open conversation was opened by itself and by no key; keys just after were meant for the one before. */
  readonly openedByItselfAt?: Millis | null;
  /** The open conversation is only looked at: nothing counts as read. */
  readonly isPeeking?: boolean;
  /** What was discarded last: it can be put back in any conversation. */
  readonly discarded?: string;
  readonly places: ReadonlyMap<ConversationId, Place>;
  /** The stack; the last one has the keyboard. */
  readonly overlays: readonly Overlay[];
  readonly notices: readonly Notice[];
  readonly connection: Connection;
  readonly serverLabel: string;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface ListState {
  readonly view: ListView;
  readonly filter: string;
  /** The filter is being typed: it has the keyboard. */
  readonly isFiltering?: boolean;
  readonly selectedId: ConversationId | null;
  /** First conversation drawn; kept so that the list does not move under the selection. */
  readonly topId: ConversationId | null;
  /** The order is frozen while the selection moves; null = live order. */
  readonly frozenOrder: readonly ConversationId[] | null;
}

/** Where one thread is read. */
export interface Place {
  readonly scroll: ScrollPlace;
  readonly selectedId: MessageId | null;
}

/** `line` rows of the message lie above the top of the pane; history added above never moves what is read. */
export type ScrollPlace =
  | { readonly at: 'bottom' }
  | { readonly at: 'message'; readonly messageId: MessageId; readonly line: number };

export type Overlay =
  | { readonly kind: 'help'; readonly scroll: number }
  | {
      readonly kind: 'confirm';
      readonly id: ConfirmId;
      readonly conversationId: ConversationId;
      readonly messageId: MessageId | null;
      /** The text of the message when the question was asked; a change closes the question. */
      readonly textThen: string | null;
      /** The reaction asked about, for `react.unknown-rule`. */
      readonly reaction?: string;
      readonly openedAt: Millis;
    }
  | {
      readonly kind: 'react';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      readonly query: string;
      readonly selected: number;
    }
  | { readonly kind: 'new-conversation'; readonly query: string; readonly selected: number }
  | { readonly kind: 'token'; readonly value: string }
  /** A name of the user's own for a contact or group. */
  | { readonly kind: 'name'; readonly of: ContactId | GroupId; readonly value: string }
  | { readonly kind: 'unsure'; readonly uuid: string };

export type ConfirmId = 'message.delete' | 'conversation.delete' | 'react.unknown-rule';

export interface Notice {
  readonly id: number;
  readonly tone: 'info' | 'warning' | 'error';
  /** Raw text; sanitised when drawn. Cause, remedy, key. */
  readonly text: string;
  readonly at: Millis;
  /** Gone by itself after this; null = until resolved or dismissed. */
  readonly until: Millis | null;
  /** What it is about, so that success takes it away: `pull`, an op's uuid, a conversation id. */
  readonly about: string;
}

/** What is known of the way to the server; drives the header. */
export interface Connection {
  readonly status: 'starting' | 'online' | 'offline' | 'unauthorized' | 'rate-limited' | 'not-api';
  /** Last complete answer of the conversation list. */
  readonly asOf: Millis | null;
  readonly nextPollAt: Millis | null;
  /** Since when offline; until when rate-limited. */
  readonly since: Millis | null;
  readonly until: Millis | null;
  /** One line for people: status, server's message, what to do. Raw text. */
  readonly reason: string | null;
  /** Threads whose first or older page is under way, and why the last one failed. */
  readonly loading: ReadonlySet<ConversationId>;
  readonly failures: ReadonlyMap<ConversationId, string>;
  /** The whole conversation list has been seen at least once in this run. */
  readonly listComplete: boolean;
}
