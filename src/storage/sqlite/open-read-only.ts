/** A look into a database that changes no byte of it, whoever has it open, however it was left. */
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, openToRead } from './driver.ts';

/** Larger files are not copied. */
const largestCopy = 64 * 1024 * 1024;

/**
 * Opens the file for `look` and closes it again. `isInUse`: a process has it open, and reads and writes are sorted out by
 * SQLite's own locks. With a log or a journal that a crash left behind, a copy of all of them is looked at, as opening them
 * would fold one into the other.
 */
export function readDatabase<T>(path: string, isInUse: boolean, look: (database: Database) => T): T {
  const log = sizeOf(`${path}-wal`);
  if (isInUse) return closing(openToRead(path, { isAtRest: false }), look);
  if (log === 0 && !isHot(`${path}-journal`)) return closing(openToRead(path, { isAtRest: hasLog(path) }), look);
  const folder = sizeOf(path) + log > largestCopy ? null : copied(path);
  if (folder === null) return closing(openToRead(path, { isAtRest: false }), look);
  try {
    return closing(openDatabase(join(folder, 'copy.db')), look);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** null where there is no room for it. */
function copied(path: string): string | null {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), 'msg-tui-look-'));
    // The file last: a transaction that begins meanwhile can still be undone by the copy of its journal.
    for (const suffix of ['-journal', '-wal', ''])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, join(folder, `copy.db${suffix}`));
    return folder;
  } catch {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

function closing<T>(database: Database, look: (database: Database) => T): T {
  try {
    database.exec('PRAGMA busy_timeout = 1000');
    return look(database);
  } finally {
    database.close();
  }
}

/** SQLite undoes the transaction of a journal whose first byte is not zero. */
export function isHot(journal: string): boolean {
  return firstBytes(journal, 1)[0] !== 0 && sizeOf(journal) > 0;
}

/**
 * The file was last written with a write-ahead log: to open it is to make one, unless SQLite is told that it is at
 * rest.
 */
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

/** 0 for what is not there or may not be looked at. */
export function sizeOf(path: string): number {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}
