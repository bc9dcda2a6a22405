/** The text of a message as rows: all of a short one, of a long one the part that is read (R-SAN-5). */

import type { ThreadItem } from '../state/select/selectors.ts';
import { textOf } from '../state/select/thread-items.ts';
import { partEnd } from '../text/layout/parts.ts';
import { type Row, type Span, span } from '../text/layout/row.ts';
import { type Line, wrapMeasured } from '../text/layout/wrap.ts';
import { findLinks } from '../text/links.ts';
import { sanitizeBody, sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import type { Look } from './frame.ts';
import type { KeyOf } from './message-state.ts';

interface Kept {
  readonly from: number;
  readonly columns: number;
  readonly look: Look;
  readonly rows: readonly Row[];
}

/** Selecting a message or growing a thread draws it anew, but does not lay its text out again. */
const kept = new WeakMap<ThreadItem, Kept>();

export function partRows(item: ThreadItem, from: number, columns: number, look: Look, keyOf: KeyOf): readonly Row[] {
  const held = kept.get(item);
  if (held?.from === from && held.columns === columns && held.look === look) return held.rows;
  const rows = layOut(item, from, columns, look, keyOf);
  kept.set(item, { from, columns, look, rows });
  return rows;
}

function layOut(item: ThreadItem, from: number, columns: number, look: Look, keyOf: KeyOf): readonly Row[] {
  const { signs, theme } = look;
  const raw = textOf(item);
  if (raw === '') return [];
  const to = partEnd(raw, from);
  const rows: Row[] = [];
  const note = (text: SafeText): void => {
    for (const line of wrapMeasured(text, columns)) rows.push([{ ...line, style: theme.muted }]);
  };
  if (from > 0)
    note(safe`${signs.ellipsis} the part before${keyNote(keyOf('message.less'), literal('shows it'), look)}`);
  const isLast = to >= raw.length;
  // The line feed between two parts begins no row of its own.
  const shown = raw.slice(from, !isLast && raw.charCodeAt(to - 1) === 0x0a ? to - 1 : to);
  for (const line of wrapMeasured(sanitizeBody(shown), columns)) rows.push(linked(line, look));
  if (!isLast) {
    const percent = Math.min(99, Math.floor((to / raw.length) * 100));
    const more = keyNote(keyOf('message.more'), literal('shows more'), look);
    note(safe`${signs.ellipsis} ${percent} % of this long message${more}`);
  } else if (item.message?.isTruncated) note(safe`${signs.ellipsis} the rest was too long to keep`);
  return rows;
}

function keyNote(key: string, does: SafeText, { signs }: Look): SafeText {
  return key === '' ? literal('') : safe` ${signs.dot} ${sanitizeLine(key)} ${does}`;
}

function linked({ text: line, width }: Line, { theme }: Look): Row {
  const found = findLinks(line);
  if (found.length === 0) return [{ text: line, style: theme.plain, width }];
  const spans: Span[] = [];
  let at = 0;
  for (const { start, end } of found) {
    if (start > at) spans.push(span(piece(line, at, start), theme.plain));
    spans.push(span(piece(line, start, end), theme.link));
    at = end;
  }
  if (at < line.length) spans.push(span(piece(line, at, line.length), theme.plain));
  return spans;
}

/** A piece of clean text is cleaned again, as its ends may lie anywhere. */
const piece = (text: SafeText, start: number, end: number): SafeText => sanitizeLine(text.slice(start, end));
