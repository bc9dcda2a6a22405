/** Finds damage in the files of the outbox by reading them. */
import { existsSync, readFileSync } from 'node:fs';
import type { Database } from '../sqlite/driver.ts';
import { findDamage } from '../sqlite/integrity.ts';
import { schemaVersion } from '../sqlite/migrate.ts';
import { sizeOf } from '../sqlite/open-read-only.ts';
import { isEarlier } from './earlier-tables.ts';
import { countChangedRecords } from './records.ts';
import { readLog } from './recovery/write-ahead-log.ts';
import { isOpChanged } from './rows.ts';
import { outboxMigrations } from './schema.ts';

/** In bytes. A database has at least one page, and SQLite has no smaller ones. */
const smallestPage = 512;

/**
 * Finds what SQLite would not report: it treats an emptied or removed outbox.db as a new one and deletes its log, and
 * it reads a damaged log up to the damage only. msg-tui itself never leaves an empty file.
 */
export function findFileDamage(path: string): string | null {
  const log = sizeOf(`${path}-wal`);
  if (log > 0 && readLog(readFileSync(`${path}-wal`)).isDamaged) return 'its log (outbox.db-wal) is damaged';
  if (existsSync(path)) return sizeOf(path) < smallestPage ? 'the file is empty' : null;
  return log + sizeOf(`${path}-journal`) > 0 ? 'the file is missing, and its journal is there' : null;
}

/** null when it is whole. Throws what SQLite throws for what it cannot even read. */
export function findOutboxDamage(database: Database): string | null {
  // The version is written in the same transaction as the tables.
  const version = schemaVersion(database);
  if (version === 0 || isEarlier(database) !== version < outboxMigrations.length)
    return 'its tables, or their version, are missing';
  const damage = findDamage(database, outboxMigrations, 'integrity_check');
  if (damage !== null) return damage;
  const changed =
    database.prepare('SELECT * FROM ops').all().filter(isOpChanged).length + countChangedRecords(database);
  return changed === 0 ? null : `${changed} of its messages and drafts are not as they were written`;
}
