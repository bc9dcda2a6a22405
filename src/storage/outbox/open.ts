/** Opens outbox.db whatever state it is in: new, of an older version, half salvaged, damaged. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Database, openDatabase } from '../sqlite/driver.ts';
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import { rememberFiles } from '../sqlite/file-identity.ts';
import { migrate } from '../sqlite/migrate.ts';
import { sizeOf } from '../sqlite/open-read-only.ts';
import { prepareDirectory, prepareFile } from '../sqlite/private-files.ts';
import { OutboxConnection } from './connection.ts';
import { inspectOutbox } from './inspect.ts';
import { type OutboxRole, StoredOutbox } from './outbox.ts';
import { finishSalvage, type Salvaged, salvage } from './recovery/salvage.ts';
import { outboxMigrations } from './schema.ts';

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
  const salvaged = role === 'sender' ? salvageIfDamaged(path, now) : refuseDamaged(path);
  const isNew = !existsSync(path);
  prepareFile(path);
  // Before it is opened: what is put in its place from now on is noticed. Without its lock file a second process would hold
  // the sender role, too.
  const assertInPlace = rememberFiles([path, join(dirname(path), 'sender.lock')]);
  const database = connect(path, isNew);
  return new StoredOutbox(new OutboxConnection({ database, assertInPlace, salvaged }), role, now);
}

/**
 * The look comes before the file is opened to be written: opening it would drop the rest of a damaged log, and undo half of
 * what a damaged journal should undo. It is the same look as that of `doctor`.
 */
function salvageIfDamaged(path: string, now: () => number): Salvaged | null {
  const isDamaged = (): boolean => inspectOutbox(dirname(path), false).condition === 'damaged';
  try {
    finishSalvage(path, now());
    if (!isDamaged()) return null;
    // Another program may have been writing at that moment.
    pause(recheckMs);
    return isDamaged() ? salvage(path, now()) : null;
  } catch (error) {
    throw toStorageError(error, 'The damaged outbox could not be replaced, nothing was deleted');
  }
}

const recheckMs = 100;
/** So long a reader leaves it to the sender, which starts at the same time, to make the file. */
const makingMs = 2_000;
const makingStepMs = 20;

function refuseDamaged(path: string): null {
  const isEmpty = (): boolean => sizeOf(path) === 0 && sizeOf(`${path}-wal`) === 0;
  for (let waited = 0; isEmpty() && waited < makingMs; waited += makingStepMs) pause(makingStepMs);
  const { condition, problem } = inspectOutbox(dirname(path), true);
  if (existsSync(`${path}.salvaged`) || (condition === 'damaged' && !isEmpty()))
    throw new StorageError('corrupt', `The outbox is damaged (${problem ?? 'it is being replaced'}).`);
  return null;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function connect(path: string, isNew: boolean): Database {
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    migrate(database, outboxMigrations, path);
    keepJournal(database);
    return database;
  } catch (error) {
    database.close();
    // An empty file would be taken for an emptied one at the next start.
    if (isNew && sizeOf(path) === 0) rmSync(path, { force: true });
    throw toStorageError(error, 'The outbox cannot be opened');
  }
}

/**
 * A rollback journal and no write-ahead log: what Enter has confirmed stands in outbox.db itself, so that no other file can
 * take it along (docs/decisions/2026-11-outbox-journal.md). The journal is kept between transactions, as a file whose size
 * does not change is synchronised faster.
 */
function keepJournal(database: Database): void {
  try {
    database.exec('PRAGMA journal_mode = PERSIST');
  } catch (error) {
    // A program of an earlier version has the file open with its log: the next start does it.
    if ((error as { readonly errcode?: number }).errcode !== 5 && !String(error).includes('locked')) throw error;
  }
  // fullfsync: on macOS a plain fsync stops at the drive's own cache; no effect elsewhere.
  database.exec('PRAGMA synchronous = EXTRA; PRAGMA fullfsync = 1; PRAGMA journal_size_limit = 1048576');
}
