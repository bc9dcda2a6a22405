/** Brings a database to the newest schema in one transaction, keeping a copy of the old one (R-STORE-4). */
import { rmSync } from 'node:fs';
import { type Database, inTransaction, openDatabase } from './driver.ts';
import { StorageError } from './errors.ts';
import { prepareFile } from './private-files.ts';

/** `migrations[n]` leads from version n to n + 1; the first one makes the tables. */
export type Migrations = readonly string[];

/**
 * Throws `StorageError` `newer`, with nothing changed, when a later msg-tui wrote the file.
 * `path` is where it lies, and names the copy (`<path>.v<version>`); null keeps none.
 */
export function migrate(database: Database, migrations: Migrations, path: string | null): void {
  if (refuseNewer(database, migrations) === migrations.length) return;
  inTransaction(database, () => {
    // Read again inside the lock: another process may have been faster, and its copy is the one to keep.
    const held = refuseNewer(database, migrations);
    if (held > 0 && held < migrations.length && path !== null) keepCopy(path, `${path}.v${held}`);
    for (const step of migrations.slice(held)) database.exec(step);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

/** Its version. Throws `StorageError` `newer`. */
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

/** By a connection of its own, as one that is in a transaction makes no copies: it reads what was there before. */
function keepCopy(path: string, copy: string): void {
  rmSync(copy, { force: true });
  prepareFile(copy);
  const reader = openDatabase(path);
  try {
    // Not as a prepared statement, which could keep the file open.
    reader.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
  } finally {
    reader.close();
  }
}
