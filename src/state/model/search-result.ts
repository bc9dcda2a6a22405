/** What has been found by name so far, for the "go to" overlay. */
import type { Contact, ContactId, Conversation, ConversationId, GroupId, Millis } from '../../protocol/types.ts';
import type { Op } from './op.ts';

export interface Looked {
  readonly sources: Sources;
  /** The best ones, best first. */
  readonly rows: readonly GoToRow[];
  /** All that match; while it is not done, those that were come by. */
  readonly count: number;
  readonly isDone: boolean;
}

/** All that rows depend on. */
export interface Sources {
  readonly conversations: ReadonlyMap<ConversationId, Conversation>;
  readonly contacts: ReadonlyMap<ContactId, Contact>;
  readonly unread: ReadonlyMap<ConversationId, number>;
  readonly names: ReadonlyMap<ContactId | GroupId, string>;
  readonly outbox: readonly Op[];
}

/** A conversation, or a person without one yet. */
export interface GoToRow {
  /** Of the conversation; among people and partners of the person or group. */
  readonly key: string;
  readonly conversationId: ConversationId | null;
  /** Only among people and partners. */
  readonly contactId: ContactId | null;
  /** How well it fits; the higher the better. */
  readonly level: number;
  readonly at: Millis;
  /** Folded; '' where nothing was typed. */
  readonly name: string;
}
