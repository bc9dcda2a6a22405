/** Replaces a file as a whole, so that a crash leaves the old or the new one: temporary file, fsync, rename. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode } from './errors.ts';

/**
 * Creates the directory (0700) if need be. A link stays, and the file that it points to is replaced.
 * @param mayReplace asked once the text is on disk, which takes a while; false leaves the file as it is. No other program that
 * asks as well replaces the file between the answer and the rename.
 * @returns whether the file was replaced
 */
export function writeAtomically(path: string, text: string, mode: number, mayReplace?: () => boolean): boolean {
  makeDirectory(dirname(path));
  const target = resolveLink(path);
  const temporary = join(dirname(target), `.${process.pid}-${Date.now()}.tmp`);
  try {
    // The file has this mode from its first byte on; `wx` refuses a link that somebody put there.
    const file = openSync(temporary, 'wx', mode);
    try {
      // Unlike `writeSync` it goes on after a write of a part, and fails where the disk is full.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (mayReplace === undefined) renameSync(temporary, target);
    else if (!withLock(target, () => mayReplace() && rename(temporary, target))) return false;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncDirectory(dirname(target));
  return true;
}

function rename(from: string, to: string): true {
  renameSync(from, to);
  return true;
}

/** Nobody holds the lock for so long, as no request and no flush of the disk happens meanwhile: its program was killed. */
const longestLockMs = 5_000;

/** Calls `act` while no other program does so for the same file. */
function withLock<T>(path: string, act: () => T): T {
  const lock = join(dirname(path), `.${basename(path)}.lock`);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const until = performance.now() + longestLockMs;
  while (!makeNewFile(lock)) {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > longestLockMs || performance.now() > until) rmSync(lock, { force: true });
    else Atomics.wait(pause, 0, 0, 5);
  }
  try {
    return act();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Makes an empty file (0600); false where one is there already. Throws the error of the system for anything else. */
export function makeNewFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The rename itself is on disk only after this; Windows cannot open directories and needs no such call. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** A recursive mkdir never returns where the system answers ENOENT to every attempt, as in a home that is not mounted. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
