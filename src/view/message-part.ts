/** The text of a message as rows: the whole text, or the part of a long one that is shown (R-SAN-5). */

import type { ThreadItem } from '../state/select/selectors.ts';
import { textOf } from '../state/select/thread-items.ts';
import { partEnd } from '../text/layout/parts.ts';
import type { Row } from '../text/layout/row.ts';
import { type StyledRange, wrapStyled } from '../text/layout/wrap.ts';
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

/** The rows of the text stay when the message is drawn again because it was selected or the thread grew. */
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
  const note = (text: SafeText): void => void rows.push(...wrapStyled(text, columns, theme.muted));
  if (from > 0)
    note(safe`${signs.ellipsis} the part before${keyNote(keyOf('message.less'), literal('shows it'), look)}`);
  const isLast = to >= raw.length;
  // The line feed between two parts adds no empty row.
  const shown = sanitizeBody(raw.slice(from, !isLast && raw.charCodeAt(to - 1) === 0x0a ? to - 1 : to));
  rows.push(...wrapStyled(shown, columns, theme.plain, linkRanges(shown, item, look)));
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

const linkRanges = (text: SafeText, { id }: ThreadItem, { theme }: Look): readonly StyledRange[] =>
  findLinks(text).map(({ start, end }) => ({
    start,
    end,
    style: theme.link,
    target: { kind: 'link', messageId: id, address: text.slice(start, end) },
  }));
