/** Keeps files private (R-PERM): directories have mode 0700, files 0600; links and files of other users are refused. */
import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StorageError, toStorageError } from './errors.ts';

/**
 * Creates the directory (and its parents) or repairs the modes of what is there, its files included.
 * Throws `StorageError` `permission` when it, or one of our own above it, is a link or belongs to another user, or when it
 * holds a link.
 */
export function prepareDirectory(path: string): void {
  try {
    for (const own of ownAbove(path)) makePrivate(own, 0o700);
    makeDirectory(path);
    makePrivate(path, 0o700);
    for (const entry of readdirSync(path)) {
      const file = join(path, entry);
      // Another process may have removed a journal meanwhile.
      makePrivate(file, lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true ? 0o700 : 0o600);
    }
  } catch (error) {
    throw toStorageError(error, `The directory ${path} cannot be used`);
  }
}

/** The directories above that msg-tui creates, outermost first: who can write there could replace this one. */
export function ownAbove(path: string): readonly string[] {
  const parent = dirname(path);
  if (parent === path) return [];
  const isAccount = basename(parent) === 'profiles' && basename(dirname(parent)) === 'msg-tui';
  if (isAccount) return [dirname(parent), parent];
  const above = ownAbove(parent);
  return above.length === 0 ? [] : [...above, parent];
}

/** On a read-only file system a recursive mkdir fails with ENOENT; the plain call gives the real cause. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}

/**
 * Creates an empty 0600 file or repairs the mode of the one there, before SQLite opens it: `-wal` and `-shm` inherit it.
 * An existing file is not opened: closing it would drop the locks that SQLite holds on it in this process.
 */
export function prepareFile(path: string): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      closeSync(openSync(path, 'wx', 0o600));
      return;
    }
    if (stats.isDirectory()) throw new StorageError('permission', `${path} is a directory; move it away.`);
    makePrivate(path, 0o600);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return;
    throw toStorageError(error, `The file ${path} cannot be used`);
  }
}

function makePrivate(path: string, mode: number): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A -wal or -shm file disappears when another process closes the database.
  if (stats === undefined) return;
  refuseForeign(path, stats);
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

function refuseForeign(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) {
    throw new StorageError('permission', `${path} is a symbolic link; replace it by a real directory or file.`);
  }
  // Opening a pipe would wait for a writer.
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new StorageError('permission', `${path} is a pipe, a socket or a device; move it away.`);
  }
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid) {
    throw new StorageError(
      'permission',
      `${path} belongs to another user (uid ${stats.uid}); run msg-tui as that user or move it away.`,
    );
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as { readonly code?: unknown }).code === code;
}
