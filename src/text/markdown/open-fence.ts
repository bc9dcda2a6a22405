/** Finds out whether a part of a long message begins inside a block of code. */

/** No more of a message than this is read again for each of its parts. */
const reach = 100_000;
const fenceLine = /^ {0,3}(`{3,}|~{3,})([^`\n]*)$|[^`\n](```)[ \t]*$/gm;

/** The line that opened the block of code around `offset`; empty outside of code. */
export function openFence(raw: string, offset: number): string {
  if (offset === 0) return '';
  const before = raw.slice(Math.max(0, offset - reach), offset);
  if (!before.includes('```') && !before.includes('~~~')) return '';
  let open = '';
  for (const [line, marker, info = ''] of before.matchAll(fenceLine)) {
    if (open === '') {
      if (marker !== undefined) open = line.trim();
    } else if (closes(open, marker ?? '```', info)) open = '';
  }
  return open;
}

function closes(open: string, marker: string, info: string): boolean {
  const opening = /^(?:`+|~+)/.exec(open)?.[0] ?? '';
  return info.trim() === '' && marker.startsWith(opening);
}
