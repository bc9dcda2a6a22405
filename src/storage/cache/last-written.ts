/** Finds when cache.db was last written, which is how old the cached copy may be. */
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Null where there is no cache yet. To be called before the cache is opened, which may write. */
export function cacheLastWritten(directory: string): number | null {
  const times = ['cache.db', 'cache.db-wal'].map((name) => timeOf(join(directory, name)));
  return Math.max(...times) || null;
}

function timeOf(path: string): number {
  try {
    const stats = statSync(path);
    // Opening creates an empty log.
    return stats.size === 0 ? 0 : stats.mtimeMs;
  } catch {
    return 0;
  }
}
