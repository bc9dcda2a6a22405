/** The result of a search by name, for the switcher and "new conversation". */
import type { Contact, ContactId, Conversation, ConversationId, GroupId, Millis } from '../../protocol/types.ts';
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
  readonly names: ReadonlyMap<ContactId | GroupId, string>;
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
