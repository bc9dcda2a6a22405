/** Watches a directory for writes of other processes. */
import { statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Events within this time cause one call, as a transaction writes several times. */
const gatherMs = 30;

/**
 * Calls `onChange` after a write. The directory is watched and not its files, as SQLite creates and removes its
 * journal. Where the system cannot watch, `onChange` is never called, and the check at every poll has to do. @returns
 * stops watching
 */
export function watchDirectory(directory: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const isOther = otherContents(directory);
  const gather = (_event: string, name: string | null): void => {
    if (timer !== null || (name !== null && !isOther(name))) return;
    timer = setTimeout(() => {
      timer = null;
      onChange();
    }, gatherMs).unref();
  };
  try {
    const watcher = watch(directory, { persistent: false }, gather);
    watcher.on('error', () => watcher.close());
    return () => {
      watcher.close();
      if (timer !== null) clearTimeout(timer);
    };
  } catch {
    return () => undefined;
  }
}

/**
 * Whether a file was written since the last call for it. An event may concern an attribute alone: for root, SQLite sets
 * the owner of the journal whenever it reads the database, so that a reader that answers each event would read for ever.
 */
function otherContents(directory: string): (name: string) => boolean {
  const seen = new Map<string, string>();
  return (name) => {
    const found = contentsOf(join(directory, name));
    if (seen.get(name) === found) return false;
    seen.set(name, found);
    return true;
  };
}

/** The same text as long as nothing is written to the file or put in its place. */
function contentsOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
