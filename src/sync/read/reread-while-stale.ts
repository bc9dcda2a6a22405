/** Repeats a read that does not show a write of ours yet, and says how long it waits in between. */
import { pause, type Waiting } from '../services/clock.ts';

/** The delays between reads: they leave 1, 3, 8, 20 and 30 seconds after the first, as for a message without an answer. */
const retriesMs = [1_000, 2_000, 5_000, 12_000, 10_000];
/** The delays between reads after a write that is safe to repeat. */
export const shortRetriesMs: readonly number[] = retriesMs.slice(0, 3);

/** Repeats `read` while what was seen is older than a write: reads may come from a replica that lags behind. */
export async function rereadWhileStale<T>(
  waiting: Waiting,
  seen: T,
  isBehind: (seen: T) => boolean,
  read: () => Promise<T>,
  delaysMs: readonly number[] = retriesMs,
): Promise<T> {
  let last = seen;
  for (const delayMs of delaysMs) {
    if (!isBehind(last)) return last;
    await pause(waiting, delayMs);
    last = await read();
  }
  return last;
}
