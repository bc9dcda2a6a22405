/**
 * The whole state: what belongs to one account (`cache`, `local` and `view`), and what the program has once (`screen` and
 * `settings`). A program with several accounts would have several `AccountState`s, and still one of these.
 */
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { SentContent } from '../../protocol/same-text.ts';
import type {
  Contact,
  ContactId,
  Conversation,
  ConversationId,
  GroupId,
  Message,
  MessageId,
  Millis,
} from '../../protocol/types.ts';
import type { Completion } from './completion.ts';
import type { Accounts, Connection } from './connection.ts';
import type { Draft, Starting } from './draft.ts';
import type { Refusal, SentText, Use } from './local-records.ts';
import type { Op, OpAction, Resent } from './op.ts';
import type { Pictures } from './pictures.ts';
import type { Jumps, Place, Seeking, TextSelection, Triage } from './place.ts';
import type { ScreenState } from './screen-state.ts';
import type { MessageHit } from './search-results.ts';
import type { ChosenDensity, Settings } from './settings.ts';
import type { Vim } from './vim.ts';

export type { Completion, CompletionRow, CompletionWord } from './completion.ts';
export type { Accounts, Connection } from './connection.ts';
export type { Draft, DraftChange, DraftEditing, DraftStep, FileChange } from './draft.ts';
export type {
  Attempt,
  AttemptOutcome,
  Baseline,
  BeforeImage,
  ConversationSettings,
  Op,
  OpAction,
  OpKind,
  Recipient,
  Resent,
} from './op.ts';
export type { MessageSearchOverlay, NamePrompt, Overlay } from './overlay.ts';
export type { Place, ReadPart, ScrollPlace } from './place.ts';
export type { Focus, Notice, ScreenState, Size } from './screen-state.ts';
export type { Coverage, MessageHit, MessageSearchResult, NameSearchResult, SwitcherRow } from './search-results.ts';

/** What belongs to one account: what its server has, what exists only here, and what of it is open in this run. */
export interface AccountState {
  readonly cache: Cache;
  readonly local: Local;
  readonly view: View;
}

export interface AppState extends AccountState {
  readonly screen: ScreenState;
  readonly settings: Settings;
}

// ---------------------------------------------------------------- cache

/** The working set of what the server said; written only from its answers. */
export interface Cache {
  readonly conversations: ReadonlyMap<ConversationId, Conversation>;
  /** The contact book: contacts seen in messages; of two with one id, the newer one. */
  readonly contacts: ReadonlyMap<ContactId, Contact>;
  /** Newest known message of each conversation, for the list's preview. */
  readonly lastMessages: ReadonlyMap<ConversationId, Message>;
  /** Conversations whose whole history was read and held nothing; the others without a message may have some. */
  readonly foundEmpty: ReadonlyMap<ConversationId, true>;
  /** Incoming messages after the read line, counted over everything cached. */
  readonly unread: ReadonlyMap<ConversationId, number>;
  /** Windows of the threads in use. */
  readonly threads: ReadonlyMap<ConversationId, Thread>;
  /** Pinned messages that were not in the window of their thread. One that is no longer pinned may be among them. */
  readonly pinned: ReadonlyMap<ConversationId, Message>;
}

/**
 * What comes beyond an end of a thread's window.
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
  /** Where unread began when the conversation was opened: the "new" line is shown after this message. */
  readonly newLineAfter: MessageId | null;
  /** Messages of the conversation whose text was seen to change. */
  readonly edited?: readonly MessageId[];
}

// ---------------------------------------------------------------- local

/** What exists only on this machine. Ops are on disk before they are in the state; other fields are written once they have changed. */
export interface Local {
  /** Unsettled writes, by `seq`. */
  readonly outbox: readonly Op[];
  /** Messages sent twice, of which the second copy may still arrive, by the `uuid` of their op. */
  readonly resent: ReadonlyMap<string, Resent>;
  /** Why changes were refused that have left the outbox, by the `uuid` of their op: a command in another process may wait for one. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly drafts: ReadonlyMap<ConversationId, Draft>;
  /** Everything at or before the line counts as read here, whatever the server's `read_at` says. */
  readonly readLines: ReadonlyMap<ConversationId, ReadLine>;
  /** When a conversation that was muted for a time is unmuted. */
  readonly mutedUntil: ReadonlyMap<ConversationId, Millis>;
  /** Messages whose time of change was seen to move without a new text, as some servers do it with a reaction. */
  readonly reactedOnly: ReadonlyMap<ConversationId, readonly MessageId[]>;
  /** Names the user gave to contacts and groups, by the keys of state/local/own-names.ts. */
  readonly names: ReadonlyMap<string, string>;
  /** Hosts from which pictures are fetched without asking. */
  readonly pictureHosts: ReadonlyMap<string, true>;
  /** Notes of the user about contacts and groups. */
  readonly notes: ReadonlyMap<string, string>;
  readonly me: Me | null;
  /** The conversation open last, which the next start opens again. */
  readonly opened: ConversationId | null;
  /** Where threads are read that are not read at their end, for the next start. */
  readonly savedPlaces: ReadonlyMap<ConversationId, Place>;
  /** The view of the list, for the next start; null for all conversations. */
  readonly listView: Exclude<ListView, 'all'> | null;
  /** The texts sent last, by the time of sending. */
  readonly sentTexts: ReadonlyMap<string, SentText>;
  /** The commands that were run from the help or the palette, by their ids. */
  readonly commandUses: ReadonlyMap<string, Use>;
  /** The conversations that the user has opened. */
  readonly conversationUses: ReadonlyMap<ConversationId, Use>;
  /** The reactions that the user has given, by their names. */
  readonly reactionUses: ReadonlyMap<string, Use>;
  /** How often commands were run by a longer way than their key, by their ids; counted until the key is named or pressed. */
  readonly detours: ReadonlyMap<string, number>;
  /** Columns of the list, where the user has changed them. */
  readonly listWidth: number | null;
  /** Chosen by the user with a command; null: as the setting says. */
  readonly density: ChosenDensity | null;
  readonly capabilities: ServerCapabilities;
}

export interface ReadLine {
  readonly messageId: MessageId | null;
  readonly at: Millis;
}

/** Who the token's user is, learned from an answer to an own send, or inferred from a conversation (server-differences: Who am I). */
export interface Me {
  readonly contactId: ContactId;
  readonly username: string | null;
  /** An answer to an own message has confirmed it; otherwise it was inferred from a conversation. */
  readonly isConfirmed?: true;
  /** A later answer named somebody else: the token may belong to another user. */
  readonly isDisputed?: true;
}

// ---------------------------------------------------------------- view

export type ListView = 'all' | 'unread' | 'pinned' | 'muted' | 'archived' | { readonly groupId: GroupId };

/** What of the account is open and selected in this run, and how its server is reached. */
export interface View {
  readonly list: ListState;
  readonly openId: ConversationId | null;
  /** The conversation open before this one. */
  readonly previousId: ConversationId | null;
  /** Conversations that were open before in this run, the last one first. */
  readonly visited?: readonly ConversationId[];
  /** When something other than a key last changed what the keys act on; keys just after that were meant for what was before. */
  readonly changedByItselfAt?: Millis | null;
  readonly starting?: Starting | null;
  /** The open conversation is a peek: nothing is marked as read. */
  readonly isPeeking?: boolean;
  /** The last changes of conversations, the newest at the end: what `z` undoes, and what `Z` does again. */
  readonly undoable?: readonly Undoable[];
  readonly redoable?: readonly Undoable[];
  /** The last action on a message or conversation, with its words, which can be repeated on another one. */
  readonly lastAction?: { readonly id: string; readonly words: readonly string[] } | null;
  /** The reaction that a digit gave or took back last, and when. */
  readonly lastNumberedReaction?: {
    readonly messageId: MessageId;
    readonly position: number;
    readonly name: string;
    readonly at: Millis;
  };
  /** The pictures of messages that were fetched, and their addresses that the user allowed for this run alone. */
  readonly pictures?: Pictures;
  readonly picturesOnce?: ReadonlySet<string>;
  /**
   * What yanking inserts in every draft that nothing was cut from: the message discarded last, or what was cut last from a
   * draft that was sent.
   */
  readonly putAside?: SentContent;
  /** The first row in sight of a draft that the wheel has scrolled; it counts for this draft alone. */
  readonly draftScroll?: { readonly draft: Draft; readonly top: number };
  /** What was typed while no conversation was open, until it is put into a composer. */
  readonly strayWords?: string;
  /** A sentence that was in the field of a search when it was closed, until it is put back or something is cut. */
  readonly closedQuery?: string;
  /** The hits of the search that went to a message last, newest first, its words, and which of the hits that was. */
  readonly lastFound?: { readonly hits: readonly MessageHit[]; readonly words: readonly string[]; readonly at: number };
  /** What was copied or pasted last in this program; it is kept in memory only. */
  readonly clipboard?: string;
  /** Vim's modes in the composer; absent with other keys, and until the first key of vim. */
  readonly vim?: Vim | null;
  /** What the composer offers for the word that is being typed. */
  readonly completion?: Completion | null;
  readonly places: ReadonlyMap<ConversationId, Place>;
  /**
   * The conversation with messages at its end that nobody could see: the terminal did not have the focus, the list
   * covered the thread, or the screen was too small.
   */
  readonly arrivedUnseen?: ConversationId | null;
  /** The open conversation, if the server could not be reached to be told that it was opened and read. */
  readonly unreported?: ConversationId | null;
  /** Text of the open conversation that the mouse has selected. */
  readonly textSelection?: TextSelection | null;
  /** Absent before the first jump. */
  readonly jumps?: Jumps;
  /** The walk through the unread conversations; null again when another one is opened. */
  readonly triage?: Triage | null;
  readonly seeking?: Seeking | null;
  readonly connection: Connection;
  readonly serverLabel: string;
  /** Absent where there is nothing else to go to, as in the demo. */
  readonly accounts?: Accounts;
  /** The host of the service, with its port unless that is the common one. */
  readonly serverHost?: string;
  /** The connection is not encrypted, which the header says. */
  readonly isUnencrypted?: boolean;
  /** An archive is shown: nothing can be written, and no server is asked. */
  readonly isArchive?: boolean;
  /** Nothing is kept on disk: what was not sent when the program ends is gone. */
  readonly isVolatile?: boolean;
  /** How many drafts with text the disk does not have, as it refused them. */
  readonly unsavedDrafts?: number;
  /** Another process that is the sender of this profile; null when this one is. */
  readonly otherSender?: OtherSender | null;
}

export interface OtherSender {
  /** null when it is not known. */
  readonly pid: number | null;
  /** Stopped by a signal (Ctrl-Z): nothing is sent until it is continued or ends. */
  readonly isStopped: boolean;
  /** A command that sends what is queued and ends, and not a chat that stays open. */
  readonly isBrief?: true;
}

export interface Undoable {
  readonly at: Millis;
  readonly conversationId: ConversationId;
  /** The action that undoes it. */
  readonly back: OpAction | { readonly kind: 'read'; readonly line: ReadLine; readonly unread: number };
  /** When the mute was to end; null for never. */
  readonly mutedUntil: Millis | null;
  /** The message that the change has pinned, null for none; absent where it was about something else. */
  readonly pinned?: MessageId | null;
}

export interface ListState {
  readonly view: ListView;
  readonly filter: string;
  /** How far a long list has been searched for the filter; absent where the list is searched at once. */
  readonly search?: ListSearch | null;
  /** The filter is being typed: it has the keyboard. */
  readonly isFiltering?: boolean;
  /** Cursor and undo of the filter's text field, while `field.text` is the filter; see `fieldDraft`. */
  readonly field?: Draft;
  readonly selectedId: ConversationId | null;
  /** First conversation drawn; kept so that the list does not move under the selection. */
  readonly topId: ConversationId | null;
  /** The wheel has moved the list, which need not show the selection until that moves. */
  readonly isScrolled?: boolean;
  /** The order is frozen while the selection moves; null = live order. */
  readonly frozenOrder: readonly ConversationId[] | null;
}

export interface ListSearch {
  /** As it was typed. */
  readonly filter: string;
  /** The order of the list without the filter, as it was when the search began. */
  readonly order: readonly ConversationId[];
  /** What the names were made from when the search began. */
  readonly contacts: Cache['contacts'];
  readonly names: Local['names'];
  /** The conversations to be searched: the whole order, or the matches of a shorter filter. */
  readonly candidates: readonly ConversationId[];
  /** The matches among the first `searchedCount` candidates. */
  readonly matches: readonly ConversationId[];
  readonly searchedCount: number;
  /** Matches in an earlier order or by earlier names, shown until this search is complete. */
  readonly previousMatches: readonly ConversationId[] | null;
  readonly isDone: boolean;
}
