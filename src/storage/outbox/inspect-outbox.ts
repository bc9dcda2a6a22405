/** Inspects outbox.db without changing it, for a start and for `doctor`, and finds damage by reading its files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import { countAllUnsent, hasUnsentContent } from '../../state/local/unsent-text.ts';
import type { Me } from '../../state/model/app-state.ts';
import type { Database } from '../sqlite/driver.ts';
import { count, type DatabaseFacts, type InspectionRules, inspectDatabase } from '../sqlite/inspect-database.ts';
import { findDamage } from '../sqlite/integrity.ts';
import { schemaVersion } from '../sqlite/migrate.ts';
import { sizeOf } from '../sqlite/open-read-only.ts';
import { isEarlier, recordsVersion } from './earlier-tables.ts';
import { countChangedRecords, readLocal, readRecords } from './records.ts';
import { readLog } from './recovery/write-ahead-log.ts';
import { isOpChanged } from './rows.ts';
import { outboxMigrations } from './schema.ts';

export interface OutboxContent {
  readonly queued: number;
  readonly sending: number;
  readonly unsure: number;
  readonly failed: number;
  readonly drafts: number;
  /** Records that could not be understood. */
  readonly setAside: number;
  readonly me: Me | null;
  readonly capabilities: ServerCapabilities;
}

const outboxStore: InspectionRules<OutboxContent> = {
  // A file without tables is damaged, as msg-tui never leaves an outbox without them.
  mayBeEmpty: false,
  migrations: outboxMigrations,
  damageOfFiles: findFileDamage,
  damageOf: findOutboxDamage,
  read: outboxContent,
};

/** Never throws. `isInUse`: a process is, or may be, the sender of the profile. */
export const inspectOutbox = (directory: string, isInUse: boolean): DatabaseFacts<OutboxContent> =>
  inspectDatabase(join(directory, 'outbox.db'), outboxStore, { isInUse });

/** Inspects a file that may replace outbox.db. Never throws. */
export const inspectOutboxFile = (path: string): DatabaseFacts<OutboxContent> => inspectDatabase(path, outboxStore);

/** What an outbox.db holds of its account. */
export interface OwnContent {
  /** The number of messages, edits and drafts that were not sent. */
  readonly unsent: number;
  /** Whether it has names or notes that the user gave. */
  readonly hasNames: boolean;
  /** Whether it has no write and no draft, and does not say whose it is. */
  readonly isEmpty: boolean;
}

/** Reads files of earlier versions too. Null where there is no file, or it cannot be read. Never throws. */
export const ownContentIn = (directory: string): OwnContent | null => inspectOwnContent(directory).content;

function inspectOwnContent(directory: string): DatabaseFacts<OwnContent> {
  return inspectDatabase(join(directory, 'outbox.db'), {
    ...outboxStore,
    read: (database) => {
      const { local } = readLocal(database);
      const isEmpty = local.outbox.length === 0 && local.drafts.size === 0 && local.me === null;
      const hasNames = local.names.size > 0 || local.notes.size > 0;
      return { unsent: countAllUnsent(local), hasNames, isEmpty };
    },
  });
}

/** Counts the texts that were not sent; 0 where they cannot be read. Never throws. */
export const countUnsentIn = (directory: string): number => ownContentIn(directory)?.unsent ?? 0;

/** As `countUnsentIn`, but null where some may not be readable: a file is not to be removed as if it held none. */
export function unsentIn(directory: string): number | null {
  const { condition, content } = inspectOwnContent(directory);
  if (condition === 'missing') return 0;
  return condition === 'whole' ? (content?.unsent ?? null) : null;
}

function outboxContent(database: Database): OutboxContent {
  const ops = database.prepare('SELECT state, count(*) AS count FROM ops GROUP BY state').all();
  const inState = (state: string): number => Number(ops.find((row) => row.state === state)?.count ?? 0);
  const { drafts, me, capabilities } = readRecords(database, ['drafts', 'me', 'capabilities']).local;
  return {
    queued: inState('queued'),
    sending: inState('sending'),
    unsure: inState('unsure'),
    failed: inState('failed'),
    drafts: [...drafts.values()].filter(hasUnsentContent).length,
    setAside: count(database, 'set_aside'),
    me,
    capabilities,
  };
}

/** In bytes. A database has at least one page, and SQLite has no smaller ones. */
const smallestPage = 512;

/**
 * Finds what SQLite would not report: it treats an emptied or removed outbox.db as a new one and deletes its log, and
 * it reads a damaged log up to the damage only. msg-tui itself never leaves an empty file.
 */
function findFileDamage(path: string): string | null {
  const log = sizeOf(`${path}-wal`);
  if (log > 0 && readLog(readFileSync(`${path}-wal`)).isDamaged) return 'its log (outbox.db-wal) is damaged';
  if (existsSync(path)) return sizeOf(path) < smallestPage ? 'the file is empty' : null;
  return log + sizeOf(`${path}-journal`) > 0 ? 'the file is missing, and its journal is there' : null;
}

/** null when it is whole. Throws what SQLite throws for what it cannot even read. */
function findOutboxDamage(database: Database): string | null {
  // The version is written in the same transaction as the tables.
  const version = schemaVersion(database);
  if (version === 0 || isEarlier(database) !== version < recordsVersion)
    return 'its tables, or their version, are missing';
  const damage = findDamage(database, outboxMigrations, 'integrity_check');
  if (damage !== null) return damage;
  const changed =
    database.prepare('SELECT * FROM ops').all().filter(isOpChanged).length + countChangedRecords(database);
  return changed === 0 ? null : `${changed} of its messages and drafts are not as they were written`;
}
