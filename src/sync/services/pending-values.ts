/** What writes of ours have made of resources, for as long as lists may lag behind them. */
import { sameValue } from '../../state/collections/equal.ts';

export interface PendingValues<T> {
  /** A write of ours made `after` of `before`, or of what was taken for it. */
  recordWrite(before: T, after: T): void;
  /** The row of a list, with what it still shows of the time before the write put right; the same object when nothing is. */
  overList(row: T): T;
  /** As `caughtUp`, of an answer that says nothing about lists. */
  overRead(row: T): T;
  /** As `ahead`, and what lists have caught up with is believed of other answers too. */
  overUnlistedRead(row: T): T;
}

/** What a field was before our writes of late, and what it is since. */
interface Written {
  readonly was: readonly unknown[];
  readonly is: unknown;
  readonly writes: number;
  readonly at: number;
  /** A list has shown it: from then on lists have the word, other reads may lag still. */
  readonly isListed: boolean;
}

/** No list is believed to lag longer. */
const lagMs = 120_000;

/**
 * Only these fields are looked at. One that a list shows as it is by now, or as nobody here has seen it, is the list's
 * again: the others' changes are not held up by ours.
 */
export function createPendingValues<T extends { readonly id: string }>(
  monotonic: () => number,
  fields: readonly (keyof T)[],
): PendingValues<T> {
  const byId = new Map<string, Map<keyof T, Written>>();

  const forgetOld = (now: number): void => {
    for (const [id, written] of byId) {
      for (const [field, { at }] of written) if (now - at >= lagMs) written.delete(field);
      if (written.size === 0) byId.delete(id);
    }
  };

  const putRight = (row: T, isMeant: (one: Written) => boolean): T => {
    forgetOld(monotonic());
    const late = [...(byId.get(row.id) ?? [])].filter(
      ([field, one]) => isMeant(one) && one.was.some((value) => sameValue(value, row[field])),
    );
    return late.length === 0 ? row : { ...row, ...Object.fromEntries(late.map(([field, { is }]) => [field, is])) };
  };

  const aheadOfLists = (row: T): T => putRight(row, ({ isListed }) => !isListed);

  return {
    recordWrite: (before, after) => {
      const at = monotonic();
      forgetOld(at);
      const written = byId.get(after.id) ?? new Map<keyof T, Written>();
      for (const field of fields) {
        const is = after[field];
        if (sameValue(before[field], is)) continue;
        const earlier = written.get(field);
        const isSame = earlier !== undefined && sameValue(earlier.is, is);
        const writes = earlier === undefined || earlier.isListed ? 1 : earlier.writes + (isSame ? 0 : 1);
        const past = [...(earlier === undefined ? [] : [...earlier.was, earlier.is]), before[field]];
        const was = past.filter((value) => !sameValue(value, is));
        written.set(field, { was, is, writes, at, isListed: false });
      }
      if (written.size > 0) byId.set(after.id, written);
    },
    overRead: (row) => putRight(row, () => true),
    overUnlistedRead: aheadOfLists,
    overList: (row) => {
      const shown = aheadOfLists(row);
      const written = byId.get(row.id);
      for (const [field, one] of written ?? []) {
        // After several writes the same value may stand for an earlier time as well.
        if (one.writes === 1 && shown[field] === row[field]) written?.set(field, { ...one, isListed: true });
      }
      return shown;
    },
  };
}
