/** The open outbox.db: every piece of work on it goes through here, and one that meets a damaged file is done in a new one. */
import { closeDatabase, type Database, inTransaction, type Statement, statementCache } from './driver.ts';
import { toStorageError } from './errors.ts';
import type { Salvaged } from './salvage.ts';

export interface Connection {
  readonly database: Database;
  /** Throws when what is written now would not be there at the next start. */
  readonly assertInPlace: () => void;
  /** Throws `corrupt` when a file was cut off beneath the connection. */
  readonly assertWhole: () => void;
}

export interface OutboxFile extends Connection {
  /** Sets the damaged file aside and connects to a new one that has what could be saved, also from `live`. */
  mend(live: Database): Connection & { readonly salvaged: Salvaged };
}

export class OutboxConnection {
  readonly #file: OutboxFile;
  #connection: Connection;
  #statements: (sql: string) => Statement;
  #salvaged: Salvaged | null;
  #onMended: (salvaged: Salvaged) => void = () => undefined;
  /** Only a sender mends: the others go on with the file that it has made at their next start. */
  mayMend = false;
  #isInside = false;

  constructor(file: OutboxFile, salvaged: Salvaged | null) {
    this.#file = file;
    this.#connection = file;
    this.#statements = statementCache(file.database);
    this.#salvaged = salvaged;
  }

  get database(): Database {
    return this.#connection.database;
  }

  /** What was saved the last time that the file was damaged. */
  get salvaged(): Salvaged | null {
    return this.#salvaged;
  }

  /** Told when the file was damaged while it was open, and a new one stands in its place. */
  onMended(tell: (salvaged: Salvaged) => void): void {
    this.#onMended = tell;
  }

  readonly prepare = (sql: string): Statement => this.#statements(sql);

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
      this.#connection.assertInPlace();
      return work();
    });
  }

  /** Throws `StorageError` alone. */
  guard<T>(verb: string, work: () => T): T {
    try {
      return this.#mending(work);
    } catch (error) {
      throw toStorageError(error, `The outbox was not ${verb}`);
    }
  }

  /** What can still be mended is; one that is not in its place is left alone. */
  close(): void {
    try {
      this.guard('closed', () => undefined);
    } catch {
      // Told where something was saved.
    }
    try {
      closeDatabase(this.database);
    } catch (error) {
      throw toStorageError(error, 'The outbox was not closed');
    }
  }

  #mending<T>(work: () => T): T {
    try {
      this.#connection.assertWhole();
      return work();
    } catch (error) {
      // What was written before in the same transaction would be lost: it is done anew as a whole.
      if (this.#isInside || !this.mayMend || toStorageError(error, '').kind !== 'corrupt') throw error;
    }
    // A file that somebody has put in the place of ours is not ours to mend.
    this.#connection.assertInPlace();
    const { salvaged, ...connection } = this.#file.mend(this.database);
    this.#connection = connection;
    this.#statements = statementCache(connection.database);
    this.#salvaged = salvaged;
    this.#onMended(salvaged);
    return work();
  }
}
