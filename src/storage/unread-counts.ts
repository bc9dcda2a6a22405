/** Reads from the files of an account what is unread, without a session, and changes nothing in them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Contact, Conversation } from '../protocol/types.ts';
import type { Local } from '../state/model/app-state.ts';
import { emptyLocal } from '../state/store.ts';
import { bodyOfRow } from './cache/rows.ts';
import { unreadRows } from './cache/unread.ts';
import { readRecords } from './outbox/records.ts';
import { opOfRow } from './outbox/rows.ts';
import { type Database, openToRead, statementCache } from './sqlite/driver.ts';
import { toStorageError } from './sqlite/errors.ts';
import { schemaVersion } from './sqlite/migrate.ts';

export interface UnreadCount {
  readonly conversation: Conversation;
  /** The other person of a contact conversation, if the contact book has them. */
  readonly contact: Contact | null;
  readonly count: number;
}

export interface UnreadCounts {
  readonly counts: readonly UnreadCount[];
  /**
   * Its outbox has only the ops on conversations; of the records, only those that counting and names need were read.
   */
  readonly local: Local;
}

/** An account whose files are not there yet has nothing unread. @throws StorageError */
export function readUnreadCounts(directories: { readonly data: string; readonly cache: string }): UnreadCounts {
  const local = readFile(join(directories.data, 'outbox.db'), localOf) ?? emptyLocal;
  const counts = readFile(join(directories.cache, 'cache.db'), (database) => countsOf(database, local)) ?? [];
  return { counts, local };
}

function localOf(database: Database): Local {
  const rows = database
    .prepare(`SELECT rowid AS row_number, * FROM ops WHERE action LIKE '%"conversation.%' ORDER BY seq`)
    .all();
  const outbox = rows.flatMap((row) => opOfRow(row) ?? []);
  return { ...readRecords(database, ['readLines', 'me', 'names']).local, outbox };
}

function countsOf(database: Database, { readLines, me }: Local): readonly UnreadCount[] {
  const counts: UnreadCount[] = [];
  for (const { row, count } of unreadRows(statementCache(database), readLines, me)) {
    const conversation = bodyOfRow<Conversation>(row);
    const contact = row.contact === null ? null : bodyOfRow<Contact>({ body: row.contact ?? null });
    if (conversation !== null) counts.push({ conversation, contact, count });
  }
  return counts;
}

/** Another process may have the file open, which its log shows; otherwise SQLite need not create one to read it. */
function readFile<T>(path: string, read: (database: Database) => T): T | null {
  if (!existsSync(path)) return null;
  try {
    const database = openToRead(path, { isAtRest: !existsSync(`${path}-wal`) });
    try {
      database.exec('PRAGMA busy_timeout = 1000');
      // A file that was made when the disk was full has no tables yet.
      return schemaVersion(database) === 0 ? null : read(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toStorageError(error, 'The local files cannot be read');
  }
}
