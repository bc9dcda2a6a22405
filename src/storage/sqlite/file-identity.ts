/** Checks that open files are still those at their paths: what is written into a deleted file is lost. */
import { lstatSync } from 'node:fs';
import { StorageError } from './errors.ts';

/**
 * Remembers the files at the paths; a missing one, once it is first seen. @returns a check that costs microseconds a
 * file and throws `StorageError` `replaced` when a file was deleted, moved or replaced
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
