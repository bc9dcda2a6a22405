/** Memoising of pure functions: the same result object while the inputs are the same objects. */

/** Remembers one call. */
export function memoLast<A extends readonly unknown[], R>(compute: (...args: A) => R): (...args: A) => R {
  let last: { readonly args: A; readonly result: R } | null = null;
  return (...args) => {
    if (last === null || !sameList(last.args, args)) last = { args, result: compute(...args) };
    return last.result;
  };
}

/** Remembers the result of the last call while `inputsOf` its argument gives the same objects. */
export function memoBy<T, R>(inputsOf: (from: T) => readonly unknown[], compute: (from: T) => R): (from: T) => R {
  let last: { readonly inputs: readonly unknown[]; readonly result: R } | null = null;
  return (from) => {
    const inputs = inputsOf(from);
    if (last === null || !sameList(last.inputs, inputs)) last = { inputs, result: compute(from) };
    return last.result;
  };
}

/** The same items in the same order. */
export function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

/** A bounded map of two generations: a hit costs no bookkeeping, entries not used for a generation are dropped. */
export class RecentMap<K, V> {
  readonly #limit: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size <= this.#limit) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
