/**
 * Pages by keyset: reads one row more than requested, to know whether there are more, and returns rows newest first.
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
  /** There is more beyond the page in the direction asked. */
  readonly hasMore: boolean;
}

/**
 * Ends a SELECT after the number of rows that is its parameter. SQLite looks at the value of a bare `LIMIT ?` to plan the
 * statement, and so plans it again for each page, which takes as long as to read the page.
 */
export const limitParameter = 'LIMIT CAST(? AS integer)';

export function pageOf<Row>(read: readonly Row[], paging: Paging<unknown>): RowPage<Row> {
  const rows = read.slice(0, paging.limit);
  return { rows: paging.direction === 'older' ? rows : rows.reverse(), hasMore: read.length > paging.limit };
}
