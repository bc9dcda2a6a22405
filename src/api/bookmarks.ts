/** Where walks through histories stopped, for servers whose pages can only be reached from the page before. */
import type { ConversationId, MessageId } from '../protocol/types.ts';
import type { Client } from './operations.ts';
import type { Place } from './walk.ts';

export interface Bookmark {
  /** The page that was read last. */
  readonly place: Place;
  /** The last id on it. */
  readonly lastId: MessageId;
}

const maxBookmarks = 500;

/** Kept for as long as the client lives; only ever a shortcut, every use is checked against the answer. */
type Bookmarks = WeakMap<Client, Map<ConversationId, Bookmark>>;

const places: Bookmarks = new WeakMap();
/** The last pages of histories: what reads the newest messages sets the other one back. */
const ends: Bookmarks = new WeakMap();

export const bookmarkOf = (client: Client, id: ConversationId): Bookmark | undefined => places.get(client)?.get(id);

export const setBookmark = (client: Client, id: ConversationId, bookmark: Bookmark): void =>
  set(places, client, id, bookmark);

/** The page that ended with this message, and the history with it. */
export function endOf(client: Client, id: ConversationId, lastId: MessageId): Place | undefined {
  const end = ends.get(client)?.get(id);
  return end?.lastId === lastId ? end.place : undefined;
}

export const setEnd = (client: Client, id: ConversationId, bookmark: Bookmark): void => set(ends, client, id, bookmark);

function set(bookmarks: Bookmarks, client: Client, id: ConversationId, bookmark: Bookmark): void {
  const known = bookmarks.get(client) ?? new Map<ConversationId, Bookmark>();
  bookmarks.set(client, known);
  known.delete(id);
  known.set(id, bookmark);
  const oldest = known.keys().next();
  if (known.size > maxBookmarks && oldest.done !== true) known.delete(oldest.value);
}
