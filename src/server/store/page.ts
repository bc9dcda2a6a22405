/**
 * Pages by keyset: reads one row more than requested, to know whether there are more, and returns rows newest first.
 * A cursor may name an item that is deleted: `place` in `messages.ts` and `conversations.ts` finds where it was, in the
 * tables `deleted_messages` and `deleted_conversations`.
 */

export interface Paging<Place> {
  readonly limit: number;
  readonly direction: 'older' | 'newer';
  /** The row next to the page, which is not part of it; null for the page of the newest rows. */
  readonly cursor: Place | null;
}

export interface RowPage<Row> {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** Whether there are further rows beyond the page, in the direction of the cursor. */
  readonly hasMore: boolean;
}

/** One row more than the pages that clients ask for: a single row, the default, and the page of our client. */
const readSizes = [2, 11, 51];
/** One row more than the largest page. */
const mostRows = 101;

/**
 * The number of rows to read for a page, to be written into the statement. With a parameter, SQLite would plan the statement
 * again for each page, and PostgreSQL would plan it for a tenth of all rows. There are few such numbers, since an
 * engine keeps each statement prepared.
 */
export const rowsToRead = ({ limit }: Paging<unknown>): number => readSizes.find((size) => size > limit) ?? mostRows;

export function pageOf<Row>(read: readonly Row[], paging: Paging<unknown>): RowPage<Row> {
  const rows = read.slice(0, paging.limit);
  return { rows: paging.direction === 'older' ? rows : rows.reverse(), hasMore: read.length > paging.limit };
}
