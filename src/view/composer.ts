/** Draws the draft as rows, with its cursor; a typed character changes one row object and leaves the others alone. */

import { memoBy, memoLast } from '../state/collections/memo.ts';
import { type Range, selectionOf } from '../state/composer/draft.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectComposerFiles } from '../state/select/attachments.ts';
import { selectComposerColumns } from '../state/select/pane-columns.ts';
import { isVimCommanding, selectComposer, selectCursor, selectVisualRange } from '../state/select/selectors.ts';
import { selectDraftTop } from '../state/view/composer.ts';
import { cutRow, mix, oneBlank, type Row, rowWidth, type Span, span } from '../text/layout/row.ts';
import { type EditableLayout, type EditableLine, layoutEditable } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText } from '../text/safe-text.ts';
import { width } from '../text/unicode/width.ts';
import { createFileRows } from './composer-files.ts';
import { type ComposerTitleFacts, hiddenText, rowsAbove, rowsBelow, titleFacts, titleRow } from './composer-title.ts';
import { createComposerWindow } from './composer-window.ts';
import { borderRow, bothSides, framed, type KeyOf, type Look, paneLook } from './frame.ts';
import type { Layout, Rect } from './layout.ts';
import type { ThreadPane } from './thread.ts';

interface ComposerPane {
  rows(state: AppState, layout: Layout): readonly Row[];
  /** The number of rows above the text that show what is attached. */
  fileRows(state: AppState): number;
  /** The cell of the screen where typing goes; null while the composer has no draft to type in or is not shown. */
  cursor(state: AppState, layout: Layout): { readonly x: number; readonly y: number } | null;
  /** The place in the draft that is drawn at a cell of the screen; null outside the rows of the text. */
  offsetAt(state: AppState, layout: Layout, cell: { readonly x: number; readonly y: number }): number | null;
  /**
   * The place in the draft at which its first row begins when scrolled by `by` rows; null where all of it is in sight.
   */
  topAfter(state: AppState, layout: Layout, by: number): number | null;
  /** Null where typing does more to the screen than to draw the character at the cursor. */
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

/** The draft between the borders of the pane. */
interface Inside {
  readonly rows: readonly Row[];
  /** How many rows of the text are out of sight above and below. */
  readonly above: number;
  readonly below: number;
  readonly cursor: { readonly x: number; readonly y: number } | null;
  readonly echoes: Echoes | null;
}

/**
 * What the height of the pane, its text, its files and its cursor depend on. While these are the same objects, as when a
 * message arrives, the draft is not laid out again.
 */
export function draftInputs(state: AppState): readonly unknown[] {
  const { screen, settings, view, local } = state;
  const { openId, isArchive, vim, draftScroll, completion } = view;
  const draft = selectComposer(state);
  const files = selectComposerFiles(state);
  return [screen, settings, openId, isArchive, vim, draftScroll, completion, local.listWidth, draft, files];
}

type UnreadBelow = ThreadPane['unreadBelow'];

export function createComposer(look: Look, keyOf: KeyOf, unreadBelow: UnreadBelow): ComposerPane {
  const top = memoLast((...title: ComposerTitleFacts): Row => titleRow(look, keyOf, ...title));
  const bottom = memoLast((...edge: EdgeFacts): Row => bottomRow(look, ...edge));
  const window = createComposerWindow();
  const files = createFileRows(look);
  const same = keepSame();
  const factsOf = (state: AppState, layout: Layout) => titleFacts(state, () => unreadBelow(state, layout));
  const textHeight = (state: AppState, rect: Rect): number => rect.height - 2 - files(state).length;
  const linesIn = (state: AppState, rect: Rect): readonly EditableLine[] =>
    window.lines(composerText(state), state, textHeight(state, rect));
  const inside = createInside(look, files, linesIn);

  return {
    rows(state, layout) {
      const rect = layout.composer;
      if (rect === null) return same([]);
      const { rows, above, below } = inside(state, layout);
      const isFocused = state.view.openId !== null && state.screen.focus === 'composer';
      return same([
        top(rect.width, above, ...factsOf(state, layout)),
        ...rows,
        bottom(rect.width, layout.kind === 'two', isFocused, below),
      ]);
    },
    fileRows: (state) => files(state).length,
    cursor: (state, layout) => inside(state, layout).cursor,
    offsetAt(state, { composer: rect }, { x, y }) {
      const first = rect === null ? 0 : rect.y + 1 + files(state).length;
      if (rect === null || state.view.openId === null || y < first || y >= rect.y + rect.height - 1) return null;
      const line = linesIn(state, rect)[y - first];
      if (line === undefined) return selectComposer(state).text.length;
      return composerText(state).offsetIn(line, Math.max(0, x - rect.x - 2));
    },
    topAfter: (state, { composer: rect }, by) =>
      rect === null ? null : window.topAfter(composerText(state), state, textHeight(state, rect), by),
    echoes: (state, layout) => inside(state, layout).echoes,
  };
}

const notShown: Inside = { rows: [], above: 0, below: 0, cursor: null, echoes: null };

function createInside(
  look: Look,
  files: ReturnType<typeof createFileRows>,
  linesIn: (state: AppState, rect: Rect) => readonly EditableLine[],
): (state: AppState, layout: Layout) => Inside {
  const textRows = createTextRows(look);
  const plain = plainCharacters(look.theme.plain);
  const inside = memoBy(
    ({ state, layout }: { readonly state: AppState; readonly layout: Layout }) => [layout, ...draftInputs(state)],
    ({ state, layout }): Inside => {
      const rect = layout.composer;
      if (rect === null) return notShown;
      const text = composerText(state);
      const lines = linesIn(state, rect);
      const chips = files(state);
      const cell = state.view.openId === null ? null : cursorIn(state, lines);
      return {
        rows: [...chips, ...textRows(state, rect, rect.height - 2 - chips.length, lines)],
        above: rowsAbove(text, lines[0]),
        below: rowsBelow(text, lines.at(-1)),
        cursor: cell === null ? null : { x: rect.x + 2 + cell.x, y: rect.y + 1 + chips.length + cell.y },
        echoes: echoesOf(state, plain),
      };
    },
  );
  return (state, layout) => inside({ state, layout });
}

/** The cell of the cursor among the rows in sight; null where the wheel has scrolled it out of sight. */
function cursorIn(state: AppState, lines: readonly EditableLine[]): { readonly x: number; readonly y: number } | null {
  const text = composerText(state);
  const cursor = selectCursor(state);
  const { start } = text.rowAt(cursor);
  const y = lines.findIndex((line) => line.start === start);
  const line = lines[y];
  return line === undefined ? null : { x: text.columnOf(line, cursor), y };
}

function echoesOf(state: AppState, characters: Echoes['characters']): Echoes | null {
  if (state.screen.focus !== 'composer' || isVimCommanding(state)) return null;
  if (selectDraftTop(state) !== null) return null;
  const draft = selectComposer(state);
  if (draft.text === '' || draft.cursor !== draft.text.length || draft.anchor !== null) return null;
  const last = composerText(state).rowAt(draft.cursor).text;
  const room = selectComposerColumns(state) - 1 - last.length;
  return room > 0 && isPlain(last) ? { characters, room } : null;
}

const archiveNote = literal('This is an archive: nothing can be written');
const unopenedNote = literal('Open a conversation to write in it');

/** The rows between the borders. */
function createTextRows(look: Look) {
  const drawLine = createLineDrawer(look);
  const blankNote = memoLast((columns: number, isOpen: boolean, isArchive: boolean): Row => {
    const text = isArchive ? archiveNote : isOpen ? literal('Write a message') : unopenedNote;
    return framed([oneBlank, span(text, look.theme.muted)], columns, bothSides, look);
  });
  return (state: AppState, rect: Rect, height: number, inSight: readonly EditableLine[]): readonly Row[] => {
    const draft = selectComposer(state);
    const isEmpty = draft.text === '';
    const text = composerText(state);
    const lines = isEmpty ? [] : inSight;
    const selection = selectVisualRange(state) ?? selectionOf(draft);
    return Array.from({ length: height }, (_, i) => {
      if (isEmpty && i === 0) return blankNote(rect.width, state.view.openId !== null, state.view.isArchive === true);
      const line = lines[i];
      const [from, to] = line === undefined ? none : selectedColumns(text, line, selection);
      return drawLine(i, line?.text ?? literal(''), from, to, rect.width);
    });
  };
}

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
    const row = framed([oneBlank, ...highlighted(text, from, to, look)], columns, bothSides, look);
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
function selectedColumns(text: EditableLayout, line: EditableLine, selection: Range | null): readonly [number, number] {
  if (selection === null) return none;
  const start = Math.max(selection.start, line.start);
  const end = Math.min(selection.end, line.end);
  if (start >= end) return none;
  const isWhole = end === line.end;
  return [text.columnOf(line, start), isWhole ? width(line.text) : text.columnOf(line, end)];
}

const none: readonly [number, number] = [0, 0];

/** `hidden`: how many rows of the text are below the last one in sight. */
type EdgeFacts = [columns: number, isBeside: boolean, isFocused: boolean, hidden: number];

const bottomRow = (look: Look, ...[columns, isBeside, isFocused, hidden]: EdgeFacts): Row =>
  borderRow(
    columns,
    { left: isBeside ? look.signs.teeUp : look.signs.bottomLeft, right: look.signs.bottomRight },
    paneLook(look, isFocused),
    { note: hidden === 0 ? [] : [span(hiddenText(hidden, look.signs.down), look.theme.muted)] },
  );
