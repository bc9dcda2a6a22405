/** The open outbox.db: its transactions, its errors, and whether it is still the file at its path. */

import { lstatSync } from 'node:fs';
import { type Database, inTransaction, type Statement, statementCache } from '../sqlite/driver.ts';
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import type { Salvaged } from './recovery/salvage.ts';

export interface OutboxFile {
  readonly database: Database;
  /** Throws when the open file is no longer the one at its path, so that a write would be lost. */
  readonly assertInPlace: () => void;
  /** What this start saved from a damaged file; null when the file was whole. */
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

  /** A transaction inside another one is part of it. */
  transaction<T>(work: () => T): T {
    if (this.#isInside) return work();
    this.#isInside = true;
    try {
      return inTransaction(this.database, work);
    } finally {
      this.#isInside = false;
    }
  }

  /** For writes that must not be lost: texts of the user, and records that keep a message from being sent twice. */
  save<T>(work: () => T): T {
    return this.guard('saved', () => {
      this.#file.assertInPlace();
      return work();
    });
  }

  /**
   * Turns every error into a `StorageError`. A file damaged while it is open is left for the next start.
   * @param verb the end of the sentence "The outbox was not …"
   */
  guard<T>(verb: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      const problem = toStorageError(error, `The outbox was not ${verb}`);
      if (problem.kind !== 'corrupt') throw problem;
      const advice = 'Copy your unsent text, quit, and start msg-tui again: it saves what can be read.';
      throw new StorageError('corrupt', `The outbox was damaged while it was open. ${advice}`, { cause: error });
    }
  }

  close(): void {
    try {
      // Removes the journal, which has copies of pages from before the last change.
      this.database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    } catch {
      // Another process is writing, or the disk fails: the journal stays, which does no harm.
    }
    try {
      this.database.close();
    } catch (error) {
      throw toStorageError(error, 'The outbox was not closed');
    }
  }
}

/**
 * Remembers the files at the paths; a missing one, once it is first seen. @returns a check that costs microseconds a
 * file and throws `StorageError` `replaced` when a file was deleted, moved or replaced
 */
export function rememberFiles(paths: readonly string[]): () => void {
  const known = paths.map(fileAt);
  return () => {
    for (const [index, path] of paths.entries()) {
      const now = fileAt(path);
      known[index] ??= now;
      if (now !== known[index])
        throw new StorageError(
          'replaced',
          'The files of the outbox were deleted or replaced. Copy your unsent text, quit, and start msg-tui again.',
        );
    }
  };
}

function fileAt(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
