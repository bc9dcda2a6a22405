/** Sorted arrays that are never changed: what moved is found by halving, and all between is copied as it stands. */

/** One place of an array: what stands there goes, and others come before what follows. */
export interface Edit<T> {
  readonly at: number;
  readonly removes: boolean;
  readonly inserts: readonly T[];
}

/** The first place whose item does not come before, for a `compare` that tells how an item stands to what is looked for. */
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

/** `edits` by place, each place once at most. */
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

/** Up to here whole pieces are copied at a time. */
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

/** What a list of ids has lost and gained since; both empty where they only changed places. */
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
