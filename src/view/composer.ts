/** Draws the draft as rows, with its cursor; a typed character changes one row object and leaves the others alone. */

import { memoLast } from '../state/collections/memo.ts';
import { type Range, selectionOf } from '../state/composer/draft.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectComposerColumns } from '../state/select/pane-columns.ts';
import { selectComposer } from '../state/select/selectors.ts';
import { isVimCommanding, selectCursor, selectVisualRange } from '../state/select/vim.ts';
import { cutRow, type Row, rowWidth, type Span, span } from '../text/layout/row.ts';
import { type EditableLayout, type EditableLine, layoutEditable } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText } from '../text/safe-text.ts';
import { width } from '../text/unicode/width.ts';
import { createFileRows } from './composer-files.ts';
import { rowsAbove, type TitleFacts, titleFacts, titleRow } from './composer-title.ts';
import { borderRow, bothSides, framed, type Look, paneLook } from './frame.ts';
import type { Layout, Rect } from './layout.ts';
import type { KeyOf } from './message-state.ts';
import { mix } from './theme.ts';

interface ComposerPane {
  rows(state: AppState, layout: Layout): readonly Row[];
  /** The number of rows above the text that show what is attached. */
  fileRows(state: AppState): number;
  /** The cell of the screen where typing goes; null while the composer has no draft to type in or is not shown. */
  cursor(state: AppState, layout: Layout): { readonly x: number; readonly y: number } | null;
  /** The place in the draft that is drawn at a cell of the screen; null outside its text. */
  offsetAt(state: AppState, layout: Layout, cell: { readonly x: number; readonly y: number }): number | null;
  /** null where typing does more to the screen than to draw the character at the cursor. */
  echoes(state: AppState, layout: Layout): Echoes | null;
}

/** The characters that can be drawn at the cursor without asking the composer, because each takes one cell. */
export interface Echoes {
  /** How each character is drawn. */
  readonly characters: ReadonlyMap<string, Span>;
  /** The number of them that fit one after the other. */
  readonly room: number;
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
  const top = memoLast((...title: TitleFacts): Row => titleRow(look, keyOf, ...title));
  const bottom = memoLast(
    (columns: number, isBeside: boolean, isFocused: boolean): Row => bottomRow(columns, isBeside, isFocused, look),
  );
  const window = createWindow();
  const files = createFileRows(look);
  const textRows = createTextRows(look, window);
  const same = keepSame();
  const plain = plainCharacters(look.theme.plain);

  return {
    rows(state, layout) {
      const rect = layout.composer;
      if (rect === null) return same([]);
      const above = files(state);
      const textHeight = rect.height - 2 - above.length;
      const hidden = rowsAbove(composerText(state), window(state, textHeight)[0]);
      return same([
        top(rect.width, layout.kind === 'two', hidden, ...titleFacts(state)),
        ...above,
        ...textRows(state, rect, textHeight),
        bottom(rect.width, layout.kind === 'two', state.view.openId !== null && state.screen.focus === 'composer'),
      ]);
    },
    fileRows: (state) => files(state).length,
    cursor(state, layout) {
      const rect = layout.composer;
      if (rect === null || state.view.openId === null) return null;
      const above = files(state).length;
      const { x, y } = cursorIn(state, window(state, rect.height - 2 - above));
      return { x: rect.x + 2 + x, y: rect.y + 1 + above + y };
    },
    offsetAt(state, { composer: rect }, { x, y }) {
      const above = files(state).length;
      const first = rect === null ? 0 : rect.y + 1 + above;
      if (rect === null || state.view.openId === null || y < first || y >= rect.y + rect.height - 1) return null;
      const line = window(state, rect.height - 2 - above)[y - first];
      if (line === undefined) return selectComposer(state).text.length;
      return composerText(state).offsetIn(line, Math.max(0, x - rect.x - 2));
    },
    echoes: (state, layout) => echoesOf(state, layout, plain),
  };
}

/** The cell of the cursor among the rows in sight. */
function cursorIn(state: AppState, lines: readonly EditableLine[]): { readonly x: number; readonly y: number } {
  const cursor = selectCursor(state);
  const at = lines.findLastIndex((line) => line.start <= cursor);
  const line = lines[Math.max(0, at)];
  return { x: line === undefined ? 0 : composerText(state).columnOf(line, cursor), y: Math.max(0, at) };
}

function echoesOf(state: AppState, layout: Layout, characters: Echoes['characters']): Echoes | null {
  if (layout.composer === null || state.screen.focus !== 'composer' || isVimCommanding(state)) return null;
  const draft = selectComposer(state);
  if (draft.text === '' || draft.cursor !== draft.text.length || draft.anchor !== null) return null;
  const last = composerText(state).rowAt(draft.cursor).text;
  const room = selectComposerColumns(state) - 1 - last.length;
  return room > 0 && isPlain(last) ? { characters, room } : null;
}

/** Returns the rows in sight: they move no further than the cursor needs, and none is empty while there is more text. */
function createWindow() {
  let firstStart = 0;
  return (state: AppState, height: number): readonly EditableLine[] => {
    const lines = visibleLines(composerText(state), firstStart, selectCursor(state), height);
    firstStart = lines[0]?.start ?? 0;
    return lines;
  };
}

const archiveNote = literal('This is an archive: nothing can be written');
const unopenedNote = literal('Open a conversation to write in it');

/** The rows between the borders. */
function createTextRows(look: Look, window: ReturnType<typeof createWindow>) {
  const drawLine = createLineDrawer(look);
  const blankNote = memoLast((columns: number, isOpen: boolean, isArchive: boolean): Row => {
    const text = isArchive ? archiveNote : isOpen ? literal('Write a message') : unopenedNote;
    return framed([blank, span(text, look.theme.muted)], columns, bothSides, look);
  });
  return (state: AppState, rect: Rect, height: number): readonly Row[] => {
    const draft = selectComposer(state);
    const isEmpty = draft.text === '';
    const text = composerText(state);
    const lines = isEmpty ? [] : window(state, height);
    const selection = selectVisualRange(state) ?? selectionOf(draft);
    return Array.from({ length: height }, (_, i) => {
      if (isEmpty && i === 0) return blankNote(rect.width, state.view.openId !== null, state.view.isArchive === true);
      const line = lines[i];
      const [from, to] = line === undefined ? none : selectedColumns(text, line, selection);
      return drawLine(i, line?.text ?? literal(''), from, to, rect.width);
    });
  };
}

const blank = span(literal(' '), '');

/** Printable ASCII takes one cell a character, and no character joins another. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);

function plainCharacters(style: string): Echoes['characters'] {
  const codes = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i));
  return new Map(codes.map((character) => [character, span(sanitizeLine(character), style)]));
}

/** Returns the array of the call before when it has the same rows. */
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

/** At most `height` rows around the cursor, from the row at `first` on as far as that shows it. */
function visibleLines(text: EditableLayout, first: number, cursor: number, height: number): readonly EditableLine[] {
  const at = text.rowAt(cursor);
  const lines: EditableLine[] = [];
  const start = text.rowAt(first);
  let line: EditableLine | null = start.start <= at.start ? start : at;
  for (; line !== null && lines.length < height; line = text.rowAfter(line)) lines.push(line);
  if ((lines.at(-1)?.start ?? 0) < at.start) {
    lines.length = 0;
    lines.push(at);
  }
  while (lines.length < height) {
    const above = text.rowBefore(lines[0] ?? at);
    if (above === null) break;
    lines.unshift(above);
  }
  return lines;
}

/** The columns of a line that the selection covers. */
function selectedColumns(text: EditableLayout, line: EditableLine, selection: Range | null): readonly [number, number] {
  if (selection === null) return none;
  const start = Math.max(selection.start, line.start);
  const end = Math.min(selection.end, line.end);
  if (start >= end) return none;
  const isWhole = end === line.end;
  return [text.columnOf(line, start), isWhole ? width(line.text) : text.columnOf(line, end)];
}

const none: readonly [number, number] = [0, 0];

const bottomRow = (columns: number, isBeside: boolean, isFocused: boolean, look: Look): Row =>
  borderRow(
    columns,
    { left: isBeside ? look.signs.teeUp : look.signs.bottomLeft, right: look.signs.bottomRight },
    paneLook(look, isFocused),
  );
