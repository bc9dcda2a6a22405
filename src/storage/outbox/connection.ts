/** The open outbox.db: every piece of work on it goes through here. */
import { type Database, inTransaction, type Statement, statementCache } from '../sqlite/driver.ts';
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import type { Salvaged } from './recovery/salvage.ts';

export interface OutboxFile {
  readonly database: Database;
  /** Throws when what is written now would not be there at the next start. */
  readonly assertInPlace: () => void;
  /** What was saved when this start found the file damaged; null when it was whole. */
  readonly salvaged: Salvaged | null;
}

export class OutboxConnection {
  readonly #file: OutboxFile;
  readonly prepare: (sql: string) => Statement;
  #isInside = false;

  constructor(file: OutboxFile) {
    this.#file = file;
    this.prepare = statementCache(file.database);
  }

  get database(): Database {
    return this.#file.database;
  }

  get salvaged(): Salvaged | null {
    return this.#file.salvaged;
  }

  /** One inside another joins it. */
  transaction<T>(work: () => T): T {
    if (this.#isInside) return work();
    this.#isInside = true;
    try {
      return inTransaction(this.database, work);
    } finally {
      this.#isInside = false;
    }
  }

  /** For words, and for what may not happen twice. */
  keep<T>(work: () => T): T {
    return this.guard('saved', () => {
      this.#file.assertInPlace();
      return work();
    });
  }

  /**
   * Throws `StorageError` alone. A file that is damaged while it is open is left as it is for the next start to
   * salvage.
   */
  guard<T>(verb: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      const problem = toStorageError(error, `The outbox was not ${verb}`);
      if (problem.kind !== 'corrupt') throw problem;
      const advice = 'Copy your words, quit, and start msg-tui again: it saves what can be read.';
      throw new StorageError('corrupt', `The outbox was damaged while it was open. ${advice}`, { cause: error });
    }
  }

  close(): void {
    try {
      // Removes the journal, which holds copies of pages from before the last change.
      this.database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    } catch {
      // Another process writes at this moment, or the disk fails: the journal stays, and harms nothing.
    }
    try {
      this.database.close();
    } catch (error) {
      throw toStorageError(error, 'The outbox was not closed');
    }
  }
}
