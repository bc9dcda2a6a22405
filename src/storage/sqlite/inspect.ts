/** Looks at the files of a store without changing them: whole or not, which version, how much is in them. */
import { lstatSync, statSync } from 'node:fs';
import type { Database } from './driver.ts';
import { toStorageError } from './errors.ts';
import { type Migrations, schemaVersion } from './migrate.ts';
import { readDatabase, sizeOf } from './open-read-only.ts';

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

/** How one of the two stores is looked at. */
export interface Store<T> {
  /** A file without tables is one that a start made and did not fill, not a damaged one. */
  readonly mayBeEmpty: boolean;
  readonly migrations: Migrations;
  /** What is wrong with the files, as far as it can be seen only before SQLite opens them. */
  readonly damageOfFiles: (path: string) => string | null;
  /** Throws what SQLite throws for what it cannot even read. */
  readonly damageOf: (database: Database) => string | null;
  readonly read: (database: Database) => T;
}

type Inspection<T> = Pick<StoreFacts<T>, 'condition' | 'problem' | 'version' | 'content'>;

/** Looks at one store. Never throws. `isInUse`: some process has the role of the sender, or may. */
export function inspect<T>(path: string, isInUse: boolean, store: Store<T>): StoreFacts<T> {
  const before = stampOf(path);
  let found = inspectOnce(path, isInUse, store);
  // Read without locks while a program began to write: what looks like damage may be a page of now beside one of then.
  if (found.condition === 'damaged' && !isInUse && stampOf(path) !== before) found = inspectOnce(path, true, store);
  return { path, bytes: sizeOf(path) + sizeOf(`${path}-wal`), knownVersion: store.migrations.length, ...found };
}

function inspectOnce<T>(path: string, isInUse: boolean, store: Store<T>): Inspection<T> {
  const nothing = { version: null, content: null };
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile())
      return { ...nothing, condition: 'unreadable', problem: 'this is no file; move it away' };
    const problem = store.damageOfFiles(path);
    if (problem !== null) return { ...nothing, condition: 'damaged', problem };
    if (stats === undefined) return { ...nothing, condition: 'missing', problem: null };
    return readDatabase(path, isInUse, (database) => judge(database, store));
  } catch (error) {
    const { kind, message } = toStorageError(error, 'It cannot be read');
    if (kind === 'corrupt') return { ...nothing, condition: 'damaged', problem: causeOf(error) };
    return { ...nothing, condition: 'unreadable', problem: message };
  }
}

function judge<T>(database: Database, store: Store<T>): Inspection<T> {
  const { migrations, read } = store;
  const version = schemaVersion(database);
  // As a start that was cut off leaves it.
  if (store.mayBeEmpty && version === 0 && count(database, 'sqlite_master') === 0)
    return { condition: 'whole', problem: null, version, content: null };
  if (version > migrations.length) return { condition: 'newer', problem: null, version, content: null };
  const problem = store.damageOf(database);
  if (problem !== null) return { condition: 'damaged', problem, version, content: attempt(() => read(database)) };
  return { condition: 'whole', problem: null, version, content: read(database) };
}

export function count(database: Database, table: string): number {
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
