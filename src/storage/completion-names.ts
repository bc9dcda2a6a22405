/**
 * Reads what the completion of the shell offers from the files of an account, without a session and changing nothing.
 */
import { join } from 'node:path';
import type { Contact, ContactId, Conversation, ConversationId, Message } from '../protocol/types.ts';
import type { Local, Op } from '../state/model/app-state.ts';
import { bodyOfRow, messageOfRow } from './cache/rows.ts';
import { readRecords } from './outbox/records.ts';
import { opOfRow } from './outbox/rows.ts';
import type { Database } from './sqlite/driver.ts';
import { readShared } from './sqlite/open-read-only.ts';
import { toColumn } from './sqlite/sqlite-text.ts';

export interface AccountFiles {
  readonly data: string;
  readonly cache: string;
}

/** The most rows that are read, because the shell waits for the answer. */
const most = { conversations: 2_000, contacts: 4_000, messages: 30, ops: 100 } as const;
const waitMs = 30;

/** In the order of the list. */
export const readConversations = (files: AccountFiles): readonly Conversation[] =>
  rowsIn(files.cache, 'cache.db', (database) =>
    database
      .prepare('SELECT body FROM conversations ORDER BY shelf, age, id LIMIT ?')
      .all(most.conversations)
      .flatMap((row) => bodyOfRow<Conversation>(row) ?? []),
  );

export const readContacts = (files: AccountFiles): readonly Contact[] =>
  rowsIn(files.cache, 'cache.db', (database) =>
    database
      .prepare('SELECT body FROM contacts LIMIT ?')
      .all(most.contacts)
      .flatMap((row) => bodyOfRow<Contact>(row) ?? []),
  );

/** The newest ones of a conversation, the newest first. */
export const readNewestMessages = (files: AccountFiles, id: ConversationId): readonly Message[] =>
  rowsIn(files.cache, 'cache.db', (database) =>
    database
      .prepare('SELECT * FROM messages WHERE conversation_id = ? ORDER BY sort_at DESC, rank DESC, id DESC LIMIT ?')
      .all(toColumn(id), most.messages)
      .flatMap((row) => messageOfRow(row) ?? []),
  );

/** The user's own names of people and groups. */
export function readOwnNames(files: AccountFiles): Local['names'] {
  const read = rowsIn(files.data, 'outbox.db', (database) => [readRecords(database, ['names']).local.names]);
  return read[0] ?? new Map();
}

/** The user's own id; null where it is not known. */
export function readOwnId(files: AccountFiles): ContactId | null {
  const read = rowsIn(files.data, 'outbox.db', (database) => [readRecords(database, ['me']).local.me]);
  return read[0]?.contactId ?? null;
}

export const readOps = (files: AccountFiles): readonly Op[] =>
  rowsIn(files.data, 'outbox.db', (database) =>
    database
      .prepare('SELECT rowid AS row_number, * FROM ops ORDER BY seq LIMIT ?')
      .all(most.ops)
      .flatMap((row) => opOfRow(row) ?? []),
  );

/** Empty where there is no file, or another process is writing it for long, or it cannot be read. */
function rowsIn<T>(directory: string, name: string, read: (database: Database) => readonly T[]): readonly T[] {
  try {
    return readShared(join(directory, name), waitMs, read) ?? [];
  } catch {
    return [];
  }
}
