/**
 * Keeps what the user reads in its place: the row at the top of the pane when its message is laid out again (in another
 * width, formatted instead of as it was typed, edited, with a picture), and the next message when that one is removed.
 */
import type { ConversationId } from '../protocol/types.ts';
import type { ScrollPlace } from '../state/model/app-state.ts';
import { type ThreadItem, textOf } from '../state/select/thread-items.ts';
import type { Row } from '../text/layout/row.ts';
import { mayHaveMarkup } from '../text/markdown/blocks.ts';
import type { Markdown } from './markdown.ts';
import { type Blocks, type MessageBlock, type MessagePlace, movedBy } from './thread-scroll.ts';

interface Held {
  /** The rows in which the user last scrolled to the place, and its line in them. */
  readonly origin: { readonly block: MessageBlock; readonly line: number };
  /** The rows for which the place was last computed, and its line in them. */
  now: { readonly block: MessageBlock; readonly line: number };
  /** The rows above the messages when the user scrolled to the place. */
  readonly headRows: number;
}

/** Places outlive the panes, which are made anew with another theme. */
const held = new WeakMap<MessagePlace, Held>();

/** The place with the row at the top that was there before its message was laid out again. */
export function keptPlace(
  stored: ScrollPlace,
  blocks: Blocks<ThreadItem>,
  { hasParser }: Markdown,
  headRows: number,
): ScrollPlace {
  if (stored.at === 'bottom') return stored;
  const index = blocks.items.findIndex(({ id }) => id === stored.messageId);
  const item = blocks.items[index];
  if (item === undefined) return stored;
  const block = blocks.blockOf(index);
  const known = held.get(stored);
  if (known === undefined) {
    // A place from the last run counts the rows of the formatted message, which come once the parser is loaded.
    if (hasParser || !mayHaveMarkup(textOf(item))) rememberRows(stored, block, headRows);
    return stored;
  }
  if (known.now.block !== block) known.now = { block, line: lineIn(known.origin.block, block, known.origin.line) };
  return known.now.line === stored.line ? stored : { ...stored, line: known.now.line };
}

/**
 * What is drawn at the top for a kept place. The head covers rows when it grows, as by a report of a failure, and shows them
 * again when it shrinks: the rows below it stay where they are on the screen.
 */
export function placeUnderHead(
  stored: ScrollPlace,
  counted: ScrollPlace,
  blocks: Blocks,
  headRows: number,
): ScrollPlace {
  const known = stored.at === 'bottom' ? undefined : held.get(stored);
  if (counted.at === 'bottom' || known === undefined || known.headRows === headRows) return counted;
  return movedBy(blocks, counted, headRows - known.headRows);
}

interface Shown {
  readonly blocks: Blocks;
  readonly stored: ScrollPlace;
  /** `stored` in the rows as they are now. */
  readonly counted: ScrollPlace;
  /** `counted`, below the head as it is now. */
  readonly place: ScrollPlace;
  readonly headRows: number;
}

/** The place to store for `next`, a place in the rows that are shown; the stored one where it is the same. */
export function rememberedPlace({ blocks, stored, place, headRows }: Shown, next: ScrollPlace): ScrollPlace {
  if (next.at === 'bottom') return next;
  const { messageId, line } = next;
  if (place.at === 'message' && place.messageId === messageId && place.line === line && isOf(stored, messageId))
    return stored;
  rememberRows(next, blocks.blockOf(blocks.items.findIndex(({ id }) => id === messageId)), headRows);
  return next;
}

/** The place to store: counted in the rows that are shown, where the stored one counts other rows. */
export function recountedPlace({ stored, counted }: Pick<Shown, 'stored' | 'counted'>): ScrollPlace {
  if (stored.at === 'bottom' || counted.at === 'bottom' || stored.line === counted.line) return stored;
  const known = held.get(stored);
  // `origin` stays, so that the place is at exactly the same row when the old width is back.
  if (known !== undefined) held.set(counted, known);
  return counted;
}

const isOf = (place: ScrollPlace, messageId: string): boolean =>
  place.at === 'message' && place.messageId === messageId;

const rememberRows = (place: MessagePlace, block: MessageBlock, headRows: number): void =>
  void held.set(place, { origin: { block, line: place.line }, now: { block, line: place.line }, headRows });

/** The row that shows what the row at `line` showed before. */
function lineIn(before: MessageBlock, after: MessageBlock, line: number): number {
  const top = before.rows[before.lead + line];
  if (line < 0 || top === undefined || before.rows === after.rows) return line;
  const letters = lettersIn(top);
  if (letters === '') return lineOfSign(before, after, line, top);
  const from = lettersOf(before);
  const to = lettersOf(after);
  const offset = from.starts[line] ?? 0;
  const at = from.letters === to.letters ? offset : nearest(to.letters, from.letters.slice(offset), offset);
  return at === null ? line : to.starts.findLastIndex((start, i) => start <= at && at < (to.starts[i + 1] ?? Infinity));
}

/** A row without letters (a picture, a reaction, an empty line) keeps its distance from the words above it. */
function lineOfSign(before: MessageBlock, after: MessageBlock, line: number, top: Row): number {
  const from = lettersOf(before);
  const to = lettersOf(after);
  const words = before.rows.slice(before.lead, before.lead + line).findLastIndex((row) => lettersIn(row) !== '');
  if (from.letters !== to.letters) return words < 0 ? line : lineIn(before, after, words) + line - words;
  const offset = from.starts[line] ?? 0;
  const fromEnd = line + to.starts.length - from.starts.length;
  const same = [line, fromEnd].find((at) => to.starts[at] === offset && isSameRow(top, after.rows[after.lead + at]));
  if (same !== undefined) return same;
  const first = to.starts.findIndex((start) => start >= offset);
  const last = to.starts.length - 1;
  return first < 0 ? last : Math.min(first + line - words - 1, last);
}

const isSameRow = (a: Row, b: Row | undefined): boolean =>
  a.length === b?.length && a.every(({ text, style }, i) => text === b[i]?.text && style === b[i]?.style);

/**
 * The pieces of the text that are searched for, in letters from the beginning of the row on: a long one, which occurs once,
 * then short ones, one of which begins after a word that was edited or after the address of a link.
 */
const pieces: readonly (readonly [from: number, to: number])[] = [
  [0, 40],
  [0, 12],
  [12, 24],
  [24, 36],
  [48, 60],
  [96, 108],
];

/** Where `wanted` begins, as near to the offset as can be; null where no piece of it occurs. */
function nearest(text: string, wanted: string, offset: number): number | null {
  for (const [from, to] of pieces) {
    const sought = wanted.slice(from, to);
    if (sought === '') return null;
    const back = text.lastIndexOf(sought, offset + from);
    const on = text.indexOf(sought, offset + from);
    if (back < 0 && on < 0) continue;
    const at = back < 0 || (on >= 0 && on - offset - from < offset + from - back) ? on : back;
    return Math.max(0, at - from);
  }
  return null;
}

interface TextOfRows {
  readonly letters: string;
  /** The number of letters above each row after the lead. */
  readonly starts: readonly number[];
}

const texts = new WeakMap<MessageBlock, TextOfRows>();

function lettersOf(block: MessageBlock): TextOfRows {
  const known = texts.get(block);
  if (known !== undefined) return known;
  let letters = '';
  const starts = block.rows.slice(block.lead).map((row) => {
    const start = letters.length;
    letters += lettersIn(row);
    return start;
  });
  const made = { letters, starts };
  texts.set(block, made);
  return made;
}

/** Letters and digits of what somebody has written; markup is made of other characters. */
const lettersIn = (row: Row): string =>
  row
    .filter(({ before }) => before !== undefined)
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

type Items = readonly { readonly id: string }[];

interface LastSeen {
  readonly conversationId: ConversationId;
  readonly messageId: string;
  readonly items: Items;
}

/**
 * Keeps the scroll position when its message is removed, by moving it to the next message that is still there. Remembers
 * the list in which the anchor was last seen.
 */
export function createAnchorKeeper(): (id: ConversationId, items: Items, place: ScrollPlace) => ScrollPlace {
  let held: LastSeen | null = null;
  return (conversationId, items, place) => {
    if (place.at === 'bottom') return place;
    const { messageId } = place;
    if (items.some((item) => item.id === messageId)) {
      if (held?.items !== items || held.messageId !== messageId) held = { conversationId, messageId, items };
      return place;
    }
    if (held === null || held.conversationId !== conversationId || held.messageId !== messageId) return place;
    return successor(held, items) ?? { at: 'bottom' };
  };
}

function successor({ items: before, messageId }: LastSeen, items: Items): ScrollPlace | null {
  const present = new Set(items.map((item) => item.id));
  const at = before.findIndex((item) => item.id === messageId);
  const next = before.slice(at + 1).find((item) => present.has(item.id));
  return next === undefined ? null : { at: 'message', messageId: next.id, line: 0 };
}
