/** Finds the known name that is most similar to a wrong one. */

/** Longer names are not compared, so that a file of very long keys is read quickly. */
const longest = 40;

/**
 * Returns null when no name is near: a third of its letters may differ, or it begins with what was written, in at
 * least three letters.
 */
export function nearest(wrong: string, known: readonly string[]): string | null {
  if (wrong.length > longest) return null;
  const typed = squeezed(wrong);
  const near = known
    .map((name) => ({ name, distance: distanceOf(typed, squeezed(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.distance - other.distance)[0];
  if (near !== undefined) return near.name;
  return typed.length < 3 ? null : (known.find((name) => squeezed(name).startsWith(typed)) ?? null);
}

const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** How many letters have to be added, left out or replaced; two letters in the wrong order count as one. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last.at(-1) ?? 0;
}
