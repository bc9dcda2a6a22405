/** Waiting in the middle of work, so that keys come in between. */
import type { Services } from './services.ts';

type Waiting = Pick<Services, 'clock' | 'signal'>;

/** A terminal takes a picture in pieces of 4 KB, a turn each: what comes behind the picture lets them all go first. */
export const afterPaintMs = 20;

/** Ends early with the engine. */
export function pause({ clock, signal }: Waiting, delayMs: number): Promise<void> {
  return delayMs <= 0 ? Promise.resolve() : wait({ clock, signal }, delayMs);
}

/** Until the loop has looked for keys. */
export const nextTurn = (waiting: Waiting): Promise<void> => wait(waiting, 0);

/** One, three, eight, twenty and thirty seconds after, as for a message without an answer. */
const retriesMs = [1_000, 2_000, 5_000, 12_000, 10_000];
/** Where what was not made is made again, which is safe. */
export const shortRetriesMs: readonly number[] = retriesMs.slice(0, 3);

/** `look` once more, and again, while what was seen is behind a write: reads may come from a copy that lags. */
export async function rereadWhileStale<T>(
  waiting: Waiting,
  seen: T,
  isBehind: (seen: T) => boolean,
  look: () => Promise<T>,
  delaysMs: readonly number[] = retriesMs,
): Promise<T> {
  let last = seen;
  for (const delayMs of delaysMs) {
    if (!isBehind(last)) return last;
    await pause(waiting, delayMs);
    last = await look();
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
