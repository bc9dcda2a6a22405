/** Reads a database without changing a byte of it, whichever process has it open and however a crash left it. */
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, openToRead } from './driver.ts';

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
  const folder = sizeOf(path) + log > largestCopy ? null : copied(path);
  if (folder === null) return closing(openToRead(path, { isAtRest: false }), read);
  try {
    return closing(openDatabase(join(folder, 'copy.db')), read);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** null when there is no space for the copy. */
function copied(path: string): string | null {
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

function closing<T>(database: Database, read: (database: Database) => T): T {
  try {
    database.exec('PRAGMA busy_timeout = 1000');
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

/** In bytes; 0 for a missing file, and for one that may not be read. */
export function sizeOf(path: string): number {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}
