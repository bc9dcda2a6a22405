/** Writes and opens archives: databases with the tables of cache.db, and one more with facts about the account. */

import { lstatSync } from 'node:fs';
import { isObject } from '../../protocol/fields.ts';
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import { parseUrl } from '../../protocol/web-address.ts';
import type { MessageVersion } from '../../state/model/details.ts';
import { closeDatabase, type Database, inTransaction, openDatabase, openToRead } from '../sqlite/driver.ts';
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import { migrate, schemaVersion } from '../sqlite/migrate.ts';
import { fromColumn, toColumn, tryParseJson } from '../sqlite/sqlite-text.ts';
import { DiskCache } from './disk-cache.ts';
import { cacheMigrations } from './schema.ts';

/** What an archive holds besides what a cache does. */
export interface ArchiveFacts {
  /** A base URL. */
  readonly server: string;
  readonly me: { readonly contactId: string; readonly username: string | null } | null;
  /** The names that the user gave to people and groups, by the keys that they have in `Local`. */
  readonly names: ReadonlyMap<string, string>;
}

export interface WritableArchive {
  readonly cache: DiskCache;
  saveFacts(facts: ArchiveFacts): void;
  /** Saves the earlier texts of a message that has none yet. `versions`: newest first. */
  saveVersions(conversationId: ConversationId, id: MessageId, versions: readonly MessageVersion[]): void;
  close(): void;
}

/** Makes an archive in an empty file, which is complete only when it is closed; null: in memory. */
export function createArchive(path: string | null, now: () => number = Date.now): WritableArchive {
  const database = openDatabase(path ?? ':memory:');
  // The file is given its name when it is whole: until then nothing has to be safe from a crash.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  migrate(database, cacheMigrations, null);
  database.exec('CREATE TABLE archive (kind TEXT, key TEXT, value TEXT, PRIMARY KEY (kind, key)) WITHOUT ROWID');
  return {
    cache: new DiskCache(database, now),
    saveVersions: (conversationId, id, versions) =>
      inTransaction(database, () => {
        const insert = database.prepare(
          'INSERT INTO versions (conversation_id, message_id, until, text) VALUES (?, ?, ?, ?)',
        );
        for (const { until, text } of versions.toReversed())
          insert.run(toColumn(conversationId), toColumn(id), until, toColumn(text));
      }),
    saveFacts: (facts) => inTransaction(database, () => saveFacts(database, facts)),
    close: () => closeDatabase(database),
  };
}

/** @throws StorageError for a file that is no archive */
export function openArchive(path: string): { readonly cache: DiskCache; readonly facts: ArchiveFacts } {
  let database: Database | null = null;
  try {
    database = openToRead(path, { isAtRest: true });
    const version = schemaVersion(database);
    if (version > cacheMigrations.length)
      throw new StorageError('newer', `${path} was written by a later msg-tui: update msg-tui.`);
    const facts = readFacts(database);
    if (facts === null || version < cacheMigrations.length)
      throw new StorageError('corrupt', `${path} is not an archive of this msg-tui: import the JSON Lines file again.`);
    return { cache: new DiskCache(database), facts };
  } catch (error) {
    database?.close();
    throw toStorageError(error, `${path} cannot be opened`);
  }
}

/** Whether there is an archive at the path, which may be replaced by another one. */
export function isArchive(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    openArchive(path).cache.close();
    return true;
  } catch {
    return false;
  }
}

function saveFacts(database: Database, { server, me, names }: ArchiveFacts): void {
  const insert = database.prepare('INSERT OR REPLACE INTO archive VALUES (?, ?, ?)');
  insert.run('server', '', toColumn(server));
  if (me !== null) insert.run('me', '', JSON.stringify(me));
  for (const [id, name] of names) insert.run('name', toColumn(id), toColumn(name));
}

function readFacts(database: Database): ArchiveFacts | null {
  if (database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'archive'`).get() === undefined) return null;
  const rows = database.prepare('SELECT kind, key, value FROM archive').all();
  const ofKind = (kind: string) => rows.filter((row) => row.kind === kind);
  const text = (value: unknown): string => fromColumn(String(value));
  const server = ofKind('server').map((row) => text(row.value))[0];
  if (server === undefined || parseUrl(server) === null) return null;
  const me = tryParseJson(ofKind('me')[0]?.value);
  const names = new Map(ofKind('name').map((row) => [text(row.key), text(row.value)]));
  if (!isObject(me) || typeof me.contactId !== 'string') return { server, me: null, names };
  const username = typeof me.username === 'string' ? me.username : null;
  return { server, me: { contactId: me.contactId, username }, names };
}
