/** Immutable sorted arrays: changes are found by binary search, and the items between them are copied unread. */

/** A change at index `at`: optionally removes the item there, and inserts others in its place. */
export interface Edit<T> {
  readonly at: number;
  readonly removes: boolean;
  readonly inserts: readonly T[];
}

/** The first index whose item is not less. `compare`: negative when the item is less than what is searched. */
export function lowerBound<T>(sorted: readonly T[], compare: (item: T) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as T) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A copy with the edits applied, which are sorted by index, each index once at most. */
export function edited<T>(items: readonly T[], edits: readonly Edit<T>[]): readonly T[] {
  if (edits.length === 0) return items;
  if (edits.length <= fewEdits) return inPieces(items, edits);
  const length = edits.reduce((sum, { removes, inserts }) => sum + inserts.length - Number(removes), items.length);
  const made = new Array<T>(length);
  let from = 0;
  let to = 0;
  const copyUntil = (end: number): void => {
    while (from < end) made[to++] = items[from++] as T;
  };
  for (const { at, removes, inserts } of edits) {
    copyUntil(at);
    for (const item of inserts) made[to++] = item;
    if (removes) from += 1;
  }
  copyUntil(items.length);
  return made;
}

/** Up to this number of edits the pieces between them are copied with `slice`, which is faster then. */
const fewEdits = 16;

function inPieces<T>(items: readonly T[], edits: readonly Edit<T>[]): readonly T[] {
  const pieces: (readonly T[])[] = [];
  let from = 0;
  for (const { at, removes, inserts } of edits) {
    pieces.push(items.slice(from, at), inserts);
    from = at + Number(removes);
  }
  return ([] as T[]).concat(...pieces, items.slice(from));
}

/** The ids that were removed and added between two versions of a list, whatever their order. */
export function differenceOf<T>(
  before: readonly T[],
  after: readonly T[],
): { readonly lost: ReadonlySet<T>; readonly gained: readonly T[] } {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const lost = new Set(before.slice(start, before.length - end));
  const gained = after.slice(start, after.length - end).filter((item) => !lost.delete(item));
  return { lost, gained };
}
