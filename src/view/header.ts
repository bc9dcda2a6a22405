/** The first line: whose account, how fresh everything is, what waits to be sent. */
import { memoLast } from '../state/memo.ts';
import { countOps, type OutboxCounts } from '../state/selectors.ts';
import type { AppState, Connection } from '../state/state.ts';
import { type Row, type Span, span } from '../text/row.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { sanitizeLine, sanitizeName } from '../text/sanitize.ts';
import { clockTime, clockTimeSeconds } from '../text/time.ts';
import { truncate } from '../text/width.ts';
import { ends, fitRow, type Look } from './frame.ts';
import { type Layout, smallest } from './layout.ts';

/** Online the age has minutes only, so that a poll that brings nothing paints nothing. */
export function createHeader(look: Look): (state: AppState, layout: Layout) => readonly Row[] {
  const count = memoLast(countOps);
  const compose = memoLast(
    (
      connection: Connection,
      label: string,
      isUnencrypted: boolean,
      layout: Layout,
      queued: number,
      unsure: number,
      failed: number,
    ) => [headerRow(connection, label, isUnencrypted, { queued, unsure, failed }, layout.size.columns, look)],
  );
  const note = memoLast((layout: Layout) => tooSmallRows(layout, look));
  return (state, layout) => {
    if (layout.kind === 'too-small') return note(layout);
    const { queued, unsure, failed } = count(state.local.outbox);
    const { connection, serverLabel, isUnencrypted = false } = state.view;
    return compose(connection, serverLabel, isUnencrypted, layout, queued, unsure, failed);
  };
}

function headerRow(
  connection: Connection,
  label: string,
  isUnencrypted: boolean,
  counts: OutboxCounts,
  columns: number,
  look: Look,
): Row {
  const { theme } = look;
  const name = span(literal(' msg-tui  '), theme.strong);
  const server = span(truncate(sanitizeName(label), 32), theme.plain);
  const warning = isUnencrypted ? [span(literal('not encrypted'), theme.error)] : [];
  const facts = [...warning, freshness(connection, look), ...waiting(counts, look)];
  const gap = span(safe` ${look.signs.dot} `, theme.muted);
  const right = facts.flatMap((fact, i) => (i === 0 ? [fact] : [gap, fact]));
  const end = span(literal(' '), '');
  return ends([name, server], [span(literal('  '), ''), ...right, end], columns);
}

function freshness(connection: Connection, look: Look): Span {
  const { theme, signs } = look;
  const { status, asOf, since, until, nextPollAt, reason } = connection;
  const why = reason === null ? literal('') : safe` ${signs.dot} ${truncate(sanitizeLine(reason), 40)}`;
  switch (status) {
    case 'starting':
      return span(safe`connecting${signs.ellipsis}`, theme.muted);
    case 'online':
      return span(asOf === null ? literal('online') : safe`as of ${clockTime(asOf)}`, theme.muted);
    case 'offline':
      return span(safe`offline${at(literal('since'), since)}${nextTry(nextPollAt, look)}${why}`, theme.warning);
    case 'rate-limited':
      return span(safe`rate-limited${at(literal('until'), until)}`, theme.warning);
    case 'unauthorized':
      return span(safe`token refused${why}`, theme.error);
    case 'not-api':
      return span(safe`this server does not follow the API${why}`, theme.error);
  }
}

const at = (word: SafeText, time: number | null): SafeText =>
  time === null ? literal('') : safe` ${word} ${clockTimeSeconds(time)}`;

const nextTry = (time: number | null, { signs }: Look): SafeText =>
  time === null ? literal('') : safe` ${signs.dot} next try ${clockTimeSeconds(time)}`;

function waiting({ queued, unsure, failed }: OutboxCounts, { theme, signs }: Look): Span[] {
  const spans: Span[] = [];
  if (queued > 0) spans.push(span(safe`${queued} queued`, theme.info));
  if (unsure > 0) spans.push(span(safe`${signs.unsure} ${unsure} unsure`, theme.warning));
  if (failed > 0) spans.push(span(safe`${signs.failed} ${failed} failed`, theme.error));
  return spans;
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
