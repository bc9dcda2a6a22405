/** Results of searches: names, for the switcher and "new conversation", and messages in the cache. */
import type { Contact, ContactId, Conversation, ConversationId, Message, Millis } from '../../protocol/types.ts';
import type { Op } from './op.ts';

export interface NameSearchResult {
  /** What was searched; a result is out of date when the state has others. */
  readonly sources: NameSources;
  /** The best matches, best first; at most `rowLimit`. */
  readonly rows: readonly SwitcherRow[];
  /** The number of all matches; until the search is done, of those counted so far. */
  readonly count: number;
  readonly isDone: boolean;
}

/** The parts of the state that the rows are made from. */
export interface NameSources {
  readonly conversations: ReadonlyMap<ConversationId, Conversation>;
  readonly contacts: ReadonlyMap<ContactId, Contact>;
  readonly unread: ReadonlyMap<ConversationId, number>;
  /** The user's names for people, by the keys of `textKey`. */
  readonly names: ReadonlyMap<string, string>;
  readonly outbox: readonly Op[];
}

/** A conversation, or a person without one yet. */
export interface SwitcherRow {
  /** The id of the conversation; in the scopes `people` and `partners` the id of the person or group. */
  readonly key: string;
  readonly conversationId: ConversationId | null;
  /** Set in the scopes `people` and `partners` only. */
  readonly contactId: ContactId | null;
  /** How well it matches; higher is better. */
  readonly level: number;
  /** Rows of the same level are sorted by this first: how often and lately the user has opened it, from 1; 0: not. */
  readonly used: number;
  /** Those of the same use by this time, the latest first. */
  readonly at: Millis;
  /** The folded name, by which rows of the same time are sorted; '' where nothing was typed. */
  readonly name: string;
}

/** The result of a message search through the cache, and how much of the cache it has searched. */
export interface MessageSearchResult {
  /** The identity of the query (`state/search/search-query.ts`): the result belongs to every query with an equal one. */
  readonly identity: string;
  /** What is marked in the hits, folded. */
  readonly words: readonly string[];
  /** The conversation that was searched; null: all of them. */
  readonly conversationId: ConversationId | null;
  /** The newest hits, newest first. */
  readonly hits: readonly MessageHit[];
  /** The number of all hits, also of those that are too old for `hits`. */
  readonly count: number;
  readonly coverage: Coverage;
  readonly isDone: boolean;
}

export interface MessageHit {
  readonly conversationId: ConversationId;
  readonly message: Message;
  /** A piece of its text around the first matching word; raw, to be sanitised before it is shown. */
  readonly excerpt: string;
}

/** How much was searched so far. */
export interface Coverage {
  readonly messages: number;
  /** Conversations of which at least one message was searched. */
  readonly conversations: number;
  /** The number of all known conversations. */
  readonly known: number;
  /** Time of the oldest message that was searched. */
  readonly oldest: Millis | null;
  /** Conversations that were searched, of which the cache does not hold the whole history. */
  readonly inPart: number;
}
