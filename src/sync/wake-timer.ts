/** The one timer of the engine: it stands at the earliest moment at which either loop has something to do. */
import { timerMs } from './services/backoff.ts';
import type { Clock } from './services/ports.ts';

export class WakeTimer {
  readonly #clock: Clock;
  readonly #onFire: (lateMs: number) => void;
  #cancel: (() => void) | null = null;
  #at = Number.POSITIVE_INFINITY;

  /** `onFire` is told how late it is called. A timer stands still while the machine sleeps. */
  constructor(clock: Clock, onFire: (lateMs: number) => void) {
    this.#clock = clock;
    this.#onFire = onFire;
  }

  /** Sets the timer to the first of these moments, on the monotonic clock; null stands for never. */
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
