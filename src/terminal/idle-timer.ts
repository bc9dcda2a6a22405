/** Calls back when the terminal has sent nothing for a while. Also has `blockFor`, which stops the whole program for a moment. */

export interface Timers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

export interface IdleTimer {
  /** Replaces the previous wait. */
  wait(ms: number, then: () => void): void;
  cancel(): void;
}

const systemTimers: Timers = { setTimeout, clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout) };

/**
 * A second timer waits for the last millisecond: a program that was stopped or busy finds its timers due before it has
 * read its input, and reads that between the two.
 */
export function createIdleTimer(timers: Timers = systemTimers): IdleTimer {
  let timer: unknown = null;
  const cancel = (): void => {
    if (timer !== null) timers.clearTimeout(timer);
    timer = null;
  };
  return {
    cancel,
    wait(ms, then) {
      cancel();
      timer = timers.setTimeout(() => {
        timer = timers.setTimeout(() => {
          timer = null;
          then();
        }, 1);
      }, ms - 1);
    },
  };
}

/** Nothing ever notifies a waiter on this array, so that a wait lasts for its whole time. */
const clock = new Int32Array(new SharedArrayBuffer(4));

/** Stops the whole program for the time: no timer, key or answer is handled meanwhile. */
export const blockFor = (ms: number): void => void Atomics.wait(clock, 0, 0, ms);
