/** Reads cache.db as it is at one moment, while another process may be writing to it. */
import { join } from 'node:path';
import { openToRead } from '../sqlite/driver.ts';
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import { refuseNewer } from '../sqlite/migrate.ts';
import { DiskCache } from './disk-cache.ts';
import { cacheMigrations } from './schema.ts';

/** The file has been opened before in this process, so it is there and of this version. @throws StorageError */
export function readSnapshot(directory: string): DiskCache {
  const database = openToRead(join(directory, 'cache.db'), { isAtRest: false });
  try {
    database.exec('PRAGMA busy_timeout = 1000');
    // A transaction that only reads keeps seeing the file as it was at its first read.
    database.exec('BEGIN');
    if (refuseNewer(database, cacheMigrations) === 0)
      throw new StorageError('io', 'The message cache on disk is empty: it could not be written; see msg-tui doctor.');
    return new DiskCache(database);
  } catch (error) {
    database.close();
    throw toStorageError(error, 'The message cache cannot be read');
  }
}
