import { expect, test } from 'vitest';
import { createSql } from '../../../src/server/store/database.ts';

/** As SQLite is on a full disk: the transaction is over by itself. */
function fullDatabase() {
  const told: string[] = [];
  let isOpen = false;
  const exec = (sql: string): void => {
    told.push(sql);
    if (sql.startsWith('BEGIN')) isOpen = true;
    else if (!isOpen) throw new Error('cannot rollback - no transaction is active');
    else {
      isOpen = false;
      if (sql === 'COMMIT') throw new Error('database or disk is full');
    }
  };
  const none = (): never => {
    throw new Error('nothing is prepared here');
  };
  return { told, database: { exec, prepare: none, close: () => undefined } };
}

test('the error is reported where the database has rolled back by itself, and the next transaction can begin', () => {
  const { told, database } = fullDatabase();
  const sql = createSql(database);
  expect(() => sql.transaction(() => 1)).toThrow('database or disk is full');
  expect(() => sql.transaction(() => 2)).toThrow('database or disk is full');
  expect(told.filter((one) => one.startsWith('BEGIN'))).toHaveLength(2);
});
