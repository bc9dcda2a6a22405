/** Brings a database to the newest schema in one transaction, keeping a copy of the old one (R-STORE-4). */
import { rmSync } from 'node:fs';
import { prepareFile } from './directory.ts';
import { type Database, inTransaction } from './driver.ts';
import { StorageError } from './errors.ts';

/** `migrations[n]` leads from version n to n + 1; the first one makes the tables. */
export type Migrations = readonly string[];

/**
 * Throws `StorageError` `newer`, with nothing changed, when a later msg-tui wrote the file.
 * `path` names the copy (`<path>.v<version>`); null keeps none.
 */
export function migrate(database: Database, migrations: Migrations, path: string | null): void {
  const found = schemaVersion(database);
  if (found > migrations.length) {
    throw new StorageError(
      'newer',
      `The local data has version ${found} and this msg-tui knows up to ${migrations.length}: update msg-tui. Nothing was changed.`,
    );
  }
  if (found === migrations.length) return;
  if (found > 0 && path !== null) keepCopy(database, `${path}.v${found}`);
  inTransaction(database, () => {
    // Read again inside the lock: another process may have been faster.
    for (const step of migrations.slice(schemaVersion(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

export function schemaVersion(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

function keepCopy(database: Database, copy: string): void {
  rmSync(copy, { force: true });
  prepareFile(copy);
  database.prepare('VACUUM INTO ?').run(copy);
}
