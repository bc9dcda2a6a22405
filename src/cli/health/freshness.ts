/** Computes from the ledger of the last day how old the open conversation was while the chat ran, and what that cost. */
import { atStart, isAtStart, isOfCommand, ofOpenConversation, type RequestEntry } from '../../storage/ledger/entry.ts';
import { readLedger } from '../../storage/ledger/read-ledger.ts';
import { type Check, sectionOf } from '../output/check.ts';

export interface Freshness {
  /** The median of the time since the server last confirmed what was shown. */
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly requestsPerHour: number;
  /** The share of the polls that were answered with "not modified". */
  readonly notModifiedPercent: number;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Where there is no poll for this time, no chat was running; earlier versions have not noted when one was started. */
const pauseMs = 600_000;
/** Nothing is reported for a chat that ran for less time. */
const leastMs = 300_000;
/** A request that took longer was held by the server, which answers when there is news. */
const heldMs = 2_000;
/** The reasons of requests whose answers confirm what is shown of the open conversation. */
const polls: ReadonlySet<string> = new Set(
  ['conversation list', ofOpenConversation('newest messages')].flatMap((reason) => [reason, atStart(reason)]),
);

/** Null where there is no ledger, or the chat has hardly run. */
export async function readFreshness(cacheDirectory: string | null, now = Date.now()): Promise<Freshness | null> {
  if (cacheDirectory === null) return null;
  const entries: RequestEntry[] = [];
  for await (const entry of readLedger(cacheDirectory, now - dayMs))
    if (entry.kind === 'request' && !isOfCommand(entry)) entries.push(entry);
  return freshnessOf(entries);
}

export function freshnessOf(entries: readonly RequestEntry[]): Freshness | null {
  const answered = entries
    .filter(({ method, reason, status }) => method === 'GET' && polls.has(reason) && (status === 200 || status === 304))
    .map(({ at, durationMs, status }) => ({ from: at, until: at + durationMs, isUnchanged: status === 304 }))
    .sort((a, b) => a.until - b.until);
  const held = answered.filter(({ from, until }) => until - from > heldMs);
  const starts = entries.filter(isAtStart).map(({ at }) => at);
  const ages: number[] = [];
  let freshMs = 0;
  for (const [index, { until }] of answered.entries()) {
    // From the last answer of a chat to the start of the next one, nothing was shown.
    const before = Math.max(answered[index - 1]?.until ?? until, ...starts.filter((at) => at < until));
    const gapMs = until - before;
    if (gapMs > pauseMs) continue;
    const waited = held.find((one) => one.from < until && one.until > before);
    const waitedMs = waited === undefined ? 0 : until - Math.max(before, waited.from);
    freshMs += waitedMs;
    ages.push(gapMs - waitedMs);
  }
  const runMs = freshMs + sum(ages);
  if (runMs < leastMs) return null;
  return {
    medianMs: ageBelow(0.5, ages, freshMs),
    p95Ms: ageBelow(0.95, ages, freshMs),
    requestsPerHour: (entries.length * hourMs) / runMs,
    notModifiedPercent: (100 * answered.filter(({ isUnchanged }) => isUnchanged).length) / answered.length,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The age that was not exceeded for this share of the time. The age grows from 0 between two answers. */
function ageBelow(share: number, ages: readonly number[], freshMs: number): number {
  const wantedMs = share * (freshMs + sum(ages));
  let low = 0;
  let high = pauseMs;
  while (high - low > 1) {
    const middle = (low + high) / 2;
    const belowMs = freshMs + sum(ages.map((age) => Math.min(age, middle)));
    if (belowMs < wantedMs) low = middle;
    else high = middle;
  }
  return low;
}

const section = sectionOf('Freshness');
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Writes, for example, `median 1.8 s, 95 % within 6.0 s, 312 requests an hour, 91 % not modified`. */
export const freshnessWords = ({ medianMs, p95Ms, requestsPerHour, notModifiedPercent }: Freshness): string =>
  [
    `median ${seconds(medianMs)}`,
    `95 % within ${seconds(p95Ms)}`,
    `${Math.round(requestsPerHour)} requests an hour`,
    `${Math.round(notModifiedPercent)} % not modified`,
  ].join(', ');

export const freshnessCheck = (freshness: Freshness | null): Check =>
  freshness === null
    ? section.ok('last day', 'not known, as the chat has not run for five minutes or the ledger is off')
    : section.ok('last day', freshnessWords(freshness));

/** The fields of `status --json`. */
export const freshnessJson = (freshness: Freshness | null) =>
  freshness === null
    ? null
    : {
        median_ms: Math.round(freshness.medianMs),
        p95_ms: Math.round(freshness.p95Ms),
        requests_per_hour: Math.round(freshness.requestsPerHour),
        not_modified_percent: Math.round(freshness.notModifiedPercent),
      };
