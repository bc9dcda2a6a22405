/** The sender lock: one process of a profile sends; the kernel frees the lock when it dies (R-LOCK). */
import { lstatSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase, openToRead } from '../sqlite/driver.ts';
import { remedies, StorageError, toStorageError } from '../sqlite/errors.ts';
import { prepareDirectory, prepareFile } from '../sqlite/private-files.ts';

export interface SenderLock {
  release(): void;
}

/** The process that has the lock. */
export interface LockHolder {
  /** Null when it is not known. */
  readonly heldBy: number | null;
  /** It is a command that sends what is queued and ends, and not a chat that stays open. */
  readonly isBrief?: true;
}

export type LockAnswer = SenderLock | LockHolder;

/** The error code SQLITE_BUSY: another process holds the lock. */
const busy = 5;

/** Which process is the sender, or null. Takes no lock and writes nothing. @throws StorageError */
export function senderOf(directory: string): { readonly pid: number | null } | null {
  const path = join(directory, 'sender.lock');
  const pid = readHolder(join(directory, 'sender.pid')).heldBy;
  // Asking takes a read lock for a moment, which would refuse the role to a process that starts just then. So it is
  // asked only where the lock may be held.
  if (!isThere(path) || (pid !== null && !isAlive(pid))) return null;
  const database = openToRead(path, { isAtRest: false });
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return null;
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === busy) return { pid };
    throw toStorageError(error, 'The process that sends cannot be determined');
  } finally {
    database.close();
  }
}

/** A file that may not be read is not absent: a process may hold it. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw toStorageError(error, 'The process that sends cannot be determined');
  }
}

/** EPERM means a live process of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
}

/** Keeps the connections referenced: a garbage-collected one is closed, which would release the lock unnoticed. */
const held = new Set<Database>();

/**
 * Never waits. @throws StorageError when the lock file cannot be created, and `no-locks` where the file system has no
 * locks: treating that as another sender would wait for ever, and sending without a lock could send twice
 *
 * @param isBrief the process is a command and releases the lock after some seconds; others learn it from `sender.pid`
 */
export function acquireSenderLock(directory: string, isBrief = false): LockAnswer {
  prepareDirectory(directory);
  const path = join(directory, 'sender.lock');
  const pidPath = join(directory, 'sender.pid');
  prepareFile(path);
  const database = lockOrEmpty(path);
  if (database === null) {
    refuseLockless(directory);
    return readHolder(pidPath);
  }
  // The process id is in a separate file, as other processes cannot read the locked file.
  regardless(() => writeFileSync(pidPath, `${process.pid}${isBrief ? brief : ''}`, { mode: 0o600 }));
  held.add(database);
  return { release: () => release(database, pidPath) };
}

/**
 * The lock file has no content, so one that a failing disk has damaged may be emptied. Only a process that could read
 * it finds that out, so no other process holds the lock then.
 */
function lockOrEmpty(path: string): Database | null {
  try {
    return lock(path);
  } catch (error) {
    if (toStorageError(error, '').kind !== 'corrupt') throw error;
    regardless(() => truncateSync(path));
    return lock(path);
  }
}

/** Directories whose file system is known to have locks. */
const lockable = new Set<string>();

/**
 * SQLite reports *busy* for a held lock and for a file system without locks. A new file with a random name is held by
 * nobody, so that *busy* there means no locks.
 */
function refuseLockless(directory: string): void {
  if (lockable.has(directory)) return;
  const path = join(directory, `sender.probe-${process.pid}`);
  let isLockless = false;
  // A file that cannot be created is reported by what needs one.
  regardless(() => {
    prepareFile(path);
    const database = lock(path);
    isLockless = database === null;
    if (database === null) return;
    lockable.add(directory);
    database.close();
  });
  regardless(() => rmSync(path, { force: true }));
  if (isLockless) throw new StorageError('no-locks', `The lock for sending cannot be taken: ${remedies['no-locks']}.`);
}

/** null when another process has the lock, or there are no locks. */
function lock(path: string): Database | null {
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { readonly errcode?: number }).errcode === busy) return null;
    throw toStorageError(error, 'The lock for sending cannot be taken');
  }
}

function release(database: Database, pidPath: string): void {
  if (!held.delete(database)) return;
  regardless(() => rmSync(pidPath, { force: true }));
  // A rollback, as nothing was written: a commit would use the disk, whose failure may be why this process ends.
  regardless(() => database.exec('ROLLBACK'));
  database.close();
}

/** Ignores errors: the lock alone counts, and the file with the process id may fail. */
function regardless(act: () => void): void {
  try {
    act();
  } catch {
    // The disk is full or fails.
  }
}

/** What follows the process id of a command. */
const brief = ' brief';
const unknownHolder: LockHolder = { heldBy: null };

/** The holder that the file names; unknown when the file has any other content, which any program could write. */
function readHolder(path: string): LockHolder {
  try {
    // The file is checked first, as reading a pipe would wait for a writer.
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > 20) return unknownHolder;
    const [, digits, mark] = /^([1-9]\d{0,9})( brief)?\n?$/.exec(readFileSync(path, 'utf8')) ?? [];
    if (digits === undefined) return unknownHolder;
    return { heldBy: Number(digits), ...(mark === brief && { isBrief: true }) };
  } catch {
    return unknownHolder;
  }
}

/** Whether the process is stopped by a signal (Ctrl-Z, SIGSTOP); it keeps its locks then. Always false but on Linux. */
export function isStopped(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The state follows the program's name in brackets, which may have any characters.
    return /^ [Tt] /.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return false;
  }
}
