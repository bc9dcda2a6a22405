/** The draft as rows, with its cursor; a typed character changes one row object and leaves the others alone. */
import { selectionOf } from '../state/draft.ts';
import { memoLast } from '../state/memo.ts';
import {
  selectComposer,
  selectComposerColumns,
  selectConversationName,
  selectPlace,
  selectUnread,
} from '../state/selectors.ts';
import type { AppState, Draft } from '../state/state.ts';
import { cutRow, type Row, rowWidth, span } from '../text/row.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { width } from '../text/width.ts';
import { type EditableLayout, layoutEditable } from '../text/wrap.ts';
import { borderRow, bothSides, type Corners, framed, type Look } from './frame.ts';
import type { Layout, Rect } from './layout.ts';
import type { KeyOf } from './message-state.ts';
import { mix } from './theme.ts';

interface ComposerPane {
  rows(state: AppState, layout: Layout): readonly Row[];
  /** The cell of the screen where typing goes; null while the composer has no draft to type in or is not shown. */
  cursor(state: AppState, layout: Layout): { readonly x: number; readonly y: number } | null;
}

interface Drawn {
  readonly text: SafeText;
  /** Columns that are selected, from and to; equal when none is. */
  readonly from: number;
  readonly to: number;
  readonly columns: number;
  readonly row: Row;
}

const editable = memoLast((text: string, columns: number): EditableLayout => layoutEditable(text, columns));

/** The draft of the open conversation in rows as wide as the composer. */
export const composerText = (state: AppState): EditableLayout =>
  editable(selectComposer(state).text, selectComposerColumns(state));

export function createComposer(look: Look, keyOf: KeyOf): ComposerPane {
  const drawLine = createLineDrawer(look);
  const top = memoLast((...title: TitleFacts): Row => titleRow(look, keyOf, ...title));
  const bottom = memoLast((columns: number, isBeside: boolean): Row => bottomRow(columns, isBeside, look));
  const blankNote = memoLast((columns: number, isOpen: boolean): Row => {
    const text = isOpen ? literal('Write a message') : literal('Open a conversation to write in it');
    return framed([blank, span(text, look.theme.muted)], columns, bothSides, look);
  });
  let firstLine = 0;
  const scrolled = (state: AppState, height: number): number => {
    const text = composerText(state);
    const { line } = text.cellOf(selectComposer(state).cursor);
    firstLine = Math.max(Math.min(firstLine, line, text.lines.length - height), line - height + 1, 0);
    return firstLine;
  };
  const same = keepSame();

  const textRows = (state: AppState, rect: Rect): readonly Row[] => {
    const draft = selectComposer(state);
    if (draft.text === '') {
      return Array.from({ length: rect.height - 2 }, (_, i) =>
        i === 0 ? blankNote(rect.width, state.view.openId !== null) : drawLine(i, literal(''), 0, 0, rect.width),
      );
    }
    const text = composerText(state);
    const first = scrolled(state, rect.height - 2);
    return Array.from({ length: rect.height - 2 }, (_, i) => {
      const [from, to] = selectedColumns(text, first + i, draft);
      return drawLine(i, text.lines[first + i]?.text ?? literal(''), from, to, rect.width);
    });
  };

  return {
    rows(state, layout) {
      const rect = layout.composer;
      if (rect === null) return same([]);
      const isBeside = layout.kind === 'two';
      return same([
        top(rect.width, isBeside, ...titleFacts(state)),
        ...textRows(state, rect),
        bottom(rect.width, isBeside),
      ]);
    },
    cursor(state, layout) {
      const rect = layout.composer;
      if (rect === null || state.view.openId === null) return null;
      const { line, column } = composerText(state).cellOf(selectComposer(state).cursor);
      return { x: rect.x + 2 + column, y: rect.y + 1 + line - scrolled(state, rect.height - 2) };
    },
  };
}

const blank = span(literal(' '), '');

/** The array before, when it held the same rows. */
function keepSame(): (rows: readonly Row[]) => readonly Row[] {
  let before: readonly Row[] = [];
  return (rows) => {
    if (rows.length !== before.length || rows.some((row, i) => row !== before[i])) before = rows;
    return before;
  };
}

function createLineDrawer(look: Look) {
  const drawn: Drawn[] = [];
  return (place: number, text: SafeText, from: number, to: number, columns: number): Row => {
    const held = drawn[place];
    if (held?.text === text && held.from === from && held.to === to && held.columns === columns) return held.row;
    const row = framed([blank, ...highlighted(text, from, to, look)], columns, bothSides, look);
    drawn[place] = { text, from, to, columns, row };
    return row;
  };
}

function highlighted(text: SafeText, from: number, to: number, { theme }: Look): Row {
  const whole: Row = [span(text, theme.plain)];
  if (from === to) return whole;
  const middle = cutRow(whole, from, to).map((piece) => span(piece.text, mix(piece.style, theme.selected)));
  return [...cutRow(whole, 0, from), ...middle, ...cutRow(whole, to, rowWidth(whole))];
}

/** The columns of a line that the selection covers. */
function selectedColumns(text: EditableLayout, index: number, draft: Draft): readonly [number, number] {
  const selection = selectionOf(draft);
  const line = text.lines[index];
  if (selection === null || line === undefined) return none;
  const start = Math.max(selection.start, line.start);
  const end = Math.min(selection.end, line.end);
  if (start >= end) return none;
  const last = text.cellOf(end);
  return [text.cellOf(start).column, last.line === index ? last.column : width(line.text)];
}

const none: readonly [number, number] = [0, 0];

type TitleFacts = [columns: number, isBeside: boolean, ...ReturnType<typeof titleFacts>];

function titleFacts(
  state: AppState,
): [name: SafeText | null, isEditing: boolean, isFocused: boolean, isScrolled: boolean, unread: number] {
  const { openId, focus } = state.view;
  if (openId === null) return [null, false, false, false, 0];
  const isScrolled = selectPlace(state, openId).scroll.at !== 'bottom';
  const unread = isScrolled ? selectUnread(state, openId) : 0;
  const isEditing = selectComposer(state).editing !== null;
  return [selectConversationName(state, openId), isEditing, focus === 'composer', isScrolled, unread];
}

function titleRow(look: Look, keyOf: KeyOf, ...facts: TitleFacts): Row {
  const [columns, , name, isEditing, isFocused, isScrolled, unread] = facts;
  const { theme, signs } = look;
  const corners: Corners = { left: signs.teeRight, right: signs.teeLeft };
  const escapeKey = sanitizeLine(keyOf('layer.back') || 'Esc');
  const editing = safe`Editing ${signs.dot} ${escapeKey} to cancel`;
  const to = name === null ? literal('No conversation') : safe`To ${name}`;
  const title = span(isEditing ? editing : to, isFocused ? theme.titleFocused : theme.title);
  if (!isScrolled) return borderRow(columns, corners, look, [title]);
  const more = unread === 0 ? safe`newer ${signs.down}` : safe`${unread} new ${signs.down}`;
  return borderRow(columns, corners, look, [title], [span(more, unread === 0 ? theme.muted : theme.unread)]);
}

const bottomRow = (columns: number, isBeside: boolean, look: Look): Row =>
  borderRow(
    columns,
    { left: isBeside ? look.signs.teeUp : look.signs.bottomLeft, right: look.signs.bottomRight },
    look,
  );
