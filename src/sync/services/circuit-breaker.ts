/** The circuit breaker that all polls and writes share: it decides when a request may be sent. */
import { ApiError } from '../../api/errors.ts';
import { backoffMs, nextSlotAt, type RequestTimes, record } from './backoff.ts';

/*
 *              unreachable, or 5 failures in a row
 *     closed ─────────────────────────────────────► open (one probe at a time, after a growing delay)
 *       ▲                                             │
 *       └─── any answer to a request sent after it ───┘
 *
 *     closed or open ── 429, 503 with a time ──► paused (nothing until it is over, then one request, then the rest)
 *     any ── the token is another account's ──► barred (nothing until there is a new token)
 *     closed or open ── 401 ──► refused (nothing until there is a new token, or the user asks: then open)
 *
 * While anything fails, no more than 12 requests leave in a minute, whoever asks. Requests that succeeded before do not
 * count: one strange answer among healthy polls must not keep the client from finding out what became of a message.
 * Where only writes were asked to wait, the budget holds for writes alone, and they leave one by one: two at once after
 * the first that succeeds, then four.
 */

const failuresToOpen = 5;
/** A probe without an answer after this time waits in vain: an answer that is still to come takes less. */
const overdueMs = 5_000;
/** Fewer than the requests that an outage allows in a minute. */
const mostWritesAtOnce = 8;

/** A request under way; ended once. */
export interface RequestUnderWay {
  readonly succeed: () => void;
  readonly fail: (error: ApiError) => void;
}

/** Only polls are sent as probes: a write is never used to find out whether the server is there. */
export type Purpose = 'poll' | 'write';

/** The state that a new token resets. */
interface Trouble {
  /** Failures in a row. */
  readonly failures: number;
  /** Pauses in a row, for each purpose without a request that succeeded in between. */
  readonly pauses: Readonly<Record<Purpose, number>>;
  /** When the next probe may leave, on the monotonic clock. */
  readonly notBefore: number;
  readonly pausedUntil: number | null;
  /** There was a pause, and no answer since shows that it is over. */
  readonly isProbing: boolean;
  readonly isOpen: boolean;
  readonly isTokenRefused: boolean;
  /** The token is another account's. */
  readonly barredBy: ApiError | null;
  readonly writesAtOnce: number;
}

const noTrouble: Trouble = {
  failures: 0,
  pauses: { poll: 0, write: 0 },
  notBefore: 0,
  pausedUntil: null,
  isProbing: false,
  isOpen: false,
  isTokenRefused: false,
  barredBy: null,
  writesAtOnce: mostWritesAtOnce,
};

export class CircuitBreaker {
  readonly #clock: { monotonic(): number };
  readonly #random: () => number;
  #trouble = noTrouble;
  /** How often it has opened, or stayed open after a probe. */
  #openings = 0;
  #outages = 0;
  /** The answer that began the pause, or that refused the token. */
  #reason: ApiError | null = null;
  #inFlight = { all: 0, write: 0 };
  #probes = 0;
  #recent: Readonly<Record<'all' | 'write', RequestTimes>> = { all: [], write: [] };

  constructor(clock: { monotonic(): number }, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** When a request may leave, on the monotonic clock: in the past = now, null = not before something else happens. */
  nextAllowedAt(purpose: Purpose): number | null {
    const { barredBy, isTokenRefused, isOpen, isProbing, notBefore, pausedUntil } = this.#trouble;
    if (barredBy !== null || isTokenRefused) return null;
    if ((isOpen && (purpose === 'write' || this.#inFlight.all > 0)) || (isProbing && this.#probes > 0)) return null;
    return Math.max(isOpen ? notBefore : 0, pausedUntil ?? 0, nextSlotAt(this.#countedAgainst(purpose)));
  }

  /** How many writes may be under way. */
  writesAtOnce(): number {
    return this.#trouble.isProbing ? 1 : this.#trouble.writesAtOnce;
  }

  /** Why nothing may leave now, whatever was begun: the answer that began the pause, or that refused the token. */
  blockedBy(): ApiError | null {
    return this.#trouble.barredBy ?? (this.#trouble.isTokenRefused || this.#isPaused() ? this.#reason : null);
  }

  /** To be called when a request leaves. */
  begin(purpose: Purpose): RequestUnderWay {
    const isProbe = this.#trouble.isProbing;
    const openings = this.#openings;
    const now = this.#clock.monotonic();
    const { all, write } = this.#recent;
    this.#recent = { all: record(all, now), write: purpose === 'write' ? record(write, now) : write };
    this.#count(purpose, isProbe, 1);
    return {
      succeed: () => {
        this.#count(purpose, isProbe, -1);
        this.#succeed(purpose, openings);
      },
      fail: (error) => {
        this.#fail(purpose, error, openings);
        this.#count(purpose, isProbe, -1);
      },
    };
  }

  /** The user asked, or the machine slept: forgets the delay, not a pause; one poll tries a refused token. */
  resetBackoff(): void {
    // One poll shows whether the token is still refused.
    const isOpen = this.#trouble.isTokenRefused || this.#trouble.isOpen;
    this.#set({ notBefore: 0, isOpen, isTokenRefused: false });
  }

  /** Nothing is sent until `reset`, even when the user asks. */
  bar(error: ApiError): void {
    this.#set({ barredBy: error });
  }

  /** Why it is barred; null when it is not. */
  barredBy(): ApiError | null {
    return this.#trouble.barredBy;
  }

  /** For a new token. Writes are sent one by one until some are accepted, as only an answer to a message shows who owns it. */
  reset(): void {
    this.#trouble = { ...noTrouble, writesAtOnce: 1 };
  }

  isTokenRefused(): boolean {
    return this.#trouble.isTokenRefused || this.#trouble.barredBy !== null;
  }

  /** Whether nothing has failed since the last request that succeeded, and there is no pause. */
  isUntroubled(): boolean {
    return !this.#isTroubled() && !this.#trouble.isOpen && !this.#trouble.isProbing && this.blockedBy() === null;
  }

  isOpen(): boolean {
    return this.#trouble.isOpen;
  }

  /** Whether the server is out of reach, and the request that finds out whether it is back has had no answer for long. */
  isProbeOverdue(): boolean {
    const leftAt = this.#recent.all.at(-1) ?? Number.POSITIVE_INFINITY;
    return this.#trouble.isOpen && this.#inFlight.all > 0 && this.#clock.monotonic() - leftAt >= overdueMs;
  }

  /** How often the server was out of reach: after that, another server may answer. */
  outages(): number {
    return this.#outages;
  }

  /** On the monotonic clock; null when there is no pause now. */
  pausedUntil(): number | null {
    return this.#isPaused() ? this.#trouble.pausedUntil : null;
  }

  #set(patch: Partial<Trouble>): void {
    this.#trouble = { ...this.#trouble, ...patch };
  }

  #count(purpose: Purpose, isProbe: boolean, by: 1 | -1): void {
    const { all, write } = this.#inFlight;
    this.#inFlight = { all: all + by, write: write + (purpose === 'write' ? by : 0) };
    if (isProbe) this.#probes += by;
  }

  #isPaused(): boolean {
    const { pausedUntil } = this.#trouble;
    return pausedUntil !== null && pausedUntil > this.#clock.monotonic();
  }

  #isTroubled(): boolean {
    return this.#trouble.failures > 0 || this.#trouble.pauses.poll > 0;
  }

  /** The requests of the last minute that count against the budget; none while all goes well. */
  #countedAgainst(purpose: Purpose): RequestTimes {
    if (this.#isTroubled()) return this.#recent.all;
    return purpose === 'write' && this.#trouble.pauses.write > 0 ? this.#recent.write : [];
  }

  #succeed(purpose: Purpose, openingsThen: number): void {
    if (!this.#close(openingsThen) || this.#isPaused()) return;
    const { pauses, writesAtOnce } = this.#trouble;
    const isWrite = purpose === 'write';
    this.#set({ pausedUntil: null, isProbing: false, pauses: { poll: 0, write: isWrite ? 0 : pauses.write } });
    if (isWrite) this.#set({ writesAtOnce: Math.min(mostWritesAtOnce, 2 * writesAtOnce) });
  }

  /** Returns false for the answer to a request that left before the failure, which does not end it. */
  #close(openingsThen: number): boolean {
    if (this.#trouble.isOpen && openingsThen < this.#openings) return false;
    this.#set({ failures: 0, isOpen: false });
    return true;
  }

  #fail(purpose: Purpose, error: ApiError, openingsThen: number): void {
    const { all, write } = this.#recent;
    if (!this.#isTroubled()) this.#recent = { ...this.#recent, all: all.slice(-this.#inFlight.all) };
    if (purpose === 'write' && this.#trouble.pauses.write === 0)
      this.#recent = { ...this.#recent, write: write.slice(-this.#inFlight.write) };
    if (asksToWait(error)) this.#pause(purpose, error);
    if (error.kind === 'unauthorized') {
      this.#set({ isTokenRefused: true });
      this.#reason = error;
    } else if (isTrouble(error)) this.#recordFailure(error);
    else if (!isNoAnswer(error) && error.kind !== 'rate-limited') this.#close(openingsThen);
  }

  #recordFailure(error: ApiError): void {
    const failures = this.#trouble.failures + 1;
    const opens = isUnreachable(error) || failures >= failuresToOpen;
    if (opens) {
      if (!this.#trouble.isOpen) this.#outages += 1;
      this.#openings += 1;
    }
    const notBefore = this.#clock.monotonic() + backoffMs(failures, this.#random);
    this.#set({ failures, isOpen: opens || this.#trouble.isOpen, notBefore });
  }

  /** A pause counts once, however many requests were under way when it began; the longest requested wait is used. */
  #pause(purpose: Purpose, error: ApiError): void {
    const isSame = this.#isPaused();
    const before = this.#trouble.pauses;
    const pauses = isSame ? before : { ...before, [purpose]: before[purpose] + 1 };
    const unsaidMs = isSame ? 0 : backoffMs(pauses[purpose], this.#random);
    const waitMs = error.facts.retryAfterMs ?? unsaidMs;
    const pausedUntil = Math.max(this.#trouble.pausedUntil ?? 0, this.#clock.monotonic() + waitMs);
    this.#set({ pauses, pausedUntil, isProbing: true });
    // Requests that the pause holds back have not been sent.
    this.#reason = new ApiError({ ...error.facts, kind: 'rate-limited', outcome: 'not-applied' });
    if (purpose === 'write') this.#set({ writesAtOnce: 1 });
  }
}

/** Whether the server was not reached at all. */
export const isUnreachable = (error: ApiError): boolean =>
  error.kind === 'network' || error.kind === 'timeout' || error.kind === 'tls' || error.kind === 'redirect';

/** A server that is down for a while may say for how long. */
const asksToWait = ({ kind, facts }: ApiError): boolean =>
  kind === 'rate-limited' || (facts.status === 503 && facts.retryAfterMs !== null);

/** Whether this program gave up the request, or did not make it, so that there was no answer. */
const isNoAnswer = ({ kind }: ApiError): boolean => kind === 'aborted' || kind === 'unusable-id';

const isTrouble = (error: ApiError): boolean =>
  isUnreachable(error) || error.kind === 'server' || (error.kind === 'not-api' && !error.bodySaysNo);
