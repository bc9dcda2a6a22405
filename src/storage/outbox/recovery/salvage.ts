/** Saves what can be read of a damaged outbox.db into a new one; the damaged file is kept beside it (R-STORE-2). */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Database, inTransaction, openDatabase, type SqlRow } from '../../sqlite/driver.ts';
import { toStorageError } from '../../sqlite/errors.ts';
import { migrate, newerError } from '../../sqlite/migrate.ts';
import { isHot } from '../../sqlite/open-read-only.ts';
import { prepareFile } from '../../sqlite/private-files.ts';
import { earlierTables, isEarlier, moveEarlierRow } from '../earlier-tables.ts';
import { inspectOutboxFile } from '../inspect-outbox.ts';
import { isOpChanged, isRecordChanged } from '../rows.ts';
import { outboxMigrations, outboxTables } from '../schema.ts';
import { setRowAside } from '../set-aside.ts';
import { assemblePages, dropBadRecords, pageSize, repairHeader, replaceFirstPage } from './database-pages.ts';
import { readableRows } from './readable-rows.ts';
import { readLog } from './write-ahead-log.ts';

export interface Salvaged {
  /** The number of records in the new file. */
  readonly records: number;
  /** The copy of the damaged file; where that was missing, of its log or journal. */
  readonly copy: string;
}

/** The files of one database: the file itself, the log that earlier versions used, the journal. */
const suffixes = ['', '-wal', '-journal'] as const;

/**
 * Replaces the damaged database at `path`. A crash at any point loses nothing: the copy is complete before anything else
 * happens, and the new file is complete before it is called `outbox.db.salvaged`; `finishSalvage` does the rest.
 */
export function salvage(path: string, now: number): Salvaged {
  const copy = path.replace(/\.db$/, `.corrupt-${now}.db`);
  const kept = suffixes
    .filter((suffix) => existsSync(path + suffix))
    .map((suffix) => [path + suffix, copy + suffix] as const);
  const building = `${path}.building`;
  let records: number;
  try {
    for (const [from, to] of kept) {
      copyFileSync(from, to);
      sync(to);
    }
    records = build(copy, building);
    sync(building);
    renameSync(building, `${path}.salvaged`);
  } catch (error) {
    // The damaged files are still in their place. A copy at each start would take what is left of a full disk.
    for (const [, to] of kept) rmSync(to, { force: true });
    throw error;
  }
  finishSalvage(path, now);
  return { records, copy: kept[0]?.[1] ?? copy };
}

/**
 * Replaces the damaged file, which has been copied, by the completely salvaged one; also one that a crash left before
 * this step. A salvaged file that is itself damaged is put aside.
 */
export function finishSalvage(path: string, now: number): void {
  const salvaged = `${path}.salvaged`;
  if (!existsSync(salvaged)) return;
  const { condition, version, knownVersion } = inspectOutboxFile(salvaged);
  if (condition === 'newer') throw newerError(version, knownVersion);
  if (condition !== 'whole') {
    renameSync(salvaged, path.replace(/\.db$/, `.corrupt-${now}.salvaged`));
    return;
  }
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
  renameSync(salvaged, path);
  sync(dirname(path));
}

function build(copy: string, building: string): number {
  for (const suffix of suffixes) rmSync(building + suffix, { force: true });
  prepareFile(building);
  const target = openDatabase(building);
  try {
    migrate(target, outboxMigrations, null);
    target.exec('VACUUM');
    const work = `${building}-source`;
    const pages = read(copy);
    const log = readLog(read(`${copy}-wal`));
    const assembled = (): Buffer => changedInPlace(assemblePages(pages, log.pages, log.pageCount), dropBadRecords);
    // Attempts end with the first that reads all tables completely; every attempt adds rows that those before it did
    // not read.
    const sources: readonly (() => boolean)[] = [
      () =>
        isHot(`${copy}-journal`) &&
        copyFrom(work, target, assemblePages(pages, log.pages, log.pageCount), read(`${copy}-journal`)),
      () => copyFrom(work, target, changedInPlace(assembled(), repairHeader)),
      () => copyFrom(work, target, withFirstPage(assembled, work)),
    ];
    sources.some((source) => source() && countRecords(target) > 0);
    return countRecords(target);
  } finally {
    target.close();
  }
}

/** The pages with the first page of a new file of the same version, or of the version with which most rows make sense. */
function withFirstPage(assembled: () => Buffer, work: string): Buffer {
  const tried = versionsOf(assembled()).map((version) => {
    const firstPage = firstPageOf(version, work);
    const pages = changedInPlace(assembled(), (all) => replaceFirstPage(all, firstPage));
    return { pages, understood: countUnderstood(work, pages) };
  });
  return tried.reduce((best, one) => (one.understood > best.understood ? one : best)).pages;
}

/** The version that the damaged file names; where that is lost too all of them, the newest first. */
function versionsOf(pages: Buffer): readonly [number, ...number[]] {
  const named = pages.readUInt32BE(60);
  const newest = outboxMigrations.length;
  if (named > 0 && named <= newest) return [named];
  return [newest, ...Array.from({ length: newest - 1 }, (_, index) => newest - 1 - index)];
}

/** How many rows of the pages can be understood; with the first page of another version, few can. */
function countUnderstood(work: string, pages: Buffer): number {
  const target = openDatabase(':memory:');
  try {
    migrate(target, outboxMigrations, null);
    copyFrom(work, target, pages);
    return countRows(target, 'ops') + countRows(target, 'records') - countRows(target, 'set_aside');
  } finally {
    target.close();
  }
}

function firstPageOf(version: number, work: string): Buffer {
  rmSync(work, { force: true });
  const database = openDatabase(work);
  try {
    migrate(database, outboxMigrations.slice(0, version), null);
    if (version === outboxMigrations.length) database.exec('VACUUM');
  } finally {
    database.close();
  }
  return readFileSync(work).subarray(0, pageSize);
}

function changedInPlace(pages: Buffer, change: (pages: Buffer) => void): Buffer {
  change(pages);
  return pages;
}

const read = (path: string): Buffer => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0));

/** Returns false when a table could not be copied completely. */
function copyFrom(work: string, target: Database, pages: Buffer, journal: Buffer | null = null): boolean {
  const files = [work, `${work}-journal`, `${work}-wal`, `${work}-shm`];
  for (const file of files) rmSync(file, { force: true });
  try {
    writeFileSync(work, pages, { mode: 0o600 });
    if (journal !== null) writeFileSync(`${work}-journal`, journal, { mode: 0o600 });
    const source = openDatabase(work);
    try {
      // Every table is copied by itself, so that an unreadable one does not prevent the others.
      const tables = isEarlier(source)
        ? [...outboxTables.filter((table) => table !== 'records'), ...earlierTables]
        : outboxTables;
      return tables.map((table) => copyTable(source, target, table)).every((isWhole) => isWhole);
    } finally {
      source.close();
    }
  } catch (error) {
    // A disk that takes no writes is reported. Pages that SQLite does not accept as a database may be accepted in the
    // next attempt.
    if (isWriteRefused(error)) throw error;
    return false;
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}

const countRows = (database: Database, table: string): number =>
  Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0);

const countRecords = (database: Database): number =>
  outboxTables.reduce((sum, table) => sum + countRows(database, table), 0);

/** Returns false when rows may be missing. */
function copyTable(source: Database, target: Database, table: string): boolean {
  const { rows, isWhole } = readableRows(source, table);
  return inTransaction(
    target,
    () => rows.map((row) => copyRow(target, table, row)).every((isDone) => isDone) && isWhole,
  );
}

/** Returns false when the row has other columns, because the definition of the table is damaged. */
function copyRow(target: Database, table: string, row: SqlRow): boolean {
  const { row_number: _, ...record } = row;
  const columns = Object.keys(record);
  const marks = columns.map(() => '?').join(', ');
  try {
    if (earlierTables.includes(table)) {
      moveEarlierRow(target, table, row, 0);
      return true;
    }
    const insert = target.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
    const isChanged = (table === 'ops' && isOpChanged(row)) || (table === 'records' && isRecordChanged(row));
    if (isChanged) setRowAside(target, table, row, 0);
    else insert.run(...Object.values(record));
    return true;
  } catch (error) {
    if (isWriteRefused(error)) throw error;
    return false;
  }
}

const isWriteRefused = (error: unknown): boolean =>
  ['full', 'read-only', 'no-files'].includes(toStorageError(error, '').kind);

/** Synchronises a file, or a directory where the system supports that, with the disk. */
function sync(path: string): void {
  try {
    const file = openSync(path, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}
