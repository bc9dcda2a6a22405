/** Reads from the files of an account what is unread, without a session, and changes nothing in them. */
import { join } from 'node:path';
import type { Contact, Conversation } from '../protocol/types.ts';
import type { Local } from '../state/model/app-state.ts';
import { emptyLocal } from '../state/store.ts';
import { bodyOfRow } from './cache/rows.ts';
import { unreadRows } from './cache/unread.ts';
import { readRecords } from './outbox/records.ts';
import { opOfRow } from './outbox/rows.ts';
import { type Database, statementCache } from './sqlite/driver.ts';
import { schemaVersion } from './sqlite/migrate.ts';
import { readShared } from './sqlite/open-read-only.ts';

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

/** A write of the chat holds the file for some milliseconds, and longer on a slow disk. */
const waitMs = 1_000;

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

/** null where there is no file. One that was made when the disk was full has no tables yet. */
const readFile = <T>(path: string, read: (database: Database) => T): T | null =>
  readShared(path, waitMs, (database) => (schemaVersion(database) === 0 ? null : read(database)));
