/** Opens outbox.db whatever state it is in: new, of an older version, half salvaged, damaged. */
import { dirname, join } from 'node:path';
import { damageOf } from './damage.ts';
import { prepareDirectory, prepareFile } from './directory.ts';
import { type Database, openDatabase, openToRead } from './driver.ts';
import { StorageError, toStorageError } from './errors.ts';
import { rememberFiles, rememberSizes } from './in-place.ts';
import { settleLeftover } from './leftover.ts';
import { migrate } from './migrate.ts';
import { type OutboxRole, StoredOutbox } from './outbox.ts';
import { type Connection, OutboxConnection, type OutboxFile } from './outbox-connection.ts';
import { outboxMigrations } from './outbox-schema.ts';
import { type Salvaged, salvage } from './salvage.ts';

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
    return openAt(path, role, now, settleLeftover(path, now()));
  } catch (error) {
    const problem = toStorageError(error, 'The outbox cannot be opened');
    if (problem.kind !== 'corrupt') throw problem;
    return openAt(path, role, now, trySalvage(path, now()));
  }
}

function openAt(path: string, role: OutboxRole, now: () => number, salvaged: Salvaged | null): StoredOutbox {
  const file: OutboxFile = {
    ...connect(path),
    mend: (live) => {
      const mended = trySalvage(path, now(), live);
      closeRegardless(live);
      return { ...connect(path), salvaged: mended };
    },
  };
  return new StoredOutbox(new OutboxConnection(file, salvaged), role, now);
}

function connect(path: string): Connection {
  prepareFile(path);
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    migrate(database, outboxMigrations, path);
    // fullfsync: on macOS a plain fsync stops at the drive's own cache; no effect elsewhere.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1');
    refuseDamaged(database);
    // Room for the whole of it, as a rule: what is emptied beneath us is saved from there.
    database.exec('PRAGMA cache_size = -16384');
    // Without its lock file a second process would hold the sender role, too.
    const files = [path, `${path}-wal`, join(dirname(path), 'sender.lock')];
    const assertWhole = rememberSizes(path, () => isWhole(path));
    assertWhole();
    return { database, assertInPlace: rememberFiles(files), assertWhole };
  } catch (error) {
    database.close();
    throw toStorageError(error, 'The outbox cannot be opened');
  }
}

/** A connection that remembers nothing sees what the files hold. */
function isWhole(path: string): boolean {
  try {
    const database = openToRead(path, { isAtRest: false });
    try {
      return damageOf(database, outboxMigrations) === null;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

/** Its file has another name or none by now: it touches nothing of the new one. */
function closeRegardless(database: Database): void {
  try {
    database.close();
  } catch {
    // What it held has been copied.
  }
}

function refuseDamaged(database: Database): void {
  const damage = damageOf(database, outboxMigrations);
  if (damage !== null) throw new StorageError('corrupt', `The outbox is damaged (${damage}).`);
}

function trySalvage(path: string, now: number, live: Database | null = null): Salvaged {
  try {
    return salvage(path, now, live);
  } catch (error) {
    throw toStorageError(error, 'The damaged outbox could not be replaced, nothing was deleted');
  }
}
