/** Runs the SQL of the store on a connection to PostgreSQL. */
import type { PoolClient, QueryResult } from 'pg';
import type { Dialect, Sql, SqlValue } from '../sql.ts';
import type { NamedStatement } from './placeholders.ts';

const dialect: Dialect = {
  name: 'postgres',
  joinInOrder: 'JOIN',
  forUpdate: ' FOR NO KEY UPDATE',
  inNumbers: (column) => `${column} = ANY(CAST(? AS bigint[]))`,
  numbers: (values) => `{${values.join(',')}}`,
  pairsTable: `(SELECT CAST(pair ->> 0 AS bigint) AS number, pair ->> 1 AS text
    FROM json_array_elements(CAST(? AS json)) AS pairs(pair))`,
  pairs: (values) => JSON.stringify(values),
  jsonText: (expression) => `coalesce(CAST(to_json(${expression}) AS text), 'null')`,
};

/** Runs one statement and returns its result. */
export type Run = (sql: string, parameters: readonly SqlValue[]) => Promise<QueryResult>;

export function runOn(client: PoolClient, statement: (sql: string) => NamedStatement): Run {
  return (sql, parameters) => client.query({ ...statement(sql), values: [...parameters] });
}

export function createSql(run: Run): Sql {
  return {
    dialect,
    run: async (sql, ...parameters) => void (await run(sql, parameters)),
    get: async <Row>(sql: string, ...parameters: SqlValue[]) => (await run(sql, parameters)).rows[0] as Row | undefined,
    all: async <Row>(sql: string, ...parameters: SqlValue[]) => (await run(sql, parameters)).rows as Row[],
    insert: async (table, row) => {
      const names = Object.keys(row);
      const text = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING seq`;
      const { rows } = await run(text, Object.values<SqlValue>(row));
      return (rows[0] as { readonly seq: number }).seq;
    },
    update: async (table, seq, columns) => {
      const assignments = Object.keys(columns).map((name) => `${name} = ?`);
      const text = `UPDATE ${table} SET ${assignments.join(', ')} WHERE seq = ?`;
      await run(text, [...Object.values<SqlValue>(columns), seq]);
    },
  };
}

interface TransactionQueue {
  readonly run: Run;
  /** Resolves when all statements are answered. None runs after it: it would be carried out outside of the transaction. */
  end(): Promise<void>;
  /**
   * The error of the first statement that failed; undefined when none has. Statements that were sent after it fail with
   * "current transaction is aborted", and the caller may hear of that one first.
   */
  failure(): unknown;
}

/** The statements of one transaction. */
export function untilEnd(run: Run): TransactionQueue {
  let last: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  let failure: unknown;
  return {
    failure: () => failure,
    run: async (sql, parameters) => {
      if (hasEnded) throw new Error('a statement after the end of its transaction');
      // The server answers in the order of the statements, so the last one is answered after all others.
      const answered = run(sql, parameters);
      last = answered.catch((error: unknown) => {
        failure ??= error;
      });
      return answered;
    },
    end: async () => {
      hasEnded = true;
      await last;
    },
  };
}
