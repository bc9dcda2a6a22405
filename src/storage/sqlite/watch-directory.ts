/** Tells at once when another process writes into a directory, and costs nothing while none does. */
import { watch } from 'node:fs';

/** Several writes of one transaction are one call. */
const gatherMs = 30;

/**
 * The directory and not the files is watched, as SQLite makes and removes its log. Where the system cannot watch, nobody
 * is called, and the look at every poll has to do. The returned function ends it.
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
