/** Divides the composer's text into stretches that are laid out separately, so that no row needs all of the text. */
import type { SafeText } from '../safe-text.ts';
import { codePointAt, isPlain } from '../unicode/clusters.ts';
import { snapToBoundary } from '../unicode/graphemes.ts';

/** A row of one line of the text; its offsets count from the start of that line. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: SafeText;
  readonly isSoft: boolean;
}

/** The rows of `text.slice(from, to)`; their offsets count from `from`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly Piece[];
}

export interface Stretches {
  /** The stretch that contains an offset. */
  at(offset: number): Stretch;
}

/** The usual length of a stretch. A longer line begins a new row there, at a space where one is near. */
export const stretchUnits = 1024;
const spaceReach = 256;

/**
 * The text is counted off in blocks of `stretchUnits`. A stretch begins after the last line feed of each block or, in
 * a block without one, inside a line. So the stretch of an offset depends only on the characters near it.
 */
export function createStretches(text: string, rowsOf: (line: string) => readonly Piece[]): Stretches {
  const starts = new Map<number, number>();
  const made = new Map<number, Stretch>();
  const start = (number: number): number => {
    const at = starts.get(number) ?? startOf(text, number);
    starts.set(number, at);
    return at;
  };
  const stretch = (number: number): Stretch => {
    const held = made.get(number);
    if (held !== undefined) return held;
    const from = start(number);
    const to = start(number + 1);
    const one = { from, to, rows: rowsBetween(text, from, to, rowsOf) };
    made.set(number, one);
    return one;
  };
  const last = Math.max(0, Math.ceil(text.length / stretchUnits) - 1);
  return {
    at(offset) {
      const at = Math.max(0, Math.min(offset, text.length));
      const number = Math.min(last, Math.floor(at / stretchUnits));
      const next = start(number + 1);
      return stretch(next <= at && next < text.length ? number + 1 : number);
    },
  };
}

function startOf(text: string, number: number): number {
  const limit = number * stretchUnits;
  if (limit === 0 || limit >= text.length) return Math.min(limit, text.length);
  const feed = text.slice(limit - stretchUnits, limit).lastIndexOf('\n');
  if (feed >= 0) return limit - stretchUnits + feed + 1;
  const space = text.slice(limit - spaceReach, limit).lastIndexOf(' ');
  const afterSpace = limit - spaceReach + space + 1;
  return space >= 0 && isPlain(codePointAt(text, afterSpace)) ? afterSpace : snapToBoundary(text, limit);
}

function rowsBetween(
  text: string,
  from: number,
  to: number,
  rowsOf: (line: string) => readonly Piece[],
): readonly Piece[] {
  const isLast = to >= text.length;
  const endsLine = !isLast && text.charCodeAt(to - 1) === 0x0a;
  const whole = text.slice(from, endsLine ? to - 1 : to);
  const rows: Piece[] = [];
  let at = 0;
  for (;;) {
    const feed = whole.indexOf('\n', at);
    const pieces = rowsOf(whole.slice(at, feed < 0 ? whole.length : feed));
    if (at === 0 && feed < 0) rows.push(...pieces);
    else for (const piece of pieces) rows.push({ ...piece, start: at + piece.start, end: at + piece.end });
    if (feed < 0) break;
    at = feed + 1;
  }
  return isLast || endsLine ? rows : goingOn(rows, at);
}

/** For a line that goes on in the next stretch: its last row is wrapped, and an empty one is left to that stretch. */
function goingOn(rows: Piece[], lineStart: number): readonly Piece[] {
  const last = rows.at(-1);
  if (last === undefined) return rows;
  if (last.start === last.end && last.start > lineStart) rows.pop();
  else rows[rows.length - 1] = { ...last, isSoft: true };
  return rows;
}
