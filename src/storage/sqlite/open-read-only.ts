/** Reads a database without changing a byte of it, whichever process has it open and however a crash left it. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, openToRead } from './driver.ts';
import { StorageError, toStorageError } from './errors.ts';

/** In bytes; larger files are not copied. */
const largestCopy = 64 * 1024 * 1024;

/**
 * Opens the file, calls `read` and closes the file. Where a crash has left a log or a journal, a copy of all files is
 * read, as opening the originals would apply one to the other.
 * @param isInUse a process has the file open, so that SQLite's locks order reads and writes
 */
export function readDatabase<T>(path: string, isInUse: boolean, read: (database: Database) => T): T {
  const log = sizeOf(`${path}-wal`);
  if (isInUse) return closing(openToRead(path, { isAtRest: false }), read);
  if (log === 0 && !isHot(`${path}-journal`)) return closing(openToRead(path, { isAtRest: hasLog(path) }), read);
  const folder = copied(path);
  return folder === null ? closing(openToRead(path, { isAtRest: false }), read) : readCopy(folder, read);
}

/**
 * Reads a file that a process may have open and be writing, without finding out which one; null where there is no file.
 * @param waitMs how long it waits at most for a write of another process
 * @throws StorageError
 */
export function readShared<T>(path: string, waitMs: number, read: (database: Database) => T): T | null {
  try {
    if (isMissing(path)) return null;
    const odd = notAFile(path);
    if (odd !== null) throw new StorageError('permission', `${odd} is not a file; move it away.`);
    return readInPlace(path, waitMs, read);
  } catch (error) {
    throw toStorageError(error, 'The local files cannot be read');
  }
}

/** @throws where nobody can say whether the file is there, as a folder of its path is a file or may not be read */
function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code === 'ENOTDIR')
      throw new StorageError('io', `The local files cannot be read: a part of the path ${path} is not a folder.`);
    throw error;
  }
}

function readInPlace<T>(path: string, waitMs: number, read: (database: Database) => T): T {
  // A file with a log has none beside it while nobody has it open. A file with a journal does not show whether it is open.
  const isAtRest = !existsSync(`${path}-wal`) && hasLog(path);
  try {
    return closing(openToRead(path, { isAtRest }), read, waitMs);
  } catch (error) {
    // A crash has left a transaction in the journal, and one who only reads may not undo it.
    const folder = toStorageError(error, '').kind === 'read-only' ? copied(path) : null;
    if (folder === null) throw error;
    return readCopy(folder, read);
  }
}

function readCopy<T>(folder: string, read: (database: Database) => T): T {
  try {
    return closing(openDatabase(join(folder, 'copy.db')), read);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** null when the file is too large, or there is no space for the copy. */
function copied(path: string): string | null {
  if (sizeOf(path) + sizeOf(`${path}-wal`) > largestCopy) return null;
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), 'msg-tui-look-'));
    // The file is copied last, so that the copied journal can undo a transaction that begins meanwhile.
    for (const suffix of ['-journal', '-wal', ''])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, join(folder, `copy.db${suffix}`));
    return folder;
  } catch {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

function closing<T>(database: Database, read: (database: Database) => T, waitMs = 1_000): T {
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    return read(database);
  } finally {
    database.close();
  }
}

/** SQLite undoes the transaction of a journal whose first byte is not zero. */
export function isHot(journal: string): boolean {
  return firstBytes(journal, 1)[0] !== 0 && sizeOf(journal) > 0;
}

/** Whether the file was last written with a write-ahead log, which opening creates unless it is immutable. */
const hasLog = (path: string): boolean => firstBytes(path, 20)[18] === 2;

function firstBytes(path: string, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  if (sizeOf(path) === 0) return bytes;
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, count, 0);
  } finally {
    closeSync(file);
  }
  return bytes;
}

/**
 * Returns what is no file: the database, or one that SQLite opens beside it, for which it would wait where that is a pipe.
 * null when all are files, or missing.
 */
export function notAFile(path: string): string | null {
  const paths = ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
  return paths.find((one) => lstatSync(one, { throwIfNoEntry: false })?.isFile() === false) ?? null;
}

/** In bytes; 0 for a missing file, and for one that may not be read. */
export function sizeOf(path: string): number {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}
