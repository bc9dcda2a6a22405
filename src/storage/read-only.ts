/** A look into a database that changes no byte of it, whoever has it open, however it was left. */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, openToRead } from './driver.ts';

/** Larger files are not copied. */
const largestCopy = 64 * 1024 * 1024;

/**
 * Opens the file for `look` and closes it again. `isInUse`: a process has it open, and reads and writes are sorted out by
 * SQLite's own locks. At rest the file alone is read; with a log that a crash left behind, a copy of both, as opening
 * them would fold one into the other.
 */
export function lookInto<T>(path: string, isInUse: boolean, look: (database: Database) => T): T {
  const log = sizeOf(`${path}-wal`);
  if (isInUse || log > 0) {
    if (isInUse || sizeOf(path) + log > largestCopy) return closing(openToRead(path, { isAtRest: false }), look);
    return onCopy(path, look);
  }
  return closing(openToRead(path, { isAtRest: true }), look);
}

function onCopy<T>(path: string, look: (database: Database) => T): T {
  const folder = copied(path);
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
    for (const suffix of ['', '-wal'])
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

/** 0 for what is not there or may not be looked at. */
export function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}
