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
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Creates the directory (0700) if need be. A link stays, and the file that it points to is replaced.
 * @param mayReplace asked once the text is on disk, which takes a while; false leaves the file as it is
 * @returns whether the file was replaced
 */
export function writeAtomically(path: string, text: string, mode: number, mayReplace = () => true): boolean {
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
    if (!mayReplace()) return false;
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
  syncDirectory(dirname(target));
  return true;
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
