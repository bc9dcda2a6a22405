/** Brings a database to the newest schema in one transaction, keeping a copy of the old one (R-STORE-4). */
import { rmSync } from 'node:fs';
import { type Database, inTransaction, openDatabase } from './driver.ts';
import { StorageError } from './errors.ts';
import { prepareFile } from './private-files.ts';

/** `migrations[n]` leads from version n to n + 1; the first one makes the tables. */
export type Migrations = readonly (string | MigrationWithRows)[];

export interface MigrationWithRows {
  readonly sql: string;
  /** Changes rows in the same transaction, after `sql`. */
  readonly changeRows: (database: Database) => void;
}

export const sqlOf = (step: Migrations[number]): string => (typeof step === 'string' ? step : step.sql);

/**
 * Throws `StorageError` `newer`, with nothing changed, when a later msg-tui wrote the file.
 * `path` is that of the file, and names the copy (`<path>.v<version>`); null keeps none.
 */
export function migrate(database: Database, migrations: Migrations, path: string | null): void {
  if (refuseNewer(database, migrations) === migrations.length) return;
  inTransaction(database, () => {
    // The version is read again within the lock: another process may have migrated and copied the file meanwhile.
    const held = refuseNewer(database, migrations);
    if (held > 0 && held < migrations.length && path !== null) keepCopy(path, `${path}.v${held}`);
    for (const step of migrations.slice(held)) {
      database.exec(sqlOf(step));
      if (typeof step !== 'string') step.changeRows(database);
    }
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

/** Returns the version of the schema. Throws `StorageError` `newer`. */
export function refuseNewer(database: Database, migrations: Migrations): number {
  const found = schemaVersion(database);
  if (found > migrations.length) throw newerError(found, migrations.length);
  return found;
}

export const newerError = (found: number | null, known: number): StorageError =>
  new StorageError(
    'newer',
    `The local data has version ${found} and this msg-tui knows up to ${known}: update msg-tui. Nothing was changed.`,
  );

export function schemaVersion(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** Uses a second connection, as `VACUUM INTO` does not work within a transaction; it reads the state before it. */
function keepCopy(path: string, copy: string): void {
  rmSync(copy, { force: true });
  prepareFile(copy);
  const reader = openDatabase(path);
  try {
    // No prepared statement is used, as it could keep the file open.
    reader.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
  } finally {
    reader.close();
  }
}
