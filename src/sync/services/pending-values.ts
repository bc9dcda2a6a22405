/**
 * What our writes have changed (`PendingValues`) and deleted (`Tombstones`), and lists and other reads that lag behind
 * may not show yet.
 */
import { isOfAnotherTime } from '../../protocol/time.ts';
import type { ConversationId, MessageId, Millis } from '../../protocol/types.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { lagWindowMs } from './lag-window.ts';

/** What a field was before our recent writes, and what it has been since. */
interface WrittenField {
  readonly was: readonly unknown[];
  readonly is: unknown;
  readonly writes: number;
  readonly at: number;
  /** A list has shown the new value: lists are believed from then on, while other reads may still lag. */
  readonly isListed: boolean;
}

/**
 * Corrects answers that show fields as they were before a write of ours. Only the given fields are compared. A field that
 * a list shows with its new value, or with a value that was never seen here, is taken from the list again, so that changes
 * of others are shown.
 */
export class PendingValues<T extends { readonly id: string }> {
  readonly #monotonic: () => number;
  readonly #fields: readonly (keyof T)[];
  readonly #byId = new Map<string, Map<keyof T, WrittenField>>();

  constructor(monotonic: () => number, fields: readonly (keyof T)[]) {
    this.#monotonic = monotonic;
    this.#fields = fields;
  }

  /** Records that a write of ours changed `before`, as far as it was known, into `after`, so many milliseconds ago. */
  readonly recordWrite = (before: T, after: T, agoMs = 0): void => {
    const now = this.#monotonic();
    const at = now - agoMs;
    this.#forgetOld(now);
    const written = this.#byId.get(after.id) ?? new Map<keyof T, WrittenField>();
    for (const field of this.#fields) {
      if (sameValue(before[field], after[field])) continue;
      written.set(field, writtenAgain(written.get(field), before[field], after[field], at));
    }
    if (written.size > 0) this.#byId.set(after.id, written);
  };

  /** A row of a list with our writes applied; the same object when nothing is changed by them. */
  readonly overList = (row: T): T => {
    const shown = this.overUnlistedRead(row);
    const written = this.#byId.get(row.id);
    for (const [field, one] of written ?? []) {
      // After several writes the same value may also come from an earlier one.
      if (one.writes === 1 && shown[field] === row[field]) written?.set(field, { ...one, isListed: true });
    }
    return shown;
  };

  /** A single answer with our writes applied, also those that lists show by now: other reads may lag still. */
  readonly overRead = (row: T): T => {
    return this.#putRight(row, () => true);
  };

  /** An answer with those of our writes applied that no list has shown yet. */
  readonly overUnlistedRead = (row: T): T => {
    return this.#putRight(row, ({ isListed }) => !isListed);
  };

  #putRight(row: T, isMeant: (one: WrittenField) => boolean): T {
    this.#forgetOld(this.#monotonic());
    const late = [...(this.#byId.get(row.id) ?? [])].filter(
      ([field, one]) => isMeant(one) && one.was.some((value) => sameValue(value, row[field])),
    );
    return late.length === 0 ? row : { ...row, ...Object.fromEntries(late.map(([field, { is }]) => [field, is])) };
  }

  #forgetOld(now: number): void {
    for (const [id, written] of this.#byId) {
      for (const [field, { at }] of written) if (now - at >= lagWindowMs) written.delete(field);
      if (written.size === 0) this.#byId.delete(id);
    }
  }
}

function writtenAgain(earlier: WrittenField | undefined, before: unknown, is: unknown, at: number): WrittenField {
  const isSame = earlier !== undefined && sameValue(earlier.is, is);
  const writes = earlier === undefined || earlier.isListed ? 1 : earlier.writes + (isSame ? 0 : 1);
  const past = [...(earlier === undefined ? [] : [...earlier.was, earlier.is]), before];
  return { was: past.filter((value) => !sameValue(value, is)), is, writes, at, isListed: false };
}

/** Deletes the oldest entry where the map, into which one was put just now, has more than `most`. */
export function dropOldest(map: Map<string, unknown>, most: number): void {
  const oldest = map.keys().next();
  if (map.size > most && oldest.done !== true) map.delete(oldest.value);
}

const mostTombstones = 500;

interface Tombstone {
  readonly at: Millis;
  readonly createdAt: Millis | null;
}

/** The ids that a write of ours has deleted, so that a list that lags behind does not bring them back. */
export class Tombstones {
  readonly #monotonic: () => number;
  readonly #byId = new Map<string, Tombstone>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** To be called when a write of ours has deleted it: lists that lag behind may show it for a while. */
  add(id: MessageId | ConversationId, createdAt: Millis | null = null): void {
    this.#byId.delete(id);
    this.#byId.set(id, { at: this.#monotonic(), createdAt });
    dropOldest(this.#byId, mostTombstones);
  }

  /** To be called when it was created again. */
  remove(id: MessageId | ConversationId): void {
    this.#byId.delete(id);
  }

  /** True for what was deleted by a write of ours. What was created at another time only has the same id. */
  has(id: MessageId | ConversationId, createdAt: Millis | null = null): boolean {
    const one = this.#byId.get(id);
    return one !== undefined && this.#monotonic() - one.at < lagWindowMs && !isOfAnotherTime(one.createdAt, createdAt);
  }

  /** True when a write of ours deleted a message with this id that was created at another time. */
  isRecycledId(id: MessageId, createdAt: Millis | null): boolean {
    return isOfAnotherTime(this.#byId.get(id)?.createdAt ?? null, createdAt);
  }
}
