/** Keyset pages: read one row more than asked, in the direction asked, and hand them out newest first. */

export interface Paging<Place> {
  readonly limit: number;
  readonly direction: 'older' | 'newer';
  /** Exclusive; null = from the newest. */
  readonly cursor: Place | null;
}

export interface RowPage<Row> {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** There is more beyond the page in the direction asked. */
  readonly hasMore: boolean;
}

export function pageOf<Row>(read: readonly Row[], paging: Paging<unknown>): RowPage<Row> {
  const rows = read.slice(0, paging.limit);
  return { rows: paging.direction === 'older' ? rows : rows.reverse(), hasMore: read.length > paging.limit };
}
