/** Saves what can be read of a damaged outbox.db into a new one; the damaged file is kept beside it (R-STORE-2). */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { prepareFile } from './directory.ts';
import { type Database, inTransaction, openDatabase, type SqlRow } from './driver.ts';
import { migrate } from './migrate.ts';
import { outboxMigrations, outboxTables } from './outbox-schema.ts';

export interface Salvaged {
  /** Records copied into the new file. */
  readonly records: number;
  /** The damaged file as it was found. */
  readonly copy: string;
}

/** How many single records are tried between the two ends that can be read in order. */
const probeLimit = 10_000;

/**
 * Replaces the damaged database at `path`. A crash at any point loses nothing: the copy is complete before
 * anything else happens, the new file is complete before it gets its name, and `settleLeftover` ends the rest.
 * @param live a connection to it that may remember what the file has lost
 */
export function salvage(path: string, now: number, live: Database | null = null): Salvaged {
  const copy = path.replace(/\.db$/, `.corrupt-${now}.db`);
  for (const suffix of ['', '-wal']) {
    if (!existsSync(path + suffix)) continue;
    copyFileSync(path + suffix, copy + suffix);
    sync(copy + suffix);
  }
  return salvageCopy(copy, path, live);
}

/** From what an earlier salvage has put aside, as far as `live` does not know more. */
export function salvageCopy(copy: string, path: string, live: Database | null = null): Salvaged {
  const building = `${path}.building`;
  const records = build(copy, building, live);
  sync(building);
  renameSync(building, `${path}.salvaged`);
  finishSalvage(path);
  return { records, copy };
}

/** Puts a completely salvaged file in the place of the damaged one. */
export function finishSalvage(path: string): void {
  rmSync(`${path}-wal`, { force: true });
  rmSync(`${path}-shm`, { force: true });
  renameSync(`${path}.salvaged`, path);
}

function build(copy: string, building: string, live: Database | null): number {
  for (const suffix of ['', '-journal']) rmSync(building + suffix, { force: true });
  prepareFile(building);
  const target = openDatabase(building);
  try {
    migrate(target, outboxMigrations, null);
    const firstPage = readFirstPage(building);
    const work = `${building}-source`;
    if (live !== null && copyWhole(live, target)) return countRecords(target);
    const isWhole = copyFrom(copy, work, target, null);
    if (!isWhole || countRecords(target) === 0) copyFrom(copy, work, target, firstPage);
    return countRecords(target);
  } finally {
    target.close();
  }
}

/** Works on a second copy, as opening a database with a WAL changes it. False when a table could not be copied. */
function copyFrom(copy: string, work: string, target: Database, firstPage: Uint8Array | null): boolean {
  const suffixes = ['', '-wal', '-shm'];
  try {
    for (const suffix of suffixes) {
      rmSync(work + suffix, { force: true });
      if (existsSync(copy + suffix)) copyFileSync(copy + suffix, work + suffix);
    }
    if (firstPage !== null) replaceFirstPage(work, firstPage);
    const source = openDatabase(work);
    try {
      return copyTables(source, target);
    } finally {
      source.close();
    }
  } catch {
    // Not even a database any more; the other attempt may do better.
    return false;
  } finally {
    for (const suffix of suffixes) rmSync(work + suffix, { force: true });
  }
}

/** All or nothing: beside what one connection remembers, an older file would bring back what had left the outbox. */
function copyWhole(live: Database, target: Database): boolean {
  const copied = attempt(() => {
    const tables = outboxTables.map(
      (table) => [table, live.prepare(`SELECT rowid AS row_number, * FROM ${table} ORDER BY rowid`).all()] as const,
    );
    for (const [table, rows] of tables) insertRows(target, table, rows);
  });
  return copied !== null;
}

/** False when one could not be copied. */
const copyTables = (source: Database, target: Database): boolean =>
  outboxTables.filter((table) => attempt(() => copyTable(source, target, table)) === null).length === 0;

const countRecords = (database: Database): number =>
  outboxTables.reduce((sum, table) => sum + countRows(database, table), 0);

/** How many rows could be read. */
function copyTable(source: Database, target: Database, table: string): number {
  const rows = readableRows(source, table);
  insertRows(target, table, rows);
  return rows.length;
}

function insertRows(target: Database, table: string, rows: readonly SqlRow[]): void {
  inTransaction(target, () => {
    for (const row of rows) {
      const { row_number: _, ...record } = row;
      const columns = Object.keys(record);
      const marks = columns.map(() => '?').join(', ');
      const sql = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`;
      target.prepare(sql).run(...Object.values(record));
    }
  });
}

/** Reads a table from both ends up to the damage, then tries the rows between one by one. */
function readableRows(source: Database, table: string): readonly SqlRow[] {
  const rows = new Map<number, SqlRow>();
  const select = `SELECT rowid AS row_number, * FROM ${table}`;
  let from = 0;
  const isWhole = eachRow(source, `${select} ORDER BY rowid`, (row) => {
    from = Number(row.row_number);
    rows.set(from, row);
  });
  if (isWhole) return [...rows.values()];
  let to = from + probeLimit;
  eachRow(source, `${select} ORDER BY rowid DESC`, (row) => {
    const number = Number(row.row_number);
    if (number > from) to = Math.min(to, number);
    rows.set(number, row);
  });
  const probes = new Set(Array.from({ length: to - from - 1 }, (_, i) => from + 1 + i));
  // Read from the index of the table, whose pages may be whole.
  eachRow(source, `SELECT rowid AS row_number FROM ${table}`, (row) => probes.add(Number(row.row_number)));
  const single = attempt(() => source.prepare(`${select} WHERE rowid = ?`));
  for (const number of single === null ? [] : probes) {
    const row = rows.has(number) ? null : attempt(() => single?.get(number));
    if (row) rows.set(number, row);
  }
  return [...rows.values()];
}

/** False when an error ended it early. */
function eachRow(source: Database, sql: string, visit: (row: SqlRow) => void): boolean {
  try {
    for (const row of source.prepare(sql).iterate()) visit(row);
    return true;
  } catch {
    return false;
  }
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const pageSize = 4096;

function readFirstPage(path: string): Uint8Array {
  const page = new Uint8Array(pageSize);
  const file = openSync(path, 'r');
  try {
    readSync(file, page, 0, pageSize, 0);
  } finally {
    closeSync(file);
  }
  return page;
}

/**
 * Puts the first page of a fresh database with the same schema over a damaged one: tables get the same root pages in
 * both. The header is made to fit the file: https://www.sqlite.org/fileformat2.html §1.3.
 */
function replaceFirstPage(path: string, firstPage: Uint8Array): void {
  const page = Buffer.from(firstPage);
  const hasWal = existsSync(`${path}-wal`);
  page.fill(hasWal ? 2 : 1, 18, 20);
  page.writeUInt32BE(Math.floor(statSync(path).size / pageSize), 28);
  page.fill(0, 32, 40);
  page.copy(page, 92, 24, 28);
  const file = openSync(path, 'r+');
  try {
    writeSync(file, page, 0, pageSize, 0);
  } finally {
    closeSync(file);
  }
}

function countRows(database: Database, table: string): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0);
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
