/** Empties the write-ahead log after content was deleted or replaced, since it holds the pages as they were before. */
import type { Database } from './driver.ts';

/** Milliseconds from a deletion or edit until the log is emptied, so that many of them share one run. */
const delayMs = 1000;

export interface WriteAheadLog {
  /** The log is empty within seconds of this call, or once no other process reads the file. */
  emptySoon(): void;
  /** Empties the log a last time, unless another process reads the file. */
  close(): void;
}

export function createWriteAheadLog(database: Database): WriteAheadLog {
  let timer: NodeJS.Timeout | null = null;

  const emptySoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      if (!empty(database)) emptySoon();
    }, delayMs).unref();
  };

  return {
    emptySoon,
    close: () => {
      if (timer !== null) clearTimeout(timer);
      empty(database);
    },
  };
}

/** Returns whether the log is empty now. Does not wait for other processes. */
function empty(database: Database): boolean {
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number };
  try {
    database.exec('PRAGMA busy_timeout = 0');
    const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    return busy === 0;
  } catch {
    // The disk may be full, or a transaction is open. Nothing is lost, and the next attempt may succeed.
    return false;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}
