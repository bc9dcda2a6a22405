/** Opens cache.db and knows how to put a damaged one aside. */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../sqlite/driver.ts';
import type { StorageError } from '../sqlite/errors.ts';
import { migrate } from '../sqlite/migrate.ts';
import { prepareDirectory, prepareFile } from '../sqlite/private-files.ts';
import { DiskCache } from './disk-cache.ts';
import type { CacheStore } from './memory-cache.ts';
import { type CacheFile, resilientCache } from './resilient-cache.ts';
import { cacheMigrations } from './schema.ts';

export interface CacheOptions {
  /** Called when the cache was rebuilt, or is only in memory; each once a run. `openCache` may call it. */
  readonly onTrouble?: (error: StorageError) => void;
  readonly now?: () => number;
  /** The version of msg-tui. */
  readonly program?: string;
}

/** Never throws. Where the file cannot be used, `onTrouble` is called with the reason and the cache is kept in memory. */
export function openCache(directory: string, options: CacheOptions = {}): CacheStore {
  return resilientCache(
    cacheFile(directory, options.now ?? Date.now, options.program),
    options.onTrouble ?? (() => {}),
  );
}

export function cacheFile(directory: string, now: () => number, program?: string): CacheFile {
  const path = join(directory, 'cache.db');
  return {
    open() {
      prepareDirectory(directory);
      prepareFile(path);
      const database = openDatabase(path);
      try {
        // The wait is short, as this runs between two key presses. Another process locks the file for milliseconds.
        database.exec('PRAGMA busy_timeout = 1000');
        // The texts of deleted messages are overwritten in the file.
        database.exec('PRAGMA secure_delete = ON');
        migrate(database, cacheMigrations, null);
        database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608');
        return new DiskCache(database, now, program);
      } catch (error) {
        database.close();
        throw error;
      }
    },
    putAside() {
      for (const entry of readdirSync(directory)) {
        // Only one damaged file is kept, as it may be large.
        if (entry.startsWith('cache.corrupt-')) rmSync(join(directory, entry), { force: true });
      }
      const aside = join(directory, `cache.corrupt-${now()}.db`);
      rmSync(`${path}-shm`, { force: true });
      renameSync(path, aside);
      if (readdirSync(directory).includes('cache.db-wal')) renameSync(`${path}-wal`, `${aside}-wal`);
      return aside;
    },
  };
}
