/** What cache.db answers about histories, and the validators of pages: types that `storage` and `sync` share. */
import type { Message, MessageId } from '../../protocol/types.ts';
import type { Edge } from '../model/app-state.ts';
import type { HistoryKey } from '../model/history.ts';

export type { FetchedBack, Found, HistoryAim, HistoryKey } from '../model/history.ts';

/** Where a page starts; exclusive. */
export type PageFrom = { readonly before: HistoryKey } | { readonly after: HistoryKey } | 'newest';

/** A page of the cached messages of a conversation. */
export interface HistoryPage {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** More cached rows exist beyond the page in the direction asked. */
  readonly hasMore: boolean;
}

/** Rows without their long texts, which take time to read. The text of a row in `withoutText` is `''`. */
export interface Outline extends HistoryPage {
  readonly withoutText: ReadonlySet<MessageId>;
}

/** What comes before the oldest cached message, and the messages before which history is missing. */
export interface HistoryReach {
  readonly older: Exclude<Edge, 'disk'>;
  readonly gaps: readonly MessageId[];
}

/** Called with the text of a row, which may be cut after 65,536 characters. Returns false to end the scan after this row. */
export type VisitText = (key: HistoryKey, text: string) => boolean;

/**
 * Belongs to the first page of the conversation list, or to the newest page of a conversation. It is stored with the rows of
 * the page: when the server confirms it, they are current.
 */
export interface PageValidator {
  /** An entity tag that the server gave. */
  readonly etag: string;
  /** The `limit` of the request: another one is another resource. */
  readonly limit: number;
  /** The rows of the page. Where one of them is not held any more, the page has to be read as a whole. */
  readonly ids: readonly string[];
  /** The page is all of the list, and shows everything that is known of it. */
  readonly isWhole: boolean;
}

/** Whether a validator is an entity tag. Marks made here (`body-mark`) are not stored: they may be of no use in the next run. */
export const isEntityTag = (etag: string | null): etag is string => /^(?:W\/)?"/.test(etag ?? '');
