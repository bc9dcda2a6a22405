/** Waits in the middle of work, so that keys get through. */
import type { Services } from './services.ts';

type Waiting = Pick<Services, 'clock' | 'signal'>;

/**
 * A frame leaves in pieces of 4 KB, one in each turn of the event loop. Work that comes after the frame waits this
 * long.
 */
export const afterPaintMs = 20;

/** Resolves after the delay, or at once when the engine stops. */
export function pause({ clock, signal }: Waiting, delayMs: number): Promise<void> {
  return delayMs <= 0 ? Promise.resolve() : wait({ clock, signal }, delayMs);
}

/** Resolves after the event loop has looked for keys. */
export const nextTurn = (waiting: Waiting): Promise<void> => wait(waiting, 0);

/** Reads 1, 3, 8, 20 and 30 seconds after the first, as for a message without an answer. */
const retriesMs = [1_000, 2_000, 5_000, 12_000, 10_000];
/** For what can safely be written again. */
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
