/** Makes sure that the data file is there and readable by its owner alone, before SQLite opens it. */
import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs';

/**
 * SQLite gives the files beside it (-wal, -shm) the same mode. Throws one clear line when the path is a link, no plain
 * file, somebody else's, or cannot be created.
 */
export function prepareDataFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
    return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new Error(`cannot create ${path}: ${code ?? 'unknown reason'}`);
  }
  const facts = lstatSync(path);
  if (!facts.isFile()) throw new Error(`${path} is not a plain file`);
  const uid = process.getuid?.();
  if (uid !== undefined && facts.uid !== uid) throw new Error(`${path} belongs to another user`);
  if ((facts.mode & 0o077) !== 0) chmodSync(path, 0o600);
}
