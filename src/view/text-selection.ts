/** Finds the cells of a thread that the mouse has selected, draws them, and reads the text that was written there. */
import type { TextSelection, TextSpot } from '../state/model/place.ts';
import { copyLimit } from '../state/select/message-texts.ts';
import { pieceOf } from '../text/layout/piece.ts';
import { cutRow, mix, type Row } from '../text/layout/row.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { eachCluster } from '../text/unicode/clusters.ts';
import { clusterWidth } from '../text/unicode/width.ts';
import type { Blocks, SeenRow } from './thread-scroll.ts';

interface At {
  /** The item, by its position in the thread. */
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** The first and the last cell, both included. */
export interface SelectedCells {
  readonly first: At;
  readonly last: At;
}

/** The selected cells; null where nothing is selected, or a message at one end is not there any more. */
export function selectedCells(blocks: Blocks, selection: TextSelection | null): SelectedCells | null {
  if (selection === null) return null;
  const anchor = placeOf(blocks, selection.anchor);
  const head = placeOf(blocks, selection.head);
  if (anchor === null || head === null) return null;
  return compare(anchor, head) <= 0 ? { first: anchor, last: head } : { first: head, last: anchor };
}

function placeOf({ items }: Blocks, { messageId, line, column }: TextSpot): At | null {
  const index = items.findIndex(({ id }) => id === messageId);
  return index < 0 ? null : { index, line, column };
}

const compare = (a: At, b: At): number => a.index - b.index || a.line - b.line || a.column - b.column;

/** The columns of a row that are selected; null where none is. The last one is excluded. */
function columnsIn({ first, last }: SelectedCells, index: number, line: number): readonly [number, number] | null {
  const isBefore = index < first.index || (index === first.index && line < first.line);
  const isAfter = index > last.index || (index === last.index && line > last.line);
  if (isBefore || isAfter) return null;
  const isFirst = index === first.index && line === first.line;
  const isLast = index === last.index && line === last.line;
  return [isFirst ? first.column : 0, isLast ? last.column + 1 : Number.MAX_SAFE_INTEGER];
}

/** Draws the selected text in inverse video. */
export const drawSelection = (rows: readonly SeenRow[], cells: SelectedCells | null): readonly Row[] =>
  rows.map(({ row, index, line }) => {
    const columns = cells === null ? null : columnsIn(cells, index, line);
    return columns === null ? row : inverted(row, columns);
  });

function inverted(row: Row, [from, to]: readonly [number, number]): Row {
  let start = 0;
  return row.flatMap((span) => {
    const piece = span.before === undefined ? null : pieceOf(span, from - start, to - start);
    start += span.width;
    if (piece === null) return [span];
    const middle = cutRow([span], piece.from, piece.to).map((one) => ({ ...one, style: mix(one.style, '7') }));
    return [...cutRow([span], 0, piece.from), ...middle, ...cutRow([span], piece.to, span.width)];
  });
}

/** The selected text as it was written: broken rows are joined; frames, signs, authors and times are left out, spoilers are not. */
export function textIn(blocks: Blocks, cells: SelectedCells): SafeText {
  let text = literal('');
  let isBegun = false;
  for (let index = cells.first.index; index <= cells.last.index && text.length <= copyLimit; index++) {
    const { rows, lead } = (blocks.uncovered ?? blocks.blockOf)(index);
    for (const [i, row] of rows.entries()) {
      const columns = columnsIn(cells, index, i - lead);
      for (const { before, part } of columns === null ? [] : piecesIn(row, columns)) {
        text = isBegun ? safe`${text}${before}${part}` : part;
        isBegun = true;
      }
    }
  }
  return text;
}

function piecesIn(row: Row, [from, to]: readonly [number, number]): { before: SafeText; part: SafeText }[] {
  const pieces: { before: SafeText; part: SafeText }[] = [];
  let start = 0;
  for (const span of row) {
    const { before } = span;
    if (before !== undefined && span.text === '' && start >= from && start < to)
      pieces.push({ before, part: literal('') });
    const piece = before === undefined ? null : pieceOf(span, from - start, to - start);
    if (before !== undefined && piece !== null)
      pieces.push({ before: piece.isFromStart ? before : literal(''), part: piece.text });
    start += span.width;
  }
  return pieces;
}

/** The whole message at a cell. */
export function messageAt(blocks: Blocks, { messageId }: TextSpot): TextSelection | null {
  const at = placeOf(blocks, { messageId, line: 0, column: 0 });
  if (at === null) return null;
  const { rows, lead } = blocks.blockOf(at.index);
  const last = { messageId, line: rows.length - lead - 1, column: Number.MAX_SAFE_INTEGER - 1 };
  return { anchor: { messageId, line: 0, column: 0 }, head: last };
}

interface Character {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly end: number;
}

const wordCharacter = /^[\p{L}\p{N}\p{M}_\-./~%&#?=+@:]/u;
const sentenceEnd = /^[.:?]/;

/** The word or address at a cell, also where it goes on in the next row; null where there is none. */
export function wordAt(blocks: Blocks, spot: TextSpot): TextSelection | null {
  const at = placeOf(blocks, spot);
  if (at === null) return null;
  const characters = charactersOf(blocks, at.index);
  const isWord = (i: number): boolean => wordCharacter.test(characters[i]?.text ?? '');
  let first = characters.findIndex((one) => one.line === at.line && one.column <= at.column && at.column < one.end);
  if (first < 0 || !isWord(first)) return null;
  let last = first;
  while (isWord(first - 1)) first--;
  while (isWord(last + 1)) last++;
  while (last > first && sentenceEnd.test(characters[last]?.text ?? '')) last--;
  const [from, to] = [characters[first], characters[last]];
  if (from === undefined || to === undefined) return null;
  const { messageId } = spot;
  return {
    anchor: { messageId, line: from.line, column: from.column },
    head: { messageId, line: to.line, column: to.end - 1 },
  };
}

/** The characters of a message's text, with those at which its rows were broken. */
function charactersOf(blocks: Blocks, index: number): readonly Character[] {
  const { rows, lead } = blocks.blockOf(index);
  const characters: Character[] = [];
  for (const [i, row] of rows.entries()) {
    let column = 0;
    const line = i - lead;
    for (const { text, before, width } of row) {
      const end = column + width;
      if (before !== undefined) {
        if (before !== '') characters.push({ text: before, line, column, end: column });
        eachCluster(text, 0, (from, to, codePoint) => {
          const next = column + clusterWidth(text, from, to, codePoint);
          characters.push({ text: text.slice(from, to), line, column, end: next });
          column = next;
          return true;
        });
      }
      column = end;
    }
  }
  return characters;
}
