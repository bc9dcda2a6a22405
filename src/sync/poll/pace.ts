/** How long to wait between two requests for the same thing, as a pure function (R-POLL). */
import type { Polling } from '../../state/model/settings.ts';
import { hourOfWeek, isAtRest, type Rhythm, stepOf } from './rhythm.ts';

export type Polled = 'thread' | 'list';

/** The requests that may be made beyond the hourly number, because fewer were made before. */
export interface Allowance {
  readonly requests: number;
  /** When `requests` was counted, on the monotonic clock. */
  readonly at: number;
}

export interface PaceRule {
  /** The most polls in an hour, over a longer time. */
  readonly hourly: number;
  /** The usual times between two requests are multiplied by it. */
  readonly factor: number;
  readonly fastestMs: number;
}

export const paceRules: Readonly<Record<Polling, PaceRule>> = {
  calm: { hourly: 300, factor: 2, fastestMs: 4_000 },
  normal: { hourly: 900, factor: 1, fastestMs: 2_000 },
  eager: { hourly: 2_400, factor: 2 / 3, fastestMs: 1_000 },
};

/** The usual times within an exchange, by the step of the rhythm. */
const usualMs: Readonly<Record<Polled, readonly number[]>> = {
  thread: [2_000, 5_000, 7_000],
  list: [5_000, 10_000, 30_000],
};
const rest: Readonly<Record<Polled, { readonly focused: number; readonly unfocused: number }>> = {
  thread: { focused: 15_000, unfocused: 30_000 },
  list: { focused: 30_000, unfocused: 60_000 },
};
const unfocusedFactor = 2;
/** Requests that were not made are saved for this long. */
const savedHours = 1;
const hourMs = 3_600_000;
/** When less than this share of what can be saved is left, it is spent more slowly the less is left. */
const thriftyShare = 0.5;

/** The allowance at the start, of which nothing was spent. */
export const fullAllowance: Allowance = { requests: Number.POSITIVE_INFINITY, at: 0 };

/** The allowance now: it grows by the hourly number, up to what an hour gives. */
export function allowanceAt({ requests, at }: Allowance, { hourly }: PaceRule, now: number): Allowance {
  const grown = requests + (Math.max(0, now - at) / hourMs) * hourly;
  return { requests: Math.min(savedHours * hourly, grown), at: now };
}

/** The allowance after a request that leaves now. A request that could not wait may leave although none is left. */
export function spend(allowance: Allowance, rule: PaceRule, now: number): Allowance {
  const { requests } = allowanceAt(allowance, rule, now);
  return { requests: Math.max(0, requests - 1), at: now };
}

const shareLeft = ({ requests }: Allowance, { hourly }: PaceRule): number => requests / (savedHours * hourly);

/** Whether so much was spent that the rest is spent more slowly. `allowance`: as of now. */
export const isThrifty = (allowance: Allowance, rule: PaceRule): boolean => shareLeft(allowance, rule) < thriftyShare;

export interface Situation {
  /** Milliseconds since the last message or act of the user. */
  readonly quietMs: number;
  readonly isFocused: boolean;
  readonly rhythm: Rhythm;
  /** The wall clock. */
  readonly wallNow: number;
  /** As of now. */
  readonly allowance: Allowance;
  readonly rule: PaceRule;
}

/** The milliseconds from the end of one request to the next. */
export function intervalMs(what: Polled, { quietMs, isFocused, rhythm, wallNow, allowance, rule }: Situation): number {
  const step = stepOf(quietMs);
  const isResting = isAtRest(quietMs);
  const learned = (isResting ? rhythm.atRest[hourOfWeek(wallNow)] : rhythm.within[step]) ?? 1;
  const usual = usualMs[what][step] ?? rest[what].focused;
  const thrift = Math.max(1, thriftyShare / Math.max(shareLeft(allowance, rule), 0.01));
  const everyMs = Math.max(rule.fastestMs, usual * rule.factor * learned) * thrift;
  // Being thrifty never makes anything slower than it is at rest.
  const restMs = rest[what][isFocused ? 'focused' : 'unfocused'] * rule.factor * (isResting ? learned : 1);
  return Math.min(restMs, isFocused ? everyMs : everyMs * unfocusedFactor);
}
