/** Structural equality, by which an answer without news leaves the objects in the state as they are. */

/** For trees of plain objects, arrays and primitives, as `protocol/parse` makes them. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => sameValue(left[key], right[key]));
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}

/** Whether every field of the patch has its value already. */
export const isPatched = <T extends object>(whole: T, patch: Partial<T>): boolean =>
  (Object.keys(patch) as (keyof T)[]).every((key) => Object.is(whole[key], patch[key]));
