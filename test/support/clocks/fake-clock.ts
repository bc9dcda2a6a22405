/** A clock that moves only when the test advances it, running what falls due in order and letting promises settle in between. */
import type { Clock } from '../../../src/sync/services/ports.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export interface FakeClock extends Clock {
  advance(ms: number): Promise<void>;
  /** The machine sleeps: the clocks move, nothing runs meanwhile. */
  jump(ms: number): void;
  /** The machine sleeps and runs Linux, where the monotonic clock stands still meanwhile, and the timers with it. */
  sleep(ms: number): void;
  readonly wakeUps: () => number;
  readonly pending: () => number;
}

export const epoch = Date.UTC(2026, 10, 20, 14, 0, 0);

/** `isBusy`: something real is under way, such as a request to a server; the clock waits for it. */
export function fakeClock(isBusy: () => boolean = () => false): FakeClock {
  let now = 1_000;
  let slept = 0;
  let fired = 0;
  let timers: Timer[] = [];
  const settle = async (): Promise<void> => {
    // A macrotask lets chains of resolved promises of any length run out.
    do await new Promise<void>((resolve) => setImmediate(resolve));
    while (isBusy());
  };
  const runDue = (): boolean => {
    const due = timers.filter((timer) => timer.at <= now).sort((a, b) => a.at - b.at)[0];
    if (due === undefined) return false;
    timers = timers.filter((timer) => timer !== due);
    fired += 1;
    due.callback();
    return true;
  };
  return {
    now: () => epoch + now + slept,
    monotonic: () => now,
    after: (delayMs, callback) => {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance: async (ms) => {
      const end = now + ms;
      await settle();
      for (;;) {
        if (runDue()) {
          await settle();
          continue;
        }
        const next = Math.min(...timers.map((timer) => timer.at), Number.POSITIVE_INFINITY);
        if (next > end) break;
        now = next;
      }
      now = end;
      await settle();
    },
    jump: (ms) => {
      now += ms;
    },
    sleep: (ms) => {
      slept += ms;
    },
    wakeUps: () => fired,
    pending: () => timers.length,
  };
}
