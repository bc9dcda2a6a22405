/** The floors of the two engines, measured with their drivers and nothing of ours: one SELECT and one committed INSERT. */
import { existsSync, rmSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { median } from '../statistics.ts';

export interface EngineFloor {
  /** Milliseconds. */
  readonly select: number;
  readonly insert: number;
}

const rows = 1000;

async function time(count: number, one: (n: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    await one(n);
    times.push(performance.now() - began);
  }
  return median(times);
}

/** @param file made and removed; on the disk of the data that are measured */
export async function sqliteFloor(file: string): Promise<EngineFloor> {
  const database = openDatabase(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE floor (seq INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO floor (text) VALUES (?)');
  const select = database.prepare('SELECT seq, text FROM floor WHERE seq = ?');
  try {
    const inserted = await time(rows, (n) => insert.run(`message ${n}`));
    return { select: await time(rows, (n) => select.get((n % rows) + 1)), insert: inserted };
  } finally {
    database.close();
    for (const one of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(one)) rmSync(one);
  }
}

export async function postgresFloor(url: string): Promise<EngineFloor> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('DROP TABLE IF EXISTS bench_floor');
    await client.query('CREATE TABLE bench_floor (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text)');
    const insert = { name: 'insert', text: 'INSERT INTO bench_floor (text) VALUES ($1)' };
    const select = { name: 'select', text: 'SELECT seq, text FROM bench_floor WHERE seq = $1' };
    const inserted = await time(rows, (n) => client.query({ ...insert, values: [`message ${n}`] }));
    return { select: await time(rows, (n) => client.query({ ...select, values: [(n % rows) + 1] })), insert: inserted };
  } finally {
    await client.query('DROP TABLE IF EXISTS bench_floor');
    await client.end();
  }
}
