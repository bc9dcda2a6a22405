/** Timers that a test moves by hand. */

export interface FakeTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
  now(): number;
  /** Runs everything that falls due, in order of time. */
  advance(ms: number): void;
  pending(): number;
}

export function fakeTimers(): FakeTimers {
  let time = 0;
  let next = 1;
  const timers = new Map<number, { at: number; callback: () => void }>();
  return {
    setTimeout(callback, ms) {
      timers.set(next, { at: time + ms, callback });
      return next++;
    },
    clearTimeout: (handle) => timers.delete(handle as number),
    now: () => time,
    advance(ms) {
      const until = time + ms;
      for (;;) {
        const due = [...timers]
          .filter(([, timer]) => timer.at <= until)
          .sort(([a, one], [b, two]) => one.at - two.at || a - b)[0];
        if (due === undefined) break;
        timers.delete(due[0]);
        time = due[1].at;
        due[1].callback();
      }
      time = until;
    },
    pending: () => timers.size,
  };
}
