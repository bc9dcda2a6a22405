/**
 * Remembers for each conversation which page of its history was read last, so that the next read can begin there. It
 * saves requests on servers where a page can be reached only from the page before, and on oldest-first servers.
 */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import type { Client } from '../operations.ts';
import { type PagePosition, type ReachedPage, rowsOf } from './strategy.ts';

export interface Bookmark {
  /** The page that was read last. */
  readonly position: PagePosition;
  /** How many rows were on it. */
  readonly rows: number;
  /** The last id on it. */
  readonly lastId: MessageId | undefined;
}

const maxBookmarks = 500;

/** Bookmarks last as long as their client. Whoever uses one checks the page against the known rows. */
const bookmarks = new WeakMap<Client, Map<ConversationId, Bookmark>>();

/** The page that a walk has reached, for a bookmark. */
export const pageReached = ({ page, position }: ReachedPage): Omit<Bookmark, 'lastId'> => ({
  position,
  rows: rowsOf(page),
});

export const bookmarkOf = (client: Client, id: ConversationId): Bookmark | undefined => bookmarks.get(client)?.get(id);

export function setBookmark(client: Client, id: ConversationId, bookmark: Bookmark): void {
  const known = bookmarks.get(client) ?? new Map<ConversationId, Bookmark>();
  bookmarks.set(client, known);
  known.delete(id);
  known.set(id, bookmark);
  const oldest = known.keys().next();
  if (known.size > maxBookmarks && oldest.done !== true) known.delete(oldest.value);
}
