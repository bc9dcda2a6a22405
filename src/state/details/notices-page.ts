/** The page of the notices that were shown in this run, the newest first, and its text for the clipboard. */
import type { Row } from '../../text/layout/row.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { clockTimeSeconds } from '../../text/time.ts';
import type { Notice } from '../model/screen-state.ts';
import { type Copy, copyOf } from '../select/message-texts.ts';
import { SheetRows } from './sheet-rows.ts';

export function noticeRows(log: readonly Notice[], columns: number): readonly Row[] {
  const page = new SheetRows(columns);
  for (const { at, tone, text } of log.toReversed())
    page.fact(clockTimeSeconds(at), sanitizeLine(text), tone === 'error' ? 'removed' : 'plain');
  if (log.length === 0) page.text(literal('Nothing was reported in this run.'), 'muted');
  return page.rows;
}

/** Null when it is too long for a terminal. */
export const noticesCopy = (log: readonly Notice[]): Copy | null =>
  copyOf(log.map(({ at, text }) => safe`${clockTimeSeconds(at)} ${sanitizeLine(text)}`).join('\n'));
