/** Watches a directory for writes of other processes. */
import { watch } from 'node:fs';

/** Events within this time are one call, as a transaction writes several times. */
const gatherMs = 30;

/**
 * Calls `onChange` after a write. The directory is watched and not its files, as SQLite creates and removes its
 * journal. Where the system cannot watch, `onChange` is never called, and the check at every poll has to do. @returns
 * stops watching
 */
export function watchDirectory(directory: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const gather = (): void => {
    timer ??= setTimeout(() => {
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
