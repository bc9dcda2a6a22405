/**
 * A request for the newest page of the list that the server answers when there is news, or after a while (RFC 7240,
 * `Prefer: wait`). A server that does not know this answers at once, so that it is an ordinary poll.
 *
 * It is under way for long, so nothing waits for it: it is no attempt of the circuit breaker, holds back no reading and
 * no write, and an ordinary poll of the list ends it.
 */
import type { ApiError } from '../../../api/errors.ts';
import type { ListAnswer } from '../../../api/operations.ts';
import type { Conversation } from '../../../protocol/types.ts';
import { isEntityTag } from '../../../state/cache/cached-history.ts';
import { showFailure } from '../../services/connection-status.ts';
import { apiError } from '../../services/request.ts';
import { learnCapability, serverPolicy } from '../../services/server-policy.ts';
import type { Services } from '../../services/services.ts';
import type { PollTracker } from '../poll-tracker.ts';
import { listWaitSeconds } from '../schedule.ts';
import { newestPageParameters } from './newest-page.ts';
import type { ListPollState } from './poll-state.ts';

/** A server that answers "not modified" within this time has not waited, whatever it says. */
const quickMs = 1_000;
/** A server that has not waited is asked to wait again after this time. */
const retryEveryMs = 3_600_000;
/** The pause after a failure; it doubles with each failure in a row. */
const firstFailureMs = 60_000;
/** The limit for a silent server, and a second more: after that the list is polled as usual. */
const overdueMs = 16_000;

export interface HeldAnswer {
  readonly answer: ListAnswer<Conversation>;
  /** From the write tracker, before the request. */
  readonly mark: number;
  readonly askedAt: number;
}

export class HeldRequest {
  readonly #context: Services;
  readonly #tracker: PollTracker;
  readonly #memory: ListPollState;
  #abort: AbortController | null = null;
  /** When the server may be asked to wait again, on the monotonic clock; null until that is first considered. */
  #notBefore: number | null = null;
  /** Whether the server has held the last request; null until there was one. */
  #isHolding: boolean | null = null;
  /** Failures in a row. */
  #failures = 0;

  constructor(context: Services, tracker: PollTracker, memory: ListPollState) {
    this.#context = context;
    this.#tracker = tracker;
    this.#memory = memory;
  }

  get isUnderWay(): boolean {
    return this.#abort !== null;
  }

  /** Whether the next poll of the list may wait for news: the server has a validator of its own, and nothing is wrong. */
  isPossible(): boolean {
    const { clock, circuitBreaker } = this.#context;
    const now = clock.monotonic();
    const isRare = serverPolicy(this.#context).asksToWait === 'rarely';
    this.#notBefore ??= isRare ? now + retryEveryMs : now;
    return isEntityTag(this.#memory.etag) && circuitBreaker.isUntroubled() && now >= this.#notBefore;
  }

  /** Whether the server has held the last request, or did so in an earlier run, and can be asked again. */
  isHolding(): boolean {
    const isHolding = this.#isHolding ?? serverPolicy(this.#context).asksToWait === 'always';
    return isHolding && this.isPossible();
  }

  /** Sends the request. Resolves to null when it was cancelled or failed. */
  async ask(): Promise<HeldAnswer | null> {
    const [context, tracker] = [this.#context, this.#tracker];
    const mark = context.writes.mark();
    const abort = new AbortController();
    this.#abort = abort;
    const askedAt = context.clock.monotonic();
    const waitSeconds = listWaitSeconds(tracker.state, askedAt);
    tracker.updateList({ heldUntil: askedAt + 1_000 * waitSeconds + overdueMs });
    try {
      const signal = AbortSignal.any([context.signal, abort.signal]);
      const parameters = { ...newestPageParameters(context, this.#memory), waitSeconds };
      const answer = await context.client().listConversations(parameters, { signal });
      if (signal.aborted || context.circuitBreaker.barredBy() !== null) return null;
      this.#learn(answer, askedAt);
      return { answer, mark, askedAt };
    } catch (error) {
      const failure = apiError(error);
      if (!abort.signal.aborted && failure.kind !== 'aborted') this.#fail(failure);
      return null;
    } finally {
      if (this.#abort === abort) {
        this.#abort = null;
        const lastAsked = context.clock.monotonic();
        tracker.updateList({ heldUntil: null, lastAsked, heldFrom: this.isHolding() ? askedAt : null });
      }
    }
  }

  /** Ends the request that is under way, if there is one. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#tracker.updateList({ heldUntil: null });
  }

  #learn(answer: ListAnswer<Conversation>, askedAt: number): void {
    const now = this.#context.clock.monotonic();
    const isUnchanged = 'notModified' in answer;
    const waited = answer.isWaitApplied === true && !(isUnchanged && now - askedAt < quickMs);
    this.#failures = 0;
    this.#isHolding = waited;
    if (waited || isUnchanged) learnCapability(this.#context, 'waitsForNews', waited, 'GET /v1/conversations');
    if (!waited) this.#notBefore = now + (isUnchanged ? retryEveryMs : firstFailureMs);
  }

  /**
   * Something between here and the server may end every request that takes long. So a failure is not reported, and an
   * ordinary poll finds out what is wrong, unless the server has asked for a pause or refused the token.
   */
  #fail(failure: ApiError): void {
    const { clock, circuitBreaker } = this.#context;
    const now = clock.monotonic();
    const delayMs = Math.min(retryEveryMs, firstFailureMs * 2 ** Math.min(this.#failures, 10));
    this.#failures += 1;
    this.#notBefore = now + delayMs;
    this.#isHolding = false;
    if (failure.kind === 'invalid') learnCapability(this.#context, 'waitsForNews', false, 'GET /v1/conversations');
    if (failure.facts.retryAfterMs !== null || failure.kind === 'rate-limited' || failure.kind === 'unauthorized') {
      circuitBreaker.begin('poll').fail(failure);
      showFailure(this.#context, failure, { notBefore: now, isList: true });
    } else this.#tracker.updateList({ isDue: true });
  }
}
