/** Finds the words that were added to a text and removed from it. */

export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** In UTF-16 units. */
const longestText = 20_000;
/** Words of one text times words of the other, between what both begin and end with. */
const mostCells = 250_000;

/**
 * The parts in order; in a change, what was removed comes before what was added. The parts but the added ones join to
 * `before`, those but the removed ones to `after`. Null where a comparison shows nothing, or would take long: the texts
 * have no word in common, or are too long.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] | null {
  if (before.length > longestText || after.length > longestText) return null;
  const [a, b] = [wordsAndBlanks(before), wordsAndBlanks(after)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [oldWords, newWords] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (oldWords.length * newWords.length > mostCells) return null;
  const steps: DiffPart[] = [
    ...a.slice(0, start).map(same),
    ...changes(oldWords, newWords),
    ...a.slice(a.length - end).map(same),
  ];
  return steps.some(({ kind, text }) => kind === 'same' && text.trim() !== '') ? joined(steps) : null;
}

const same = (text: string): DiffPart => ({ kind: 'same', text });

/** Words, and the blanks between them. */
const wordsAndBlanks = (text: string): readonly string[] => text.match(/\s+|\S+/g) ?? [];

/** Follows a longest common subsequence. */
function changes(a: readonly string[], b: readonly string[]): readonly DiffPart[] {
  const columns = b.length + 1;
  // The length of the longest common subsequence of the words from i and from j on.
  const lengths = new Uint32Array((a.length + 1) * columns);
  const at = (i: number, j: number): number => lengths[i * columns + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * columns + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const steps: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [was, is] = [a[i], b[j]];
    if (was !== undefined && was === is) {
      steps.push(same(was));
      i++;
      j++;
    } else if (was !== undefined && (is === undefined || at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ kind: 'removed', text: was });
      i++;
    } else {
      steps.push({ kind: 'added', text: is ?? '' });
      j++;
    }
  }
  return steps;
}

/** Joins neighbours of a kind. */
function joined(steps: readonly DiffPart[]): readonly DiffPart[] {
  const parts: DiffPart[] = [];
  let removed = '';
  let added = '';
  const flush = (): void => {
    if (removed !== '') parts.push({ kind: 'removed', text: removed });
    if (added !== '') parts.push({ kind: 'added', text: added });
    removed = '';
    added = '';
  };
  for (const { kind, text } of steps) {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      flush();
      const last = parts.at(-1);
      if (last?.kind === 'same') parts[parts.length - 1] = same(last.text + text);
      else parts.push(same(text));
    }
  }
  flush();
  return parts;
}
