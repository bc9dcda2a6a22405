/** Decides which messages are so long that only their first rows are shown, and how wide the text of a message is. */
import { partEnd } from '../../text/layout/parts.ts';
import { wrapStyled } from '../../text/layout/wrap.ts';
import { sanitizeBody } from '../../text/safe/sanitize.ts';
import type { AppState, Place } from '../model/app-state.ts';
import { selectPaneColumns } from './pane-columns.ts';
import { type ThreadItem, textOf } from './thread-items.ts';

/** A message with more rows than this folds. */
export const mostRows = 20;
/** The most rows that a folded message shows. */
export const foldedRows = 15;

/** Columns of a message's text in a pane of so many columns, borders included. */
export const bodyColumns = (pane: number, textWidth: number): number =>
  Math.max(1, Math.min(textWidth + 5, pane - 3) - 5);

export const selectBodyColumns = (state: AppState): number =>
  bodyColumns(selectPaneColumns(state).main, state.settings.textWidth);

const known = new WeakMap<ThreadItem, { readonly columns: number; readonly isLong: boolean }>();

/** Whether the text, or the first part of a very long one, has more rows than a message should take. */
export function isLong(item: ThreadItem, columns: number): boolean {
  const held = known.get(item);
  if (held?.columns === columns) return held.isLong;
  const made = { columns, isLong: measure(textOf(item), columns) };
  known.set(item, made);
  return made.isLong;
}

function measure(raw: string, columns: number): boolean {
  if (raw.length <= mostRows) return false;
  const text = raw.slice(0, partEnd(raw, 0));
  const lines = text.split('\n').length;
  if (lines > mostRows) return true;
  // A character takes two columns at most, and a row that breaks at a word is half full at least.
  if (lines + (4 * text.length) / columns <= mostRows) return false;
  return wrapStyled(sanitizeBody(text), columns, '').length > mostRows;
}

export const isFolded = ({ unfolded, part }: Place, item: ThreadItem, columns: number): boolean =>
  unfolded?.includes(item.id) !== true && part?.messageId !== item.id && isLong(item, columns);
