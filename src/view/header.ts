/**
 * Draws the first line of the screen: account, time of the server's last answer, unread messages, unsent messages. On a
 * screen that is too small it draws a note in the place of everything.
 */

import { memoBy, memoLast } from '../state/collections/memo.ts';
import type { AppState, Connection, OtherSender } from '../state/model/app-state.ts';
import { smallest } from '../state/select/pane-columns.ts';
import { countOps, type OutboxCounts, selectUnreadTotal } from '../state/select/selectors.ts';
import { blank, oneBlank, type Row, rowWidth, type Span, span, type Target } from '../text/layout/row.ts';
import { sanitizeLine, sanitizeName } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { clockTime, clockTimeSeconds } from '../text/time.ts';
import { truncate, width } from '../text/unicode/width.ts';
import { ends, fitRow, type Look } from './frame.ts';
import type { Layout } from './layout.ts';
import { remedyOf } from './remedy.ts';

/** While online, the time shows minutes only, so that a poll without news paints nothing. */
export function createHeader(look: Look): (state: AppState, layout: Layout) => readonly Row[] {
  const count = memoLast(countOps);
  const rows = memoBy(
    ({ facts, columns }: { readonly facts: Facts; readonly columns: number }) => [columns, ...Object.values(facts)],
    ({ facts, columns }) => [headerRow(facts, columns, look)],
  );
  const note = memoLast((layout: Layout) => tooSmallRows(layout, look));
  return (state, layout) => {
    if (layout.kind === 'too-small') return note(layout);
    return rows({ facts: factsOf(state, count(state.local.outbox)), columns: layout.size.columns });
  };
}

/** What the header says. Its rows are the same array while each of these values is the same. */
interface Facts extends OutboxCounts {
  readonly connection: Connection;
  readonly label: string;
  readonly isUnencrypted: boolean;
  readonly isVolatile: boolean;
  readonly isArchive: boolean;
  readonly otherSender: OtherSender | null;
  /** The unread messages of all conversations that are neither muted nor archived. */
  readonly unread: number;
  /** Whether times have seconds: not with reduced motion. */
  readonly showsSeconds: boolean;
}

function factsOf(state: AppState, { queued, unsure, failed }: OutboxCounts): Facts {
  const { view, settings } = state;
  return {
    connection: view.connection,
    label: view.serverLabel,
    isUnencrypted: view.isUnencrypted ?? false,
    isVolatile: view.isVolatile ?? false,
    isArchive: view.isArchive ?? false,
    otherSender: view.otherSender ?? null,
    queued,
    unsure,
    failed,
    unread: selectUnreadTotal(state),
    showsSeconds: !settings.reducedMotion,
  };
}

function headerRow(facts: Facts, columns: number, look: Look): Row {
  const { connection, label, isUnencrypted, isVolatile, isArchive, otherSender, unread } = facts;
  const { theme, signs } = look;
  const gap = span(safe` ${signs.dot} `, theme.muted);
  const warning = isUnencrypted ? [span(literal('not encrypted'), theme.error)] : [];
  if (isVolatile) warning.push(span(literal('nothing kept'), theme.warning));
  if (otherSender?.isStopped === true) warning.push(span(senderWords(otherSender), theme.warning));
  const { status: drawnStatus, details: ofStatus } = freshness(
    connection,
    look,
    facts.showsSeconds ? clockTimeSeconds : clockTime,
  );
  const status = isArchive
    ? span(literal('archive'), theme.info)
    : ({ ...drawnStatus, target: { kind: 'command', id: remedyOf(connection).id } } as const);
  const other = otherSender === null || otherSender.isStopped ? [] : [senderWords(otherSender)];
  const details = [...ofStatus, ...other.map((text) => ({ text, least: width(text) }))];
  const joined = (facts: Row): Row => facts.flatMap((fact, i) => (i === 0 ? [fact] : [gap, fact]));
  const always = (isTight: boolean, isShort: boolean): Row => [
    ...unreadSpans(unread, look, isShort),
    ...warning,
    status,
    ...unsentSpans(facts, look, isTight),
  ];
  const isTight = rowWidth(joined(always(false, details.length > 0))) > columns - 2;
  const waits = unsentSpans(facts, look, isTight);
  const room = columns - nameColumns - 1;
  const isShort = (): boolean => {
    const whole = [...always(isTight, false), ...details.map(({ text }) => span(text))];
    return rowWidth(joined(whole)) > (details.length > 0 ? room : columns - programColumns);
  };
  let parts = always(isTight, isTight || isShort());
  // Details are left out where they do not fit; the counts of unsent messages always stay.
  for (const { text, least } of details) {
    const left = room - rowWidth(joined(parts)) - gap.width;
    if (left < Math.min(least, width(text))) continue;
    const shown = span(truncate(text, left, signs.ellipsis), status.style);
    parts = [...parts.slice(0, parts.length - waits.length), shown, ...waits];
  }
  const name = span(literal(' msg-tui  '), theme.strong);
  const tail = [blank(2), ...joined(parts), oneBlank];
  // The name of the program is not cut: where it does not fit, the counts have its room.
  if (rowWidth(joined(parts)) > columns - programColumns) return ends([], tail, columns);
  const labelRoom = Math.max(0, Math.min(32, columns - rowWidth(tail) - name.width));
  return ends([name, span(truncate(sanitizeName(label), labelRoom, signs.ellipsis), theme.plain)], tail, columns);
}

/** The columns of the name of the program, and of the blanks around what stands after it. */
const programColumns = 11;

/** Columns kept for the name of the program and the beginning of the account's name. */
const nameColumns = 20;

interface Freshness {
  readonly status: Span;
  /** The most useful detail comes first; one that would be cut below `least` columns is left out. */
  readonly details: readonly { readonly text: SafeText; readonly least: number }[];
}

function freshness(connection: Connection, { theme, signs }: Look, clock: typeof clockTime): Freshness {
  const { status, asOf, since, until, nextPollAt, reason, fault = null } = connection;
  const why = reason === null ? [] : [{ text: sanitizeLine(reason), least: 16 }];
  switch (status) {
    case 'starting':
      return { status: span(safe`connecting${signs.ellipsis}`, theme.muted), details: [] };
    case 'online':
      return {
        status: span(asOf === null ? literal('online') : safe`as of ${clockTime(asOf)}`, theme.muted),
        details: [],
      };
    case 'offline':
      return {
        status: span(safe`${offlineWords(fault)}${at(literal('since'), since, clock)}`, theme.warning),
        details: [nextTry(nextPollAt, clock), ...why],
      };
    case 'rate-limited':
      return {
        status: span(safe`rate-limited${at(literal('until'), until, clock)}`, theme.warning),
        details: until === null ? [nextTry(null, clock)] : [],
      };
    case 'unauthorized':
      return { status: span(literal('token refused'), theme.error), details: why };
    case 'no-token':
      return { status: span(literal('no token'), theme.error), details: why };
    case 'other-account':
      return { status: span(literal('token of another account'), theme.error), details: why };
    case 'not-api':
      return { status: span(literal('this server does not follow the API'), theme.error), details: why };
  }
}

function offlineWords(fault: number | null): SafeText {
  if (fault === null) return literal('offline');
  return fault >= 500 ? safe`server fault (${fault})` : safe`refused (${fault})`;
}

function senderWords({ pid, isStopped }: OtherSender): SafeText {
  const who = pid === null ? literal('another msg-tui') : safe`process ${pid}`;
  return isStopped ? safe`${who} sends, but is stopped` : safe`${who} sends`;
}

const at = (word: SafeText, time: number | null, clock: typeof clockTime): SafeText =>
  time === null ? literal('') : safe` ${word} ${clock(time)}`;

/** @param time null while a request is under way, which may wait for long */
function nextTry(time: number | null, clock: typeof clockTime): Freshness['details'][number] {
  const text = time === null ? literal('trying now') : safe`next try ${clock(time)}`;
  return { text, least: width(text) };
}

/** @param isTight draws the number without the word */
function unreadSpans(unread: number, { theme }: Look, isTight: boolean): Span[] {
  if (unread === 0) return [];
  const text = isTight ? safe`(${unread})` : safe`${unread} unread`;
  return [span(text, theme.info, { kind: 'command', id: 'unread.next' })];
}

/** A click on the number of messages that need a decision goes to the first one. */
const nextTrouble: Target = { kind: 'command', id: 'message.nextTrouble' };

/** @param isTight draws the signs without the words */
function unsentSpans({ queued, unsure, failed }: OutboxCounts, { theme, signs }: Look, isTight: boolean): Span[] {
  const word = (text: SafeText): SafeText => (isTight ? literal('') : safe` ${text}`);
  const queuedSign = isTight ? safe`${signs.queued} ` : literal('');
  const spans: Span[] = [];
  if (queued > 0) spans.push(span(safe`${queuedSign}${queued}${word(literal('queued'))}`, theme.info));
  if (unsure > 0)
    spans.push(span(safe`${signs.unsure} ${unsure}${word(literal('unsure'))}`, theme.warning, nextTrouble));
  if (failed > 0) spans.push(span(safe`${signs.failed} ${failed}${word(literal('failed'))}`, theme.error, nextTrouble));
  // The end of the row may be cut off, so failed and unsure messages come first.
  return isTight ? spans.reverse() : spans;
}

function tooSmallRows({ size }: Layout, { theme }: Look): Row[] {
  const lines = [
    span(literal('Too small'), theme.strong),
    span(safe`needs ${smallest.columns} x ${smallest.rows}`, theme.plain),
    span(safe`has ${size.columns} x ${size.rows}`, theme.plain),
  ];
  return Array.from({ length: Math.max(0, size.rows) }, (_, i) => {
    const line = lines[i];
    return fitRow(line === undefined ? [] : [line], Math.max(0, size.columns));
  });
}
