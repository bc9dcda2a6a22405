/** Makes the rows of the earlier texts of a message, each compared with the one that came after it. */

import { wordDiff } from '../../text/diff.ts';
import type { StyledRange } from '../../text/layout/wrap.ts';
import { sanitizeBody } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { fullTime } from '../../text/time.ts';
import type { MessageVersion } from '../model/details.ts';
import type { SheetRows, Tone } from './sheet-rows.ts';

/** In UTF-16 units; a longer text is shown up to here. */
const shownUnits = 4_000;

/** @param versions newest first; null while they are read */
export function addVersions(rows: SheetRows, now: string, versions: readonly MessageVersion[] | null): void {
  rows.heading(literal('Earlier versions'));
  if (versions === null) rows.text(literal('Reading …'), 'muted');
  else if (versions.length === 0) rows.text(literal('None was seen here.'), 'muted');
  else rows.text(literal('The versions seen here, newest first: [-removed-] {+added+}'), 'muted');
  let after = now;
  for (const { text, until } of versions ?? []) {
    rows.text(safe`Until ${fullTime(until)}:`, 'muted');
    addChange(rows, text, after);
    after = text;
  }
}

/** When the texts cannot be compared word by word, the earlier text is shown in full. */
function addChange(rows: SheetRows, before: string, after: string): void {
  const parts = wordDiff(sanitizeBody(before), sanitizeBody(after));
  if (parts === null) {
    rows.text(shortened(before), 'removed');
    return;
  }
  let text = '';
  const ranges: StyledRange[] = [];
  for (const part of parts) {
    const start = text.length;
    text += part.kind === 'same' ? part.text : part.kind === 'added' ? `{+${part.text}+}` : `[-${part.text}-]`;
    if (part.kind !== 'same') ranges.push({ start, end: text.length, style: part.kind satisfies Tone });
  }
  // Its parts are pieces of sanitised texts, but text put together is of type string.
  rows.text(sanitizeBody(text.slice(0, shownUnits * 2)), 'plain', ranges);
}

export function shortened(raw: string): SafeText {
  const rest = raw.length - shownUnits;
  const text = sanitizeBody(raw.slice(0, shownUnits));
  if (raw === '') return literal('(empty)');
  return rest > 0 ? safe`${text} … and ${rest} more characters` : text;
}
