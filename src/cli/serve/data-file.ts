/**
 * Opens the data file of the server. It loads its modules only when it is called, as the help of every other command would
 * wait for them.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseEngine } from '../../server/store/sql.ts';
import type { SqliteOptions } from '../../server/store/sqlite/engine.ts';
import { messageOf } from '../process/exit.ts';
import { complain } from './output.ts';

/** @throws Error with the name of the file where it cannot be used; DatabaseUnavailable where that may change */
export async function openDataFile(name: string, options: SqliteOptions = {}): Promise<DatabaseEngine> {
  // SQLite would take `file:chat.db` and `:memory:` for something else than the file of that name.
  const path = resolve(name);
  const { prepareDataFile } = await import('../../server/store/sqlite/private-data-file.ts');
  const { openSqlite } = await import('../../server/store/sqlite/engine.ts');
  const { openDatabase } = await import('../../storage/sqlite/driver.ts');
  const isEmpty = statSync(path, { throwIfNoEntry: false })?.size === 0;
  prepareDataFile(path);
  if (isEmpty) complain(`${name} was empty: it is now a new database, without people and messages`);
  const database = openDatabase(path);
  try {
    // This opens the log, which another user may have made in a shared directory since the first check.
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL');
    prepareDataFile(path);
    return openSqlite(database, options);
  } catch (error) {
    database.close();
    const { asFailure } = await import('../../server/store/sqlite/queries.ts');
    const { DatabaseUnavailable, isUnavailable } = await import('../../server/store/sql.ts');
    const failure = asFailure(error);
    const message = `${name}: ${messageOf(failure)}`;
    throw isUnavailable(failure) ? new DatabaseUnavailable(message, { cause: error }) : new Error(message);
  }
}
