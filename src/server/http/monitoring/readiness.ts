/** Checks whether the server can answer requests now. */
import type { Readiness } from './admin-address.ts';

/** Milliseconds that the database has for its answer. */
const databaseMs = 2000;

/** @param ping rejects when the database does not answer */
export function createReadiness(ping: () => Promise<void>) {
  let isStopping = false;
  return {
    /** Makes the server not ready from now on, so that a proxy chooses another one. */
    stop: () => {
      isStopping = true;
    },
    check: async (): Promise<Readiness> => {
      if (isStopping) return { isReady: false, reason: 'stopping' };
      const answered = await within(databaseMs, ping);
      return answered ? { isReady: true } : { isReady: false, reason: 'the database does not answer' };
    },
  };
}

function within(limitMs: number, ping: () => Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    ping()
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => clearTimeout(timer));
  });
}
