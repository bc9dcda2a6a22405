/** Finds the lines of keys in a TOML text, for messages: the parser gives values without their places. */

/** No key that is looked for is deeper than `keys.bind.app.quit`. */
const deepest = 4;

/** A key that does not end before this column of its line is not found. */
const longestKey = 400;

/** Looks up the line (from 1) where a key or a table begins; null when it is written in some rarer way. */
export type LineOf = (path: readonly string[]) => number | null;

/** Reads the text once, so that looking up many keys costs no more than the length of the text. */
export function indexLines(text: string): LineOf {
  const lines = new Map<string, number>();
  let table: readonly string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const start = line.slice(0, longestKey).trimStart();
    const isHeader = start.startsWith('[');
    const names = keysOf(isHeader ? headerOf(start) : assignedIn(start));
    if (isHeader) table = names;
    const path = (isHeader ? names : [...table, ...names]).slice(0, deepest);
    if (names.length === 0) continue;
    for (let length = 1; length <= path.length; length++) {
      const known = nameOf(path.slice(0, length));
      if (!lines.has(known)) lines.set(known, index + 1);
    }
  }
  return (path) => lines.get(nameOf(path)) ?? null;
}

const nameOf = (path: readonly string[]): string => JSON.stringify(path);

/** `[profiles.work] # mine` → `profiles.work`. */
function headerOf(line: string): string {
  const inner = line.replace(/^\[+/, '');
  const end = inner.indexOf(']');
  return end < 0 ? '' : inner.slice(0, end);
}

/** `server = "…"` → `server `; the empty string for a line that assigns nothing. */
function assignedIn(line: string): string {
  const end = line.search(/[=#]/);
  return end > 0 && line[end] === '=' ? line.slice(0, end) : '';
}

/** `profiles."my work".server` → its three parts. */
export function keysOf(dotted: string): readonly string[] {
  return [...dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}
