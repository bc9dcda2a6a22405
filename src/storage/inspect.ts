/** Looks at the two stores of a profile without changing them: whole or not, which version, how much is in them. */
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { noTraits, type ServerCapabilities } from '../protocol/traits.ts';
import type { Me } from '../state/state.ts';
import { cacheMigrations } from './cache-schema.ts';
import { damageOf, damageOfOutbox, damageOfOutboxFiles } from './damage.ts';
import type { Database } from './driver.ts';
import { toStorageError } from './errors.ts';
import { type Migrations, schemaVersion } from './migrate.ts';
import { parseJson } from './op-parse.ts';
import { draftOfBody, meOfValue } from './outbox-rows.ts';
import { outboxMigrations } from './outbox-schema.ts';
import { lookInto, sizeOf } from './read-only.ts';
import { parseTraits } from './traits-parse.ts';

/** `missing`: not made yet; `unreadable`: the system refused, nothing is known of it. */
export type StoreCondition = 'missing' | 'whole' | 'damaged' | 'newer' | 'unreadable';

export interface StoreFacts<T> {
  readonly path: string;
  readonly condition: StoreCondition;
  /** What was found wrong; null when nothing was. */
  readonly problem: string | null;
  /** With its log. */
  readonly bytes: number;
  /** Of its tables; null when it could not be told. */
  readonly version: number | null;
  readonly knownVersion: number;
  /** null when they could not be read. */
  readonly content: T | null;
}

export interface OutboxContent {
  readonly queued: number;
  readonly sending: number;
  readonly unsure: number;
  readonly failed: number;
  readonly drafts: number;
  /** Records that could not be understood. */
  readonly setAside: number;
  readonly me: Me | null;
  readonly traits: ServerCapabilities;
}

export interface CacheContent {
  readonly conversations: number;
  readonly messages: number;
}

/** How one of the two stores is looked at. */
interface Store<T> {
  readonly migrations: Migrations;
  /** What is wrong with the files, as far as it can be seen only before SQLite opens them. */
  readonly damageOfFiles: (path: string) => string | null;
  /** Throws what SQLite throws for what it cannot even read. */
  readonly damageOf: (database: Database) => string | null;
  readonly read: (database: Database) => T;
}

const outboxStore: Store<OutboxContent> = {
  migrations: outboxMigrations,
  damageOfFiles: damageOfOutboxFiles,
  damageOf: damageOfOutbox,
  read: outboxContent,
};

const cacheStore: Store<CacheContent> = {
  migrations: cacheMigrations,
  damageOfFiles: () => null,
  damageOf: (database) => damageOf(database, cacheMigrations, 'quick_check'),
  read: (database) => ({ conversations: count(database, 'conversations'), messages: count(database, 'messages') }),
};

/** Never throws. `isInUse`: some process has the role of the sender, or may. */
export const inspectOutbox = (directory: string, isInUse: boolean): StoreFacts<OutboxContent> =>
  inspect(join(directory, 'outbox.db'), isInUse, outboxStore);

/** A file that may take the place of outbox.db. Never throws. */
export const inspectOutboxFile = (path: string): StoreFacts<OutboxContent> => inspect(path, false, outboxStore);

/** Never throws. */
export const inspectCache = (directory: string, isInUse: boolean): StoreFacts<CacheContent> =>
  inspect(join(directory, 'cache.db'), isInUse, cacheStore);

/** Names of damaged files that were put aside and of copies from before a change of version. */
export function filesAside(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) =>
      /^(outbox|cache)\.(corrupt-|db\.(v\d+|salvaged|building))/.test(name),
    );
  } catch {
    return [];
  }
}

type Found<T> = Pick<StoreFacts<T>, 'condition' | 'problem' | 'version' | 'content'>;

function inspect<T>(path: string, isInUse: boolean, store: Store<T>): StoreFacts<T> {
  const before = stampOf(path);
  let found = inspectOnce(path, isInUse, store);
  // Read without locks while a program began to write: what looks like damage may be a page of now beside one of then.
  if (found.condition === 'damaged' && !isInUse && stampOf(path) !== before) found = inspectOnce(path, true, store);
  return { path, bytes: sizeOf(path) + sizeOf(`${path}-wal`), knownVersion: store.migrations.length, ...found };
}

function inspectOnce<T>(path: string, isInUse: boolean, store: Store<T>): Found<T> {
  const nothing = { version: null, content: null };
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile())
      return { ...nothing, condition: 'unreadable', problem: 'this is no file; move it away' };
    const problem = store.damageOfFiles(path);
    if (problem !== null) return { ...nothing, condition: 'damaged', problem };
    if (stats === undefined) return { ...nothing, condition: 'missing', problem: null };
    return lookInto(path, isInUse, (database) => judge(database, store));
  } catch (error) {
    const { kind, message } = toStorageError(error, 'It cannot be read');
    if (kind === 'corrupt') return { ...nothing, condition: 'damaged', problem: causeOf(error) };
    return { ...nothing, condition: 'unreadable', problem: message };
  }
}

function judge<T>(database: Database, store: Store<T>): Found<T> {
  const { migrations, read } = store;
  const version = schemaVersion(database);
  // A cache that was made and not yet filled, as by a start that was cut off; an outbox is never like that.
  if (store.damageOf !== damageOfOutbox && version === 0 && count(database, 'sqlite_master') === 0)
    return { condition: 'whole', problem: null, version, content: null };
  if (version > migrations.length) return { condition: 'newer', problem: null, version, content: null };
  const problem = store.damageOf(database);
  if (problem !== null) return { condition: 'damaged', problem, version, content: attempt(() => read(database)) };
  return { condition: 'whole', problem: null, version, content: read(database) };
}

function outboxContent(database: Database): OutboxContent {
  const ops = database.prepare('SELECT state, count(*) AS count FROM ops GROUP BY state').all();
  const inState = (state: string): number => Number(ops.find((row) => row.state === state)?.count ?? 0);
  const drafts = database.prepare('SELECT body FROM drafts').all();
  const facts = new Map(
    database
      .prepare('SELECT name, value FROM facts')
      .all()
      .map((row) => [row.name, parseJson(row.value)]),
  );
  return {
    queued: inState('queued'),
    sending: inState('sending'),
    unsure: inState('unsure'),
    failed: inState('failed'),
    drafts: drafts.filter(({ body }) => (draftOfBody(body)?.text ?? '') !== '').length,
    setAside: count(database, 'set_aside'),
    me: meOfValue(facts.get('me')),
    traits: facts.has('traits') ? parseTraits(facts.get('traits')) : noTraits,
  };
}

function count(database: Database, table: string): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0);
}

/** Changes with every write to the file, its log or its journal. */
function stampOf(path: string): string {
  const stamps = [path, `${path}-wal`, `${path}-journal`].map((file) =>
    attempt(() => statSync(file, { throwIfNoEntry: false })),
  );
  return stamps.map((stats) => `${stats?.mtimeMs ?? 0} ${stats?.size ?? 0}`).join();
}

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ').slice(0, 100) : String(cause);
};

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
