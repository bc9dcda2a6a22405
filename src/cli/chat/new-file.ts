/** Writes a file that is not there yet. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';

/**
 * The user alone can read it. Where the disk is full nothing is left, as the user would be told that the file exists when
 * trying again. Throws the error of the file system: `EEXIST` where there is a file, which stays.
 */
export function writeNewFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
