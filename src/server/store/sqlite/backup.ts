/** Makes a copy of a data file while the server runs, checks copies, and removes the log beside a data file. */
import { DatabaseUnavailable } from '../sql.ts';
import { type Database, isFull } from './driver.ts';
import { tableVersion } from './schema.ts';

export interface Contents {
  readonly people: number;
  readonly groups: number;
  readonly messages: number;
}

/**
 * Writes everything as it is at this moment into another file, which is missing or empty. Others can go on writing.
 * @throws DatabaseUnavailable when the disk of the copy is full
 */
export function copyInto(database: Database, path: string): void {
  try {
    database.prepare('VACUUM INTO ?').run(path);
  } catch (error) {
    throw isFull(error) ? new DatabaseUnavailable('the disk of the backup is full', { cause: error }) : error;
  }
}

/** Counts what is in a copy. Throws when it is damaged, is none of this program, or of a newer version of it. */
export function checkCopy(database: Database): Contents {
  const problems = database.prepare('PRAGMA integrity_check').all() as { readonly integrity_check: string }[];
  const [first] = problems;
  if (first?.integrity_check !== 'ok') throw new Error(`is damaged: ${first?.integrity_check ?? 'it has no tables'}`);
  if (database.prepare('PRAGMA foreign_key_check').all().length > 0) throw new Error('is damaged: rows are missing');
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  if (version > tableVersion) throw new Error(`has version ${version}, newer than this program knows`);
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE name IN ('people', 'deliveries')").all();
  if (version < 1 || tables.length < 2) throw new Error('is not a data file of msg-tui serve');
  const count = (table: string): number =>
    (database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { readonly rows: number }).rows;
  return { people: count('people'), groups: count('chat_groups'), messages: count('messages') };
}

/**
 * Empties and removes the log beside the file. Returns false when another process has the file open, since it then
 * needs the log.
 */
export function removeLog(database: Database): boolean {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = DELETE').get() as { journal_mode: string };
    return mode === 'delete';
  } catch {
    return false;
  }
}
