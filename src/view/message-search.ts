/** Draws the rows and texts of the message search (Ctrl-F): the hits, and how much was searched. */

import type { MessageSearchOverlay } from '../state/model/app-state.ts';
import {
  isFetching,
  isResultFor,
  namesNothing,
  namesPlaces,
  type ShownHit,
  searchProblem,
} from '../state/search/message-search.ts';
import { cutRow, joinRows, padRow, type Row, rowWidth, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { markWords } from '../text/search/find.ts';
import { dateLabel, listTime } from '../text/time.ts';
import { truncate, width } from '../text/unicode/width.ts';
import { type GlyphSet, userTextIn } from './glyph-set.ts';

/** The style of the words that were found, in every theme and without colours too. */
export const hitStyle = '1;4';
const timeColumns = 9;

interface HitFacts {
  readonly words: readonly string[];
  /** Whether all conversations are searched: the rows name the conversation then. */
  readonly isEverywhere: boolean;
  readonly now: number;
  readonly signs: GlyphSet;
}

/** Time, sender or conversation, and the piece of text with the words marked. */
export function hitRow(hit: ShownHit, columns: number, { words, isEverywhere, now, signs }: HitFacts): Row {
  const nameColumns = Math.max(6, Math.min(20, Math.floor(columns / 5)));
  const head = joinRows(
    cell(listTime(hit.at, now), timeColumns, signs),
    cell(isEverywhere ? hit.where : hit.author, nameColumns, signs),
    isEverywhere && hit.author !== hit.where
      ? [span(safe`${truncate(hit.author, nameColumns, signs.ellipsis)}: `)]
      : [],
  );
  const room = Math.max(0, columns - rowWidth(head));
  return padRow(joinRows(head, snippet(markWords(userTextIn(hit.line, signs), words, hitStyle), room, signs)), columns);
}

const cell = (text: SafeText, columns: number, { ellipsis }: GlyphSet): Row =>
  padRow([span(truncate(text, columns, ellipsis))], columns + 1);

/** Cuts the row so that the first marked word is in sight. */
function snippet(row: Row, room: number, signs: GlyphSet): Row {
  const ellipsis = span(signs.ellipsis);
  const whole = rowWidth(row);
  if (whole <= room) return row;
  const mark = row.findIndex(({ style }) => style === hitStyle);
  const before = rowWidth(row.slice(0, Math.max(0, mark)));
  const markEnd = before + (row[mark]?.width ?? 0);
  const from = markEnd < room ? 0 : Math.max(0, Math.min(before - Math.floor(room / 3), whole - room));
  const isShortened = from + room < whole;
  return joinRows(
    from === 0 ? [] : [ellipsis],
    cutRow(row, from === 0 ? 0 : from + ellipsis.width, from + room - (isShortened ? ellipsis.width : 0)),
    isShortened ? [ellipsis] : [],
  );
}

/**
 * Cuts the name of a conversation, and not how many messages were found.
 * @param name of the conversation that is searched; null: all of them
 */
export function messageSearchTitle(
  search: MessageSearchOverlay,
  name: SafeText | null,
  columns: number,
  { ellipsis }: Pick<GlyphSet, 'ellipsis'>,
): SafeText {
  const everywhere = namesPlaces(search) ? literal('Find where in: says') : literal('Find everywhere');
  const where = name === null ? everywhere : safe`Find in ${name}`;
  const count = countText(search);
  return safe`${truncate(where, columns - width(count), ellipsis)}${count}`;
}

function countText({ result }: MessageSearchOverlay): SafeText {
  if (result === null || result.count === 0) return literal('');
  const { count, hits } = result;
  return hits.length < count
    ? safe` · the newest ${hits.length} of ${grouped(count)} found`
    : safe` · ${grouped(count)} found`;
}

/** The text in the place of the rows where there are none. */
export function nothingFound(search: MessageSearchOverlay): SafeText {
  if (namesNothing(search)) return literal('Case and accents are ignored; a part of a word is enough.');
  const problem = searchProblem(search);
  if (problem !== null) return sanitizeLine(problem);
  if (!isResultFor(search.result, search) || !search.result.isDone) return literal('Searching …');
  return literal('Nothing found.');
}

/**
 * The last line: how much was searched; before anything is typed, what can be searched.
 *
 * @param help the key that fetches what is not kept here, with what it does; '' where none does
 */
export function coverageLine(search: MessageSearchOverlay, now: number, help: SafeText = literal('')): SafeText {
  const { result, fetched } = search;
  if (fetched !== undefined && isFetching(search)) {
    const at = fetched.oldest === null ? literal('') : safe`, now at ${dateLabel(fetched.oldest, now)}`;
    return safe`Fetching older messages${at} …`;
  }
  if (namesNothing(search)) return literal('Searches what is kept on this machine, also offline; not unsent messages.');
  if (searchProblem(search) !== null) return literal('Nothing was searched.');
  if (!isResultFor(result, search)) return literal('Searching …');
  const { messages, conversations, known, oldest, inPart } = result.coverage;
  if (!result.isDone) return safe`Searching … ${grouped(messages)} messages so far`;
  const what = messages === 1 ? literal('1 message') : safe`${grouped(messages)} messages`;
  const isEverywhere = result.conversationId === null;
  const part = inPart === 0 ? literal('') : safe` (${grouped(inPart)} of them only in part)`;
  const where = isEverywhere
    ? safe` in ${grouped(conversations)} of ${grouped(known)} conversations${part}`
    : literal('');
  const back = oldest === null ? literal('') : safe`, back to ${dateLabel(oldest, now)}`;
  return safe`Searched ${what}${where}${back}${isEverywhere ? literal('') : completeness(inPart === 0, help)}`;
}

function completeness(isWhole: boolean, help: SafeText): SafeText {
  if (isWhole) return literal(': all there are');
  return help === '' ? literal('; the rest is not kept here') : safe`; ${help}`;
}

/** Writes the number with its digits in groups: `12,431`. */
export const grouped = (count: number): SafeText => sanitizeLine(String(count).replace(/\B(?=(\d{3})+$)/g, ','));
