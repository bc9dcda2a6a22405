/** Runs the statements of the store on an SQLite connection. */
import { DatabaseUnavailable, type Dialect, type Sql, type SqlValue } from '../sql.ts';
import { isBusy, isFull, type Statement } from './driver.ts';

const sqliteDialect: Dialect = {
  name: 'sqlite',
  joinInOrder: 'CROSS JOIN',
  forUpdate: '',
  inNumbers: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  numbers: (values) => JSON.stringify(values),
  pairsTable: `(SELECT json_extract(value, '$[0]') AS number, json_extract(value, '$[1]') AS text FROM json_each(?))`,
  pairs: (values) => JSON.stringify(values),
  jsonText: (expression) => `json_quote(${expression})`,
};

/**
 * @param ready resolves when the connection may be used, so that a reader does not see a transaction that is not
 * committed; null where it always may
 * @param failed called with the error of each statement that fails
 */
export function createSql(
  statement: (sql: string) => Statement,
  ready: (() => Promise<void>) | null,
  failed: (error: unknown) => void = () => undefined,
): Sql {
  const on = async <T>(sql: string, use: (statement: Statement) => T): Promise<T> => {
    if (ready !== null) await ready();
    try {
      return use(statement(sql));
    } catch (error) {
      failed(error);
      throw asFailure(error);
    }
  };
  return {
    dialect: sqliteDialect,
    run: (sql, ...parameters) => on(sql, (one) => void one.run(...parameters)),
    get: <Row>(sql: string, ...parameters: SqlValue[]) => on(sql, (one) => one.get(...parameters) as Row | undefined),
    all: <Row>(sql: string, ...parameters: SqlValue[]) => on(sql, (one) => one.all(...parameters) as Row[]),
    insert: (table, row) => {
      const names = Object.keys(row);
      const text = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
      return on(text, (one) => Number(one.run(...Object.values<SqlValue>(row)).lastInsertRowid));
    },
    update: (table, seq, columns) => {
      const assignments = Object.keys(columns).map((name) => `${name} = ?`);
      const text = `UPDATE ${table} SET ${assignments.join(', ')} WHERE seq = ?`;
      return on(text, (one) => void one.run(...Object.values<SqlValue>(columns), seq));
    },
  };
}

export function asFailure(error: unknown): unknown {
  if (isBusy(error)) return new DatabaseUnavailable('another process writes to the data file', { cause: error });
  if (isFull(error)) return new DatabaseUnavailable('the disk of the data file is full', { cause: error });
  return error;
}
