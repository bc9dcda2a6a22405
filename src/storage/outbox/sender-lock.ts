/** The sender role: one process of a profile sends, by a lock that the kernel frees when its holder dies (R-LOCK). */
import { lstatSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase, openToRead } from '../sqlite/driver.ts';
import { remedies, StorageError, toStorageError } from '../sqlite/errors.ts';
import { prepareDirectory, prepareFile } from '../sqlite/private-files.ts';

export interface SenderLock {
  release(): void;
}

/** `heldBy`: the process that sends for this profile; null when it could not be told. */
export type LockAnswer = SenderLock | { readonly heldBy: number | null };

const busy = 5;

/**
 * Who has the sender role: null when nobody. Takes nothing and writes nothing. Throws `StorageError` when it cannot be
 * told.
 */
export function senderOf(directory: string): { readonly pid: number | null } | null {
  const path = join(directory, 'sender.lock');
  const pid = readPid(join(directory, 'sender.pid'));
  // A reading lock of ours would refuse the role to one who starts in this very moment: asked only where it may be held.
  if (!isThere(path) || (pid !== null && !isAlive(pid))) return null;
  const database = openToRead(path, { isAtRest: false });
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return null;
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === busy) return { pid };
    throw toStorageError(error, 'The sender role cannot be looked at');
  } finally {
    database.close();
  }
}

/** What may not be looked at is not simply absent: somebody may hold it. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw toStorageError(error, 'Who sends cannot be told');
  }
}

/** One of another user is alive, too. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
}

/** A connection that nothing refers to is closed when it is collected, and the role would be lost without a word. */
const held = new Set<Database>();

/**
 * Never waits. Throws `StorageError` when the lock file cannot be made, and `no-locks` where nobody could hold it: to take
 * that for another sender would be to wait for ever, and to send without a lock might be to send twice.
 */
export function acquireSenderLock(directory: string): LockAnswer {
  prepareDirectory(directory);
  const path = join(directory, 'sender.lock');
  const pidPath = join(directory, 'sender.pid');
  prepareFile(path);
  const database = lockOrEmpty(path);
  if (database === null) {
    refuseLockless(directory);
    return { heldBy: readPid(pidPath) };
  }
  // Who holds it stands beside the lock: the locked file cannot be read by others.
  regardless(() => writeFileSync(pidPath, String(process.pid), { mode: 0o600 }));
  held.add(database);
  return { release: () => release(database, pidPath) };
}

/**
 * Nothing is ever written into the file: what a failing disk has put there must not keep the words back. Who finds that it is
 * no database has read it, which nobody can while the role is held.
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

/** Where a lock was refused and another one was not. */
const lockable = new Set<string>();

/** SQLite says *busy* for both. A file that nobody else knows of is held by nobody else. */
function refuseLockless(directory: string): void {
  if (lockable.has(directory)) return;
  const path = join(directory, `sender.probe-${process.pid}`);
  let isLockless = false;
  // Where no file can be made that is told by what needs one.
  regardless(() => {
    prepareFile(path);
    const database = lock(path);
    isLockless = database === null;
    if (database === null) return;
    lockable.add(directory);
    database.close();
  });
  regardless(() => rmSync(path, { force: true }));
  if (isLockless) throw new StorageError('no-locks', `The sender role cannot be taken: ${remedies['no-locks']}.`);
}

/** null: somebody else has it, or there are no locks. */
function lock(path: string): Database | null {
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { readonly errcode?: number }).errcode === busy) return null;
    throw toStorageError(error, 'The sender role cannot be taken');
  }
}

function release(database: Database, pidPath: string): void {
  if (!held.delete(database)) return;
  regardless(() => rmSync(pidPath, { force: true }));
  // Nothing was written: a commit would touch the disk, which may be why this process ends.
  regardless(() => database.exec('ROLLBACK'));
  database.close();
}

/** The role is the lock alone; the note of who holds it may fail. */
function regardless(act: () => void): void {
  try {
    act();
  } catch {
    // A full or failing disk.
  }
}

/** Whoever can write there may write anything: a process's number in decimal, or nothing. */
function readPid(path: string): number | null {
  try {
    // Who only looks has not refused a pipe yet, and would wait for its writer.
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > 16) return null;
    const [, digits] = /^([1-9]\d{0,9})\n?$/.exec(readFileSync(path, 'utf8')) ?? [];
    return digits === undefined ? null : Number(digits);
  } catch {
    return null;
  }
}

/** Stopped by a signal (Ctrl-Z, SIGSTOP): it does nothing, and keeps its locks. Told on Linux alone. */
export function isStopped(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, which comes before in brackets, may hold anything.
    return /^ [Tt] /.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return false;
  }
}
