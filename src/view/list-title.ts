/** The upper border of the list: which view it shows and what it is filtered by. */
import type { ListState, ListView, View } from '../state/state.ts';
import { type Row, span } from '../text/row.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { width } from '../text/width.ts';
import { borderRow, type Look, type Sides } from './frame.ts';

const heading = literal('Conversations');
const names: Readonly<Record<Extract<ListView, string>, SafeText>> = {
  all: literal('All'),
  unread: literal('Unread'),
  pinned: literal('Pinned'),
  muted: literal('Muted'),
  archived: literal('Archived'),
};

export const viewName = (view: ListView): SafeText => (typeof view === 'string' ? names[view] : literal('One group'));

/** While the filter is typed it takes the place of the heading, as the border is short. */
export function listTitle(list: ListState, hasFocus: boolean, columns: number, sides: Sides, look: Look): Row {
  const { theme, signs } = look;
  const corners = { left: signs.topLeft, right: sides.right ? signs.topRight : null };
  const style = hasFocus ? theme.titleFocused : theme.title;
  const view = span(safe`  ${viewName(list.view)} ${signs.choice}`, theme.muted);
  if (isFiltered(list)) return borderRow(columns, corners, look, [span(filterText(list), style), view]);
  return borderRow(columns, corners, look, [span(heading, style), view]);
}

const isFiltered = (list: ListState): boolean => list.filter !== '' || list.isFiltering === true;
const filterText = (list: ListState): SafeText => safe`Filter: ${sanitizeLine(list.filter)}`;

/** The column of the pane right after the filter's last character; null while it is not being typed. */
export function filterCursor({ focus, list }: View): number | null {
  if (focus !== 'list' || list.isFiltering !== true) return null;
  return 2 + width(filterText(list));
}
