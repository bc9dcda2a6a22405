/** Draws the upper border of the list: which view it shows and what it is filtered by. */
import { fieldDraft } from '../state/composer/text-field.ts';
import type { AppState, Draft, ListView } from '../state/model/app-state.ts';
import { mix, type Row, rowWidth, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { borderRow, type Look, paneLook, type Sides } from './frame.ts';
import type { GlyphSet } from './glyph-set.ts';
import { fieldWithCursor } from './text-field.ts';

const heading = literal('Conversations');
const names: Readonly<Record<Extract<ListView, string>, SafeText>> = {
  all: literal('All'),
  unread: literal('Unread'),
  pinned: literal('Pinned'),
  muted: literal('Muted'),
  archived: literal('Archived'),
};

export const viewName = (view: ListView): SafeText => (typeof view === 'string' ? names[view] : literal('One group'));

export interface ListTitleFacts {
  readonly view: ListView;
  readonly filter: string;
  /** Cursor and selection in the filter, as they were left. */
  readonly field?: Draft | undefined;
  readonly isFiltering?: boolean;
}

/**
 * Draws the heading, or in its place the filter while it is typed, because the border is short. In a narrow list only the
 * filter stands there, or else the view.
 */
export function listTitle(list: ListTitleFacts, hasFocus: boolean, columns: number, sides: Sides, look: Look): Row {
  const { theme, signs } = look;
  const corners = { left: signs.topLeft, right: sides.right ? signs.topRight : null };
  const drawn = paneLook(look, hasFocus);
  const choice = safe`${viewName(list.view)} ${signs.choice}`;
  const toViews = { kind: 'command', id: 'list.views' } as const;
  const view = span(safe`  ${choice}`, theme.muted, toViews);
  if (list.isFiltering !== true) {
    const filter = span(safe`${label}${sanitizeLine(list.filter)}`, drawn.title);
    const shorter = list.filter === '' ? span(choice, drawn.title, toViews) : filter;
    const first = list.filter === '' ? span(heading, drawn.title) : filter;
    return borderRow(columns, corners, drawn, { title: [first, view], shorter: [shorter] });
  }
  const { pieces } = typedFilter(list, columns, sides, signs);
  const text = pieces.map((piece) =>
    span(piece.text, piece.isInverse ? mix(drawn.title, theme.selected) : drawn.title),
  );
  const typed = [span(label, drawn.title), ...text];
  // A title that is too long is cut at its end, where the cursor is: the view is left out instead.
  const hasRoom = rowWidth([...typed, view]) <= titleColumns(columns, sides);
  return borderRow(columns, corners, drawn, { title: hasRoom ? [...typed, view] : typed });
}

const label = literal('Filter: ');

/** The columns between the corners and the blanks around the title. */
const titleColumns = (columns: number, sides: Sides): number => columns - (sides.right ? 2 : 1) - 3;

const typedFilter = ({ filter, field }: ListTitleFacts, columns: number, sides: Sides, { ellipsis }: GlyphSet) =>
  fieldWithCursor(fieldDraft(filter, field), Math.max(2, titleColumns(columns, sides) - label.length), ellipsis);

/** The column of the pane at which the filter is typed; null while it is not being typed. */
export function filterCursor(
  { screen: { focus }, view: { list } }: AppState,
  columns: number,
  sides: Sides,
  signs: GlyphSet,
): number | null {
  if (focus !== 'list' || list.isFiltering !== true) return null;
  return 2 + label.length + typedFilter(list, columns, sides, signs).cursor;
}
