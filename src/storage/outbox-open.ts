/** Opens outbox.db whatever state it is in: new, of an older version, half salvaged, damaged. */
import { dirname, join } from 'node:path';
import { damageOf } from './damage.ts';
import { prepareDirectory, prepareFile } from './directory.ts';
import { type Database, openDatabase } from './driver.ts';
import { StorageError, toStorageError } from './errors.ts';
import { rememberFiles } from './in-place.ts';
import { migrate } from './migrate.ts';
import { type OutboxRole, StoredOutbox } from './outbox.ts';
import { outboxMigrations } from './outbox-schema.ts';
import { finishSalvage, type Salvaged, salvage } from './salvage.ts';

export interface OutboxOptions {
  /** Default `sender`. Only a sender may turn interrupted ops into `unsure` ones and repair the file. */
  readonly role?: OutboxRole;
  readonly now?: () => number;
}

/** Throws `StorageError`: `newer`, `permission`, `no-sqlite`, `full` …; `corrupt` for readers only, senders salvage. */
export function openOutbox(directory: string, options: OutboxOptions = {}): StoredOutbox {
  const { role = 'sender', now = Date.now } = options;
  prepareDirectory(directory);
  const path = join(directory, 'outbox.db');
  if (role === 'reader') return openAt(path, role, now, null);
  try {
    finishSalvage(path);
    return openAt(path, role, now, null);
  } catch (error) {
    const problem = toStorageError(error, 'The outbox cannot be opened');
    if (problem.kind !== 'corrupt') throw problem;
    return openAt(path, role, now, trySalvage(path, now()));
  }
}

function openAt(path: string, role: OutboxRole, now: () => number, salvaged: Salvaged | null): StoredOutbox {
  prepareFile(path);
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    migrate(database, outboxMigrations, path);
    // fullfsync: on macOS a plain fsync stops at the drive's own cache; no effect elsewhere.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1');
    refuseDamaged(database);
    // Without its lock file a second process would hold the sender role, too.
    const files = [path, `${path}-wal`, join(dirname(path), 'sender.lock')];
    return new StoredOutbox(database, role, now, salvaged, rememberFiles(files));
  } catch (error) {
    database.close();
    throw toStorageError(error, 'The outbox cannot be opened');
  }
}

function refuseDamaged(database: Database): void {
  const damage = damageOf(database, outboxMigrations);
  if (damage !== null) throw new StorageError('corrupt', `The outbox is damaged (${damage}).`);
}

function trySalvage(path: string, now: number): Salvaged {
  try {
    return salvage(path, now);
  } catch (error) {
    throw toStorageError(error, 'The damaged outbox could not be replaced, nothing was deleted');
  }
}
