/**
 * Finds the visible rows of a thread from its scroll position, and the position after the user has scrolled. The work
 * grows with the screen, not with the thread.
 */
import type { ScrollPlace } from '../state/model/app-state.ts';
import type { Row } from '../text/layout/row.ts';

export type MessagePlace = Extract<ScrollPlace, { at: 'message' }>;

/** The rows of one item of a thread. The first `lead` ones (day line, author) depend on the item before it. */
export interface MessageBlock {
  readonly rows: readonly Row[];
  readonly lead: number;
}

/** The items of a thread, oldest first, and how to get the rows of one. */
export interface Blocks<Item extends { readonly id: string } = { readonly id: string }> {
  readonly items: readonly Item[];
  readonly blockOf: (index: number) => MessageBlock;
  /** The rows with spoilers uncovered, as while the item is selected; they are broken at the same places. */
  readonly uncovered?: (index: number) => MessageBlock;
}

/** A row of the thread: `skip` rows of the item's block are above it. */
interface Start {
  readonly index: number;
  readonly skip: number;
}

const heightOf = (blocks: Blocks, index: number): number => blocks.blockOf(index).rows.length;

/** A row of the pane and what it belongs to. */
export interface SeenRow {
  readonly row: Row;
  /** The item, by its position in the thread. */
  readonly index: number;
  /** The number of the row in the item's block; negative in its lead. */
  readonly line: number;
}

/** Returns at most `height` rows from the place on. */
export function visibleThread(blocks: Blocks, place: ScrollPlace, height: number): readonly SeenRow[] {
  const start = startOf(blocks, place, height);
  const seen: SeenRow[] = [];
  let { skip } = start;
  for (let index = start.index; index < blocks.items.length && seen.length < height; index++) {
    const { rows, lead } = blocks.blockOf(index);
    const shown = rows.slice(skip, skip + height - seen.length);
    for (const [i, row] of shown.entries()) seen.push({ row, index, line: skip + i - lead });
    skip = 0;
  }
  return seen;
}

/** The items of which at least one row is shown. */
export function visibleItems<Item extends { readonly id: string }>(
  blocks: Blocks<Item>,
  place: ScrollPlace,
  height: number,
): readonly Item[] {
  const { index, skip } = startOf(blocks, place, height);
  let end = index;
  for (let left = height + skip; end < blocks.items.length && left > 0; end++) left -= heightOf(blocks, end);
  return blocks.items.slice(index, end);
}

/** The row at the top of the pane. A place whose item is gone, or that would leave rows empty, is the bottom. */
function startOf(blocks: Blocks, place: ScrollPlace, height: number): Start {
  const bottom = bottomStart(blocks, height);
  if (place.at === 'bottom') return bottom;
  const index = blocks.items.findIndex((item) => item.id === place.messageId);
  if (index < 0) return bottom;
  const { rows, lead } = blocks.blockOf(index);
  const start = { index, skip: clamp(lead + place.line, 0, Math.max(0, rows.length - 1)) };
  return isBefore(bottom, start) ? bottom : start;
}

const bottomStart = (blocks: Blocks, height: number): Start =>
  back(blocks, { index: blocks.items.length, skip: 0 }, height);

const isBefore = (a: Start, b: Start): boolean => a.index < b.index || (a.index === b.index && a.skip < b.skip);
const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** Returns the row `count` rows above `from`; the first row of the thread when there are not as many. */
function back(blocks: Blocks, from: Start, count: number): Start {
  let { index } = from;
  let left = count - from.skip;
  if (left <= 0) return { index, skip: -left };
  while (left > 0 && index > 0) {
    index--;
    left -= heightOf(blocks, index);
  }
  return { index, skip: Math.max(0, -left) };
}

function forward(blocks: Blocks, from: Start, count: number): Start {
  let { index } = from;
  let skip = from.skip + count;
  for (; index < blocks.items.length; index++) {
    const height = heightOf(blocks, index);
    if (skip < height) return { index, skip };
    skip -= height;
  }
  return { index, skip: 0 };
}

/** The place so many rows further down, negative: further up; the first row where there are not as many above it. */
export function movedBy(blocks: Blocks, place: MessagePlace, rows: number): MessagePlace {
  const index = blocks.items.findIndex((item) => item.id === place.messageId);
  if (index < 0) return place;
  const from = { index, skip: Math.max(0, blocks.blockOf(index).lead + place.line) };
  const to = rows < 0 ? back(blocks, from, -rows) : forward(blocks, from, rows);
  const item = blocks.items[to.index];
  if (item === undefined) return place;
  return { at: 'message', messageId: item.id, line: to.skip - blocks.blockOf(to.index).lead };
}

/**
 * Moves by rows, negative towards older. Reaching the end sticks to it unless `sticks` is false, as when newer rows are
 * still on disk and the end of the window is not the end of the conversation.
 */
export function scrollBy({ blocks, place, height, sticks }: ShownThread, rows: number): ScrollPlace {
  const from = startOf(blocks, place, height);
  const to = rows < 0 ? back(blocks, from, -rows) : forward(blocks, from, rows);
  return placeAt(blocks, to, height, sticks);
}

/** One row stays visible when a page is turned. */
const pageRows = (height: number): number => Math.max(1, height - 1);

function placeAt(blocks: Blocks, start: Start, height: number, sticks: boolean): ScrollPlace {
  const bottom = bottomStart(blocks, height);
  const atEnd = !isBefore(start, bottom);
  if (atEnd && sticks) return { at: 'bottom' };
  const { index, skip } = atEnd ? bottom : start;
  const item = blocks.items[index];
  if (item === undefined) return { at: 'bottom' };
  return { at: 'message', messageId: item.id, line: skip - blocks.blockOf(index).lead };
}

export const topPlace = (blocks: Blocks, height: number, sticks: boolean): ScrollPlace =>
  placeAt(blocks, { index: 0, skip: 0 }, height, sticks);

/** How many rows above the first unread message are shown with it, where there is room. */
const rowsBefore = 3;

/** The end, when everything from an item on fits there; else the place with that item near the top of the pane. */
export function placeFrom(blocks: Blocks, index: number, height: number, sticks: boolean): ScrollPlace {
  const first: Start = { index, skip: 0 };
  if (sticks && !isBefore(first, bottomStart(blocks, height))) return { at: 'bottom' };
  const before = Math.min(rowsBefore, Math.floor(height / 4));
  return placeAt(blocks, back(blocks, first, before), height, sticks);
}

/** Scrolls only as far as needed to show the whole item, or its beginning when it is taller than the pane. */
export function reveal({ blocks, place, height, sticks }: ShownThread, id: string): ScrollPlace {
  const index = blocks.items.findIndex((item) => item.id === id);
  if (index < 0) return place;
  const start = startOf(blocks, place, height);
  const first = { index, skip: 0 };
  if (isBefore(first, start)) return placeAt(blocks, first, height, sticks);
  const lowest = back(blocks, { index: index + 1, skip: 0 }, height);
  if (!isBefore(start, lowest)) return place;
  return placeAt(blocks, isBefore(first, lowest) ? first : lowest, height, sticks);
}

/** Rows beyond the pane in each direction, counted no further than `limit`. */
export function rowsBeyond(blocks: Blocks, place: ScrollPlace, height: number, limit: number): Beyond {
  const start = startOf(blocks, place, height);
  let above = start.skip;
  for (let index = start.index - 1; index >= 0 && above < limit; index--) above += heightOf(blocks, index);
  let below = -start.skip - height;
  for (let index = start.index; index < blocks.items.length && below < limit; index++) below += heightOf(blocks, index);
  return { above: Math.min(above, limit), below: clamp(below, 0, limit) };
}

interface Beyond {
  readonly above: number;
  readonly below: number;
}

/** The items of a thread in a pane, and where it is read. */
export interface ShownThread {
  readonly blocks: Blocks;
  /** The line is counted in the rows as they are now. */
  readonly place: ScrollPlace;
  /** The rows of the pane. */
  readonly height: number;
  /** Whether a thread at its end stays there when messages come: the last loaded item is the conversation's newest. */
  readonly sticks: boolean;
}

/**
 * `hold`: the row at the top of the pane stays there when rows are added below it. `release`: at the newest row, new
 * ones come into sight again.
 */
export type ScrollAmount =
  | { readonly rows: number }
  | { readonly pages: number }
  | 'top'
  | 'bottom'
  | 'hold'
  | 'release';

export function scrolledPlace(shown: ShownThread, amount: Exclude<ScrollAmount, 'bottom'>): ScrollPlace {
  const { blocks, place, height, sticks } = shown;
  if (amount === 'top') return topPlace(blocks, height, sticks);
  if (amount === 'hold') return scrollBy({ ...shown, sticks: false }, 0);
  if (amount === 'release') return scrollBy(shown, 0);
  const rows = 'rows' in amount ? amount.rows : amount.pages * pageRows(height);
  return rows === 0 ? place : scrollBy(shown, rows);
}
