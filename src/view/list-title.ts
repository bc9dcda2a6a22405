/** The upper border of the list: which view it shows and what it is filtered by. */
import type { AppState, ListView } from '../state/model/app-state.ts';
import { type Row, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { width } from '../text/unicode/width.ts';
import { borderRow, type Look, paneLook, type Sides } from './frame.ts';

const heading = literal('Conversations');
const names: Readonly<Record<Extract<ListView, string>, SafeText>> = {
  all: literal('All'),
  unread: literal('Unread'),
  pinned: literal('Pinned'),
  muted: literal('Muted'),
  archived: literal('Archived'),
};

export const viewName = (view: ListView): SafeText => (typeof view === 'string' ? names[view] : literal('One group'));

/** While it is typed, the filter replaces the heading, because the border is short. */
export interface TitleFacts {
  readonly view: ListView;
  readonly filter: string;
  readonly isFiltering: boolean;
  readonly hasFocus: boolean;
}

export function listTitle(facts: TitleFacts, columns: number, sides: Sides, look: Look): Row {
  const { view, filter, isFiltering, hasFocus } = facts;
  const { theme, signs } = look;
  const corners = { left: signs.topLeft, right: sides.right ? signs.topRight : null };
  const drawn = paneLook(look, hasFocus);
  const shown = span(safe`  ${viewName(view)} ${signs.choice}`, theme.muted, { kind: 'command', id: 'list.views' });
  const text = filter !== '' || isFiltering ? filterText(filter) : heading;
  return borderRow(columns, corners, drawn, [span(text, drawn.title), shown]);
}

const filterText = (filter: string): SafeText => safe`Filter: ${sanitizeLine(filter)}`;

/** The column of the pane right after the filter's last character; null while it is not being typed. */
export function filterCursor({ screen: { focus }, view: { list } }: AppState): number | null {
  if (focus !== 'list' || list.isFiltering !== true) return null;
  return 2 + width(filterText(list.filter));
}
