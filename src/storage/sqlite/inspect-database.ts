/** Inspects the files of a database without changing them: condition, version, size and content. */
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database } from './driver.ts';
import { nullOnError, toStorageError } from './errors.ts';
import { type Migrations, schemaVersion } from './migrate.ts';
import { notAFile, readDatabase, sizeOf } from './open-read-only.ts';

/** `missing`: not created yet; `unreadable`: the system refused to open it. */
export type DatabaseCondition = 'missing' | 'whole' | 'damaged' | 'newer' | 'unreadable';

export interface DatabaseFacts<T> {
  readonly path: string;
  readonly condition: DatabaseCondition;
  /** What is wrong; null when nothing is. */
  readonly problem: string | null;
  /** The size of the file and its log, in bytes. */
  readonly bytes: number;
  /** The version of its schema; null when it could not be read. */
  readonly version: number | null;
  readonly knownVersion: number;
  /** null when the tables could not be read. */
  readonly content: T | null;
}

/** How one of the two databases is inspected. */
export interface InspectionRules<T> {
  /** A file without tables is not damage: a start created it and was interrupted. */
  readonly mayBeEmpty: boolean;
  readonly migrations: Migrations;
  /** Damage of the files that can be seen only before SQLite opens them; null when there is none. */
  readonly damageOfFiles: (path: string) => string | null;
  /** Throws what SQLite throws for what it cannot even read. */
  readonly damageOf: (database: Database) => string | null;
  readonly read: (database: Database) => T;
}

type Inspection<T> = Pick<DatabaseFacts<T>, 'condition' | 'problem' | 'version' | 'content'>;

/** Inspects a database. Never throws. `isInUse`: a process is, or may be, the sender of the profile. */
export function inspectDatabase<T>(
  path: string,
  rules: InspectionRules<T>,
  { isInUse = false }: { readonly isInUse?: boolean } = {},
): DatabaseFacts<T> {
  const before = stampOf(path);
  let found = inspectOnce(path, isInUse, rules);
  // What looks like damage may be a write that another process began meanwhile: it is read once more.
  if (found.condition === 'damaged' && !isInUse && stampOf(path) !== before) found = inspectOnce(path, true, rules);
  return { path, bytes: sizeOf(path) + sizeOf(`${path}-wal`), knownVersion: rules.migrations.length, ...found };
}

function inspectOnce<T>(path: string, isInUse: boolean, rules: InspectionRules<T>): Inspection<T> {
  const nothing = { version: null, content: null };
  try {
    const odd = notAFile(path);
    const name = odd === path ? 'this' : basename(odd ?? '');
    if (odd !== null) return { ...nothing, condition: 'unreadable', problem: `${name} is not a file; move it away` };
    const problem = rules.damageOfFiles(path);
    if (problem !== null) return { ...nothing, condition: 'damaged', problem };
    if (!existsSync(path)) return { ...nothing, condition: 'missing', problem: null };
    return readDatabase(path, isInUse, (database) => judge(database, rules));
  } catch (error) {
    const { kind, message } = toStorageError(error, 'It cannot be read');
    if (kind === 'corrupt') return { ...nothing, condition: 'damaged', problem: causeOf(error) };
    return { ...nothing, condition: 'unreadable', problem: message };
  }
}

function judge<T>(database: Database, rules: InspectionRules<T>): Inspection<T> {
  const { migrations, read } = rules;
  const version = schemaVersion(database);
  // An interrupted start leaves such a file.
  if (rules.mayBeEmpty && version === 0 && count(database, 'sqlite_master') === 0)
    return { condition: 'whole', problem: null, version, content: null };
  if (version > migrations.length) return { condition: 'newer', problem: null, version, content: null };
  const problem = rules.damageOf(database);
  if (problem !== null) return { condition: 'damaged', problem, version, content: nullOnError(() => read(database)) };
  return { condition: 'whole', problem: null, version, content: read(database) };
}

export function count(database: Database, table: string): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0);
}

/** Changes with every write to the file, its log or its journal. */
function stampOf(path: string): string {
  const stamps = [path, `${path}-wal`, `${path}-journal`].map((file) =>
    nullOnError(() => statSync(file, { throwIfNoEntry: false })),
  );
  return stamps.map((stats) => `${stats?.mtimeMs ?? 0} ${stats?.size ?? 0}`).join();
}

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ').slice(0, 100) : String(cause);
};
