/** Decides at which row a folded message is cut. */
import { foldedRows, mostRows } from '../state/select/folded-messages.ts';

/** The number of rows that may be left out so that the cut is between two blocks. */
const reach = 5;

/**
 * Returns how many rows to show. The cut is placed after a block that ends near the limit, so that no block of code and no
 * table is shown with its head only.
 * @param ends the numbers of rows at which the blocks end
 */
export function rowsToShow(rows: number, ends: readonly number[]): number {
  if (rows <= mostRows) return rows;
  const between = ends.findLast((end) => end <= foldedRows) ?? 0;
  return between >= foldedRows - reach ? between : foldedRows;
}
