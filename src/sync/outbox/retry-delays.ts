/** Says when an op may start: not before its time for undoing is over, and later after each attempt that failed in this run. */
import { undoDeadline } from '../../state/local/outbox.ts';
import type { Op } from '../../state/model/app-state.ts';
import { backoffMs, nextSlotAt, type RequestTimes, record } from '../services/backoff.ts';
import { type Services, stateOf } from '../services/services.ts';

interface Delay {
  failures: number;
  /** On the monotonic clock. */
  notBefore: number;
}

export class RetryDelays {
  readonly #context: Pick<Services, 'clock' | 'random' | 'store'>;
  readonly #delays = new Map<string, Delay>();
  /** When ops were repeated lately: all of them together share one budget, so that a large outbox does not flood the server. */
  #repeats: RequestTimes = [];

  constructor(context: Pick<Services, 'clock' | 'random' | 'store'>) {
    this.#context = context;
  }

  /** How many attempts of the op have failed in this run. */
  failuresOf({ uuid }: Op): number {
    return this.#delays.get(uuid)?.failures ?? 0;
  }

  /** When the op may start, on the monotonic clock; 0 = at once. */
  dueAt(op: Op): number {
    const afterFailure = this.#delays.get(op.uuid)?.notBefore ?? 0;
    const inBudget = this.failuresOf(op) > 0 ? nextSlotAt(this.#repeats) : 0;
    return Math.max(afterFailure, this.#undoEnd(op), inBudget);
  }

  recordStart(op: Op): void {
    if (this.failuresOf(op) > 0) this.#repeats = record(this.#repeats, this.#context.clock.monotonic());
  }

  /** Records that the attempt has not ended the op. Returns in how many milliseconds the next may begin; 0 when the op is not at fault. */
  postpone(op: Op, { countsAsFailure }: { readonly countsAsFailure: boolean }): number {
    const failures = this.failuresOf(op) + (countsAsFailure ? 1 : 0);
    const delayMs = countsAsFailure ? backoffMs(failures, this.#context.random) : 0;
    this.#forgetDiscarded();
    this.#delays.set(op.uuid, { failures, notBefore: this.#context.clock.monotonic() + delayMs });
    return delayMs;
  }

  forget({ uuid }: Op): void {
    this.#delays.delete(uuid);
  }

  /** The user, or another process, may have taken an op out of the outbox. */
  #forgetDiscarded(): void {
    const held = new Set(stateOf(this.#context).local.outbox.map(({ uuid }) => uuid));
    for (const uuid of this.#delays.keys()) if (!held.has(uuid)) this.#delays.delete(uuid);
  }

  /** Forgets the delay after a failure, of the op or of every op; the time in which it can be taken back stays, as does the count of failures. */
  hurry(uuid?: string): void {
    for (const [key, delay] of this.#delays) if (uuid === undefined || key === uuid) delay.notBefore = 0;
  }

  /** The end of the time in which its author can take the op back; a wall clock set back does not prolong it. */
  #undoEnd(op: Op): number {
    const now = this.#context.clock.now();
    const left = undoDeadline(op) - now;
    return left <= 0 || now < op.created ? 0 : this.#context.clock.monotonic() + left;
  }
}
