/**
 * How long to wait between two requests for the same thing, as pure functions (R-POLL), and `PaceKeeper`, which keeps
 * what that depends on.
 */
import type { ConversationId, Message } from '../../protocol/types.ts';
import { isOwn } from '../../state/local/identity.ts';
import type { Polling } from '../../state/model/settings.ts';
import { type Services, stateOf } from '../services/services.ts';
import { hourSlot, isAtRest, type Rhythm, rhythmOf, stepOf, usualRhythm } from './rhythm.ts';

/** What is polled: the open conversation, or the conversation list. */
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

/** What the time between two requests depends on, besides the user. */
export interface Pace {
  readonly rule: PaceRule;
  readonly allowance: Allowance;
  /** When the open conversation last had news (`thread`), and when any other one had (`list`). */
  readonly lastNews: Readonly<Record<Polled, number>>;
  /** Of the open conversation. */
  readonly rhythm: Rhythm;
  /** The wall clock, less the monotonic one. */
  readonly wallOffset: number;
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
/** The usual times at rest, when the exchange of messages is over. */
const usualRestMs: Readonly<Record<Polled, { readonly focused: number; readonly unfocused: number }>> = {
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
  const learned = (isResting ? rhythm.atRest[hourSlot(wallNow)] : rhythm.within[step]) ?? 1;
  const usual = usualMs[what][step] ?? usualRestMs[what].focused;
  const thrift = Math.max(1, thriftyShare / Math.max(shareLeft(allowance, rule), 0.01));
  const everyMs = Math.max(rule.fastestMs, usual * rule.factor * learned) * thrift;
  // Being thrifty never makes anything slower than it is at rest.
  const restMs = usualRestMs[what][isFocused ? 'focused' : 'unfocused'] * rule.factor * (isResting ? learned : 1);
  return Math.min(restMs, isFocused ? everyMs : everyMs * unfocusedFactor);
}

/** Keeps what the time between two requests depends on: the setting, what was spent, the last news and the rhythm. */
export class PaceKeeper {
  readonly #context: Pick<Services, 'clock' | 'store'>;
  #allowance = fullAllowance;
  #lastNews: Readonly<Record<Polled, number>> = { thread: Number.NEGATIVE_INFINITY, list: Number.NEGATIVE_INFINITY };
  /** The rhythm, and the messages that it was learned from. */
  #learned: { readonly from: readonly Message[]; readonly rhythm: Rhythm } = { from: [], rhythm: usualRhythm };

  constructor(context: Pick<Services, 'clock' | 'store'>) {
    this.#context = context;
  }

  /** `openId`: the conversation whose rhythm is meant. */
  paceFor(openId: ConversationId | null): Pace {
    const { clock } = this.#context;
    return {
      rule: this.#rule(),
      allowance: this.#allowance,
      lastNews: this.#lastNews,
      rhythm: openId === null ? usualRhythm : this.#rhythmOf(openId),
      wallOffset: clock.now() - clock.monotonic(),
    };
  }

  /** To be called when news came, in the conversation that is open or in another one. */
  noteNews(isOpen: boolean): void {
    const now = this.#context.clock.monotonic();
    this.#lastNews = isOpen ? { ...this.#lastNews, thread: now } : { ...this.#lastNews, list: now };
  }

  /** To be called when a request leaves. */
  spend(): void {
    this.#allowance = spend(this.#allowance, this.#rule(), this.#context.clock.monotonic());
  }

  #rule() {
    return paceRules[stateOf(this.#context).settings.polling];
  }

  #rhythmOf(id: ConversationId): Rhythm {
    const state = stateOf(this.#context);
    const from = state.cache.threads.get(id)?.messages ?? [];
    if (from !== this.#learned.from) {
      const times = from.flatMap((message) =>
        message.createdAt === null ? [] : [{ at: message.createdAt, isMine: isOwn(message, state) }],
      );
      this.#learned = { from, rhythm: rhythmOf(times) };
    }
    return this.#learned.rhythm;
  }
}
