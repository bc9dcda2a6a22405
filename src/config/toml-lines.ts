/** Finds the line of a key in a TOML text, for messages: the parser gives values without their places. */

/** The line (from 1) where the key or the table at `path` begins; null when it is written in some rarer way. */
export function lineOf(text: string, path: readonly string[]): number | null {
  const parent = path.slice(0, -1);
  const key = path.at(-1) ?? '';
  let table: readonly string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[+([^\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) table = keys(header);
    const assigned = header === undefined ? keys(/^\s*([^=#]+?)\s*=/.exec(line)?.[1] ?? '') : [];
    const found = [...table, ...assigned];
    if (header !== undefined ? sameStart(table, path) : sameStart(found, [...parent, key])) return index + 1;
  }
  return null;
}

/** `profiles."my work".server` → its three parts. */
function keys(dotted: string): readonly string[] {
  return [...dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}

function sameStart(found: readonly string[], path: readonly string[]): boolean {
  return found.length >= path.length && path.every((part, i) => part === found[i]);
}
