/** Computes where vim's motions lead from a place in a text. */
import { layoutEditable } from '../../../text/layout/wrap.ts';
import { nextBoundary, previousBoundary } from '../../../text/unicode/graphemes.ts';
import type { VimCommand, VimFind } from '../../model/vim.ts';
import { clustersOn, firstNonBlank, lastInLine, lineAt, lineBelow, lineEnd, lineStart, onCluster } from './lines.ts';
import { type WordKind, wordBack, wordEnd, wordEndBack, wordForward } from './words.ts';

export interface MotionStart {
  readonly text: string;
  readonly cursor: number;
  /** The column that up and down try to keep. */
  readonly goalColumn: number | null;
  /** How wide the rows of the composer are. */
  readonly columns: number;
  readonly find: VimFind | null;
  /** In the visual modes the cursor may go onto the line break. */
  readonly isVisual: boolean;
}

export interface MotionEnd {
  /** The offset in the text. */
  readonly to: number;
  /** An operator takes the cluster at the far end too. */
  readonly isInclusive?: true;
  /** An operator takes whole lines. */
  readonly isLinewise?: true;
  readonly goalColumn?: number;
}

/** Beyond every column: `$` keeps the cursor at the ends of lines. */
const lastColumn = 1_000_000;

type Motion = (place: MotionStart, command: VimCommand, count: number) => MotionEnd | null;

/** Where the motion of the command leads; null where it leads nowhere, so that its operator does nothing. */
export function endOfMotion(place: MotionStart, command: VimCommand): MotionEnd | null {
  return motions[command.action]?.(place, command, command.count ?? 1) ?? null;
}

/** The last place in the line of an offset to which the cursor can go. */
const lastPlace = ({ text, isVisual }: MotionStart, offset: number): number =>
  isVisual ? lineEnd(text, offset) : lastInLine(text, offset);

function sideways(direction: -1 | 1): Motion {
  return (place, { operator }, count) => {
    const { text, cursor } = place;
    if (direction > 0) {
      const end = operator === null ? lastPlace(place, cursor) : lineEnd(text, cursor);
      const to = clustersOn(text, cursor, count, end);
      return to > cursor ? { to } : null;
    }
    const start = lineStart(text, cursor);
    let to = cursor;
    for (let left = count; left > 0 && to > start; left--) to = previousBoundary(text, to);
    return to < cursor ? { to } : null;
  };
}

/** Moves by rows as they are drawn; with an operator by lines. */
function vertical(direction: -1 | 1): Motion {
  return (place, { operator }, count) => {
    if (operator === null) return rowMove(place, direction, count);
    const moved = rowMove({ ...place, columns: lastColumn }, direction, count);
    return moved === null ? null : { ...moved, isLinewise: true };
  };
}

function rowMove(
  { text, cursor, goalColumn, columns, isVisual }: MotionStart,
  direction: -1 | 1,
  count: number,
): MotionEnd | null {
  const layout = layoutEditable(text, columns);
  const from = layout.rowAt(cursor);
  const goal = goalColumn ?? layout.columnOf(from, cursor);
  let row = from;
  for (let left = count; left > 0; left--) {
    const next = direction < 0 ? layout.rowBefore(row) : layout.rowAfter(row);
    if (next === null) break;
    row = next;
  }
  const to = layout.offsetIn(row, goal);
  return row.start === from.start ? null : { to: isVisual ? to : onCluster(text, to), goalColumn: goal };
}

const times = (count: number, from: number, step: (at: number) => number): number => {
  let at = from;
  for (let left = count; left > 0; left--) {
    const next = step(at);
    if (next === at) break;
    at = next;
  }
  return at;
};

function forward(kind: WordKind): Motion {
  return ({ text, cursor, isVisual }, { operator }, count) => {
    if (cursor >= text.length) return null;
    if (operator === 'c' && !/\s/.test(text.charAt(cursor))) {
      const first = wordEnd(text, cursor, kind, true);
      return { to: times(count - 1, first, (at) => wordEnd(text, at, kind)), isInclusive: true };
    }
    const last = times(count - 1, cursor, (at) => wordForward(text, at, kind));
    const to = wordForward(text, last, kind);
    if (operator === null) return { to: isVisual ? to : onCluster(text, to) };
    // An operator does not join the next line to the last word of this one, but takes an empty line as a whole.
    const end = lineEnd(text, last);
    return { to: Math.min(to, lineStart(text, last) === end ? end + 1 : Math.max(last, end)) };
  };
}

const back =
  (kind: WordKind): Motion =>
  ({ text, cursor }, _, count) => {
    const to = times(count, cursor, (at) => wordBack(text, at, kind));
    return to < cursor ? { to } : null;
  };

const end =
  (kind: WordKind): Motion =>
  ({ text, cursor }, _, count) => ({ to: times(count, cursor, (at) => wordEnd(text, at, kind)), isInclusive: true });

const endBack =
  (kind: WordKind): Motion =>
  ({ text, cursor }, _, count) => {
    const to = times(count, cursor, (at) => wordEndBack(text, at, kind));
    return to < cursor ? { to, isInclusive: true } : null;
  };

const toLineEnd: Motion = (place, { operator }, count) => {
  const { text, cursor } = place;
  const line = lineBelow(text, cursor, count - 1);
  if (line === null) return null;
  const to = operator === null ? lastPlace(place, line) : lineEnd(text, line);
  return { to, isInclusive: true, goalColumn: lastColumn };
};

const toLine =
  (otherwise: 'first' | 'last'): Motion =>
  ({ text }, { count }) => {
    const line =
      count === null ? (otherwise === 'first' ? 0 : lineStart(text, text.length)) : lineAt(text, 0, count - 1);
    return { to: firstNonBlank(text, line), isLinewise: true };
  };

/** @param again `;` after `t` searches beyond the place where `t` has stopped */
function find(
  { action, char }: VimFind,
  { text, cursor }: MotionStart,
  count: number,
  again = false,
): MotionEnd | null {
  const isForward = action === 'f' || action === 't';
  const isBefore = action === 't' || action === 'T';
  const step = isForward ? nextBoundary : previousBoundary;
  const first = lineStart(text, cursor);
  const last = lineEnd(text, cursor);
  let at = again && isBefore ? step(text, cursor) : cursor;
  for (let left = count; left > 0; left--) {
    do {
      const next = step(text, at);
      if (next === at || next < first || next >= last) return null;
      at = next;
    } while (!text.startsWith(char, at));
  }
  const to = isBefore ? (isForward ? previousBoundary(text, at) : nextBoundary(text, at)) : at;
  return isForward ? { to, isInclusive: true } : { to };
}

const findNew: Motion = (place, { action, char }, count) => find({ action, char }, place, count);

const other: Readonly<Record<string, string>> = { f: 'F', F: 'f', t: 'T', T: 't' };

const findAgain =
  (isReversed: boolean): Motion =>
  (place, _, count) => {
    const held = place.find;
    if (held === null) return null;
    return find(isReversed ? { ...held, action: other[held.action] ?? '' } : held, place, count, true);
  };

/** To the empty line before or after the paragraph, or to the first or last character of the text. */
function paragraph(direction: -1 | 1): Motion {
  return ({ text, cursor }, _, count) => {
    const isEmpty = (at: number): boolean => lineEnd(text, at) === at;
    let line = lineStart(text, cursor);
    for (let left = count; left > 0; left--) {
      let isInside = !isEmpty(line);
      for (let isFirst = true; isFirst || !isInside || !isEmpty(line); isFirst = false) {
        const next = lineAt(text, line, direction);
        if (next !== line) isInside ||= !isEmpty(next);
        else if (left > 1) return null;
        else return direction > 0 && !isEmpty(line) ? { to: lastInLine(text, line), isInclusive: true } : { to: line };
        line = next;
      }
    }
    return { to: line };
  };
}

/** To the bracket that belongs to the next one in the line; with a count, to the line at so many percent of the text. */
const matching: Motion = ({ text, cursor }, { count }) => {
  if (count !== null) return percent(text, count);
  const found = /[()[\]{}]/.exec(text.slice(cursor, lineEnd(text, cursor)));
  if (found === null) return null;
  const pair = ['()', '[]', '{}'].find((one) => one.includes(found[0])) ?? '';
  const to = bracketFor(text, cursor + found.index, pair);
  return to < 0 ? null : { to, isInclusive: true };
};

/** The bracket that belongs to the one at an offset; -1 for none. Those that are quoted, and it is not, do not count. */
function bracketFor(text: string, offset: number, pair: string): number {
  const isOpen = text.charAt(offset) === pair.charAt(0);
  const by = isOpen ? 1 : -1;
  let isPaired = hasQuotesInPairs(text, offset);
  let isQuoted = false;
  let depth = 0;
  for (let at = offset + by; at >= 0 && at < text.length; at += by) {
    const character = text.charAt(at);
    if (character === '\n') {
      isPaired = hasQuotesInPairs(text, isOpen ? at + 1 : at);
      isQuoted = false;
    } else if (character === '"' && isPaired) isQuoted = !isQuoted;
    else if (!isQuoted && pair.includes(character)) {
      const isSame = character === text.charAt(offset);
      if (!isSame && depth === 0) return at;
      depth += isSame ? 1 : -1;
    }
  }
  return -1;
}

/** Whether the line of an offset has an even number of quotes, so that it is known what is between them. */
const hasQuotesInPairs = (text: string, offset: number): boolean =>
  text.slice(lineStart(text, offset), lineEnd(text, offset)).split('"').length % 2 === 1;

function percent(text: string, count: number): MotionEnd | null {
  if (count > 100) return null;
  const lines = text.split('\n').length;
  return { to: firstNonBlank(text, lineAt(text, 0, Math.ceil((count * lines) / 100) - 1)), isLinewise: true };
}

const motions: Readonly<Record<string, Motion>> = {
  h: sideways(-1),
  l: sideways(1),
  j: vertical(1),
  k: vertical(-1),
  gj: (place, _, count) => rowMove(place, 1, count),
  gk: (place, _, count) => rowMove(place, -1, count),
  w: forward('word'),
  W: forward('WORD'),
  b: back('word'),
  B: back('WORD'),
  e: end('word'),
  E: end('WORD'),
  ge: endBack('word'),
  gE: endBack('WORD'),
  '{': paragraph(-1),
  '}': paragraph(1),
  '%': matching,
  '0': ({ text, cursor }) => ({ to: lineStart(text, cursor) }),
  '^': ({ text, cursor }) => ({ to: firstNonBlank(text, cursor) }),
  $: toLineEnd,
  g_: ({ text, cursor }, _, count) => {
    const line = lineBelow(text, cursor, count - 1);
    return line === null ? null : { to: lastNonBlank(text, line), isInclusive: true };
  },
  gg: toLine('first'),
  G: toLine('last'),
  f: findNew,
  F: findNew,
  t: findNew,
  T: findNew,
  ';': findAgain(false),
  ',': findAgain(true),
  lines: ({ text, cursor }, { operator }, count) => {
    const line = lineBelow(text, cursor, count - 1);
    if (line === null) return null;
    return { to: operator === 'y' ? Math.max(cursor, line) : firstNonBlank(text, line), isLinewise: true };
  },
  // What `.` repeats of a command on a selection: as many lines, or clusters over the ends of lines, as there are.
  'span-lines': ({ text, cursor }, _, count) => ({ to: lineAt(text, cursor, count - 1), isLinewise: true }),
  span: ({ text, cursor }, _, count) => ({ to: clustersOn(text, cursor, count, text.length) }),
};

function lastNonBlank(text: string, offset: number): number {
  const start = lineStart(text, offset);
  const line = text.slice(start, lineEnd(text, offset)).trimEnd();
  return line === '' ? start : previousBoundary(text, start + line.length);
}
