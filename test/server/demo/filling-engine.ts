/** An engine in memory that refuses all changes while `disk.isFull`. */
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';

export function openFillingEngine() {
  const database = openDatabase(':memory:');
  const disk = { isFull: false };
  const exec = (sql: string): void => {
    if (disk.isFull && sql === 'BEGIN IMMEDIATE') throw new Error('database or disk is full');
    database.exec(sql);
  };
  const prepare = database.prepare.bind(database);
  return { disk, engine: openSqlite({ exec, prepare, close: () => database.close() }) };
}
