/** Where walks through histories stopped, for servers whose pages can only be reached from the page before. */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import type { Client } from '../operations.ts';
import type { PagePosition } from './page-walker.ts';

export interface Bookmark {
  /** The page that was read last. */
  readonly position: PagePosition;
  /** The last id on it. */
  readonly lastId: MessageId;
}

const maxBookmarks = 500;

/** Kept for as long as the client lives; only ever a shortcut, every use is checked against the answer. */
const bookmarks = new WeakMap<Client, Map<ConversationId, Bookmark>>();

export const bookmarkOf = (client: Client, id: ConversationId): Bookmark | undefined => bookmarks.get(client)?.get(id);

export function setBookmark(client: Client, id: ConversationId, bookmark: Bookmark): void {
  const known = bookmarks.get(client) ?? new Map<ConversationId, Bookmark>();
  bookmarks.set(client, known);
  known.delete(id);
  known.set(id, bookmark);
  const oldest = known.keys().next();
  if (known.size > maxBookmarks && oldest.done !== true) known.delete(oldest.value);
}
