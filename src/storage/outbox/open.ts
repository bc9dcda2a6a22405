/** Opens outbox.db in whatever state it is: new, of an older version, partly salvaged, damaged. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Database, openDatabase } from '../sqlite/driver.ts';
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import { migrate, schemaVersion } from '../sqlite/migrate.ts';
import { sizeOf } from '../sqlite/open-read-only.ts';
import { prepareDirectory, prepareFile } from '../sqlite/private-files.ts';
import { OutboxConnection, rememberFiles } from './connection.ts';
import { inspectOutbox } from './inspect-outbox.ts';
import { type OutboxRole, StoredOutbox } from './outbox.ts';
import { finishSalvage, type Salvaged, salvage } from './recovery/salvage.ts';
import { outboxMigrations } from './schema.ts';

export interface OutboxOptions {
  /** Default `sender`. Only a sender may end attempts that were left unfinished, and repair the file. */
  readonly role?: OutboxRole;
  readonly now?: () => number;
}

/**
 * Throws `StorageError`: `newer`, `in-use`, `permission`, `no-sqlite`, `full` …; `corrupt` for readers only, as a
 * sender salvages the file.
 */
export function openOutbox(directory: string, options: OutboxOptions = {}): StoredOutbox {
  const { role = 'sender', now = Date.now } = options;
  prepareDirectory(directory);
  const path = join(directory, 'outbox.db');
  const salvaged = role === 'sender' ? salvageIfDamaged(path, now) : refuseDamaged(path);
  const isNew = !existsSync(path);
  prepareFile(path);
  // Remembered before the file is opened, so that a later replacement is noticed. The lock file is included: without it
  // a second process could become the sender.
  const assertInPlace = rememberFiles([path, join(dirname(path), 'sender.lock')]);
  const database = connect(path, isNew, role);
  return new StoredOutbox(new OutboxConnection({ database, assertInPlace, salvaged }), role, now);
}

/**
 * Inspects the file before it is opened for writing: opening it would drop the rest of a damaged log, and apply only
 * half of a damaged journal. `doctor` uses the same inspection.
 */
function salvageIfDamaged(path: string, now: () => number): Salvaged | null {
  const isDamaged = (): boolean => inspectOutbox(dirname(path), false).condition === 'damaged';
  try {
    finishSalvage(path, now());
    if (!isDamaged()) return null;
    // Another process may have been writing at that moment, so it is inspected again.
    pause(recheckMs);
    return isDamaged() ? salvage(path, now()) : null;
  } catch (error) {
    throw toStorageError(error, 'The damaged outbox could not be replaced, nothing was deleted');
  }
}

const recheckMs = 100;
/** A reader waits this long for the sender, which may be starting at the same time, to create or migrate the file. */
const makingMs = 2_000;
const makingStepMs = 20;

function refuseDamaged(path: string): null {
  const isEmpty = (): boolean => sizeOf(path) === 0 && sizeOf(`${path}-wal`) === 0;
  const inspected = (): ReturnType<typeof inspectOutbox> => inspectOutbox(dirname(path), true);
  const isUnmade = (): boolean => isEmpty() || isOlder(inspected());
  for (let waited = 0; isUnmade() && waited < makingMs; waited += makingStepMs) pause(makingStepMs);
  const { condition, problem } = inspected();
  if (existsSync(`${path}.salvaged`) || (condition === 'damaged' && !isEmpty()))
    throw new StorageError('corrupt', `The outbox is damaged (${problem ?? 'it is being replaced'}). ${repairAdvice}`);
  return null;
}

/** Only a sender repairs, and another process is the sender. */
const repairAdvice = 'Quit the msg-tui that is open, and start again: that saves what can be read.';

const isOlder = ({ condition, version, knownVersion }: ReturnType<typeof inspectOutbox>): boolean =>
  condition === 'whole' && version !== null && version < knownVersion;

/** A sender of that version may be running, and it could not save drafts in the tables of this one. */
const olderError = (): StorageError =>
  new StorageError(
    'in-use',
    'The local data is of an earlier version of msg-tui: quit the one that is running, then start msg-tui again. Nothing was changed.',
  );

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function connect(path: string, isNew: boolean, role: OutboxRole): Database {
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    // What the user deletes or discards is overwritten in the file.
    database.exec('PRAGMA secure_delete = ON');
    const version = schemaVersion(database);
    if (role === 'reader' && version > 0 && version < outboxMigrations.length) throw olderError();
    migrate(database, outboxMigrations, path);
    keepJournal(database);
    if (version < outboxMigrations.length) orderPages(database);
    return database;
  } catch (error) {
    database.close();
    // The next start would treat an empty file as damaged.
    if (isNew && sizeOf(path) === 0) rmSync(path, { force: true });
    throw toStorageError(error, 'The outbox cannot be opened');
  }
}

/** Gives the tables the root pages that those of a new file have, by which salvage finds them. */
function orderPages(database: Database): void {
  try {
    database.exec('VACUUM');
  } catch {
    // Another process reads, or the disk is full: the order of the pages matters only if the first page is lost later.
  }
}

/**
 * A rollback journal and no write-ahead log: what Enter has confirmed is in outbox.db itself, so that it cannot be lost
 * with another file (docs/decisions/2026-11-outbox-journal.md). The journal is kept between transactions, as a file whose size
 * does not change is synchronised faster.
 */
function keepJournal(database: Database): void {
  try {
    database.exec('PRAGMA journal_mode = PERSIST');
  } catch (error) {
    // 5, SQLITE_BUSY: a process of an earlier version has the file open with its log. The next start changes the mode.
    if ((error as { readonly errcode?: number }).errcode !== 5 && !String(error).includes('locked')) throw error;
  }
  // fullfsync: on macOS a plain fsync stops at the drive's own cache; no effect elsewhere.
  database.exec('PRAGMA synchronous = EXTRA; PRAGMA fullfsync = 1; PRAGMA journal_size_limit = 1048576');
}
