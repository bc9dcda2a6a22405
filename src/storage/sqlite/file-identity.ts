/** Whether open files are still the ones at their paths: what goes into a deleted file is gone with the process. */
import { lstatSync } from 'node:fs';
import { StorageError } from './errors.ts';

/**
 * Remembers which files lie at the paths, one that is not there yet when it is first seen. The returned function costs
 * microseconds a file.
 * @returns throws `StorageError` `replaced` when one was deleted, moved or replaced meanwhile
 */
export function rememberFiles(paths: readonly string[]): () => void {
  const known = paths.map(fileAt);
  return () => {
    for (const [index, path] of paths.entries()) {
      const now = fileAt(path);
      known[index] ??= now;
      if (now !== known[index])
        throw new StorageError(
          'replaced',
          'The files of the outbox were deleted or replaced. Copy your words, quit, and start msg-tui again.',
        );
    }
  };
}

function fileAt(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
