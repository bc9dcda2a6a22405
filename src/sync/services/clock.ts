/** The clocks of this machine, the one timer of the engine, and waits in the middle of work. */
import type { Clock } from './ports.ts';
import type { Services } from './services.ts';

export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, timerMs(delayMs));
    return () => clearTimeout(timer);
  },
};

const longestTimerMs = 2 ** 31 - 1;

/** A whole number of milliseconds that a timer can wait; a longer one would fire at once. */
const timerMs = (delayMs: number): number => Math.min(Math.max(0, Math.ceil(delayMs)), longestTimerMs);

export class WakeTimer {
  readonly #clock: Clock;
  readonly #onFire: (lateMs: number) => void;
  #cancel: (() => void) | null = null;
  #at = Number.POSITIVE_INFINITY;

  /** `onFire` gets the milliseconds by which it is late, because a timer does not run while the machine sleeps. */
  constructor(clock: Clock, onFire: (lateMs: number) => void) {
    this.#clock = clock;
    this.#onFire = onFire;
  }

  /** Sets the timer to the first of these moments, on the monotonic clock; null means never. */
  arm(times: readonly (number | null)[]): void {
    const now = this.#clock.monotonic();
    const first = times.reduce<number>((first, time) => Math.min(first, time ?? first), Number.POSITIVE_INFINITY);
    const at = Math.max(now, first);
    if (at === this.#at && this.#cancel !== null) return;
    this.cancel();
    this.#at = at;
    if (at !== Number.POSITIVE_INFINITY) this.#cancel = this.#clock.after(timerMs(at - now), this.#fire);
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#at = Number.POSITIVE_INFINITY;
  }

  readonly #fire = (): void => {
    const lateMs = this.#clock.monotonic() - this.#at;
    this.#cancel = null;
    this.#at = Number.POSITIVE_INFINITY;
    this.#onFire(lateMs);
  };
}

/** A machine that was away for longer has slept, and what was learned of the network before says nothing any more. */
const sleepMs = 30_000;

/**
 * Notices that the machine has slept. On Linux and macOS the monotonic clock stands still meanwhile, and so do all timers;
 * the wall clock does not. One that was set forward looks the same, and costs a poll.
 */
export class SleepWatch {
  readonly #clock: Clock;
  #ahead: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ahead = clock.now() - clock.monotonic();
  }

  /**
   * Whether the machine has slept since the last call.
   *
   * @param lateMs how late a timer was, where it is one that asks: the monotonic clock of Windows goes on
   */
  hasSlept(lateMs = 0): boolean {
    const before = this.#ahead;
    this.#ahead = this.#clock.now() - this.#clock.monotonic();
    return Math.max(lateMs, this.#ahead - before) > sleepMs;
  }
}

export type Waiting = Pick<Services, 'clock' | 'signal'>;

/** A frame leaves in pieces, one in each turn of the event loop. Work that comes after it waits this long. */
export const afterPaintMs = 20;

/** Resolves after the delay, or at once when `signal` aborts, as when the engine stops. */
export function pause({ clock, signal }: Waiting, delayMs: number): Promise<void> {
  return delayMs <= 0 ? Promise.resolve() : wait({ clock, signal }, delayMs);
}

/** Resolves after the event loop has looked for keys. */
export const nextTurn = (waiting: Waiting): Promise<void> => wait(waiting, 0);

function wait({ clock, signal }: Waiting, delayMs: number): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(delayMs, end);
    signal.addEventListener('abort', end);
  });
}
