/** The PostgreSQL engine of the store: a pool of connections, and transactions that run again after a conflict. */
import type { Pool, PoolClient } from 'pg';
import type { DatabaseEngine, Sql } from '../sql.ts';
import { createChanges } from './changes.ts';
import { openPool, type PoolOptions } from './connections.ts';
import { asFailure, asNotConnected, isAborted, isConflict, isConnectionLost } from './failures.ts';
import { checkVersion } from './migrate.ts';
import { createStatements } from './placeholders.ts';
import { createSql, type Run, runOn, untilEnd } from './queries.ts';

/** How often a transaction runs before a conflict is reported. */
const maximumRuns = 8;
/** Milliseconds; the pause grows with each run, by a random part, so that the same transactions do not meet again. */
const pauseMs = 10;

const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const beginSnapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Opens the pool and makes sure that the tables are those of this program; tables are created in an empty database. */
export async function openPostgres(options: PoolOptions): Promise<DatabaseEngine> {
  const pool = await openPool(options);
  try {
    await checkVersion(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return createPostgresEngine(pool, options);
}

function createPostgresEngine(pool: Pool, options: PoolOptions): DatabaseEngine {
  const statement = createStatements();
  const changes = createChanges(pool, options);
  /** For each transaction under way, the people whose lists it has changed so far. */
  const affected = new WeakMap<Sql, Set<number>>();

  const begun = (opening: string) =>
    async function run<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      const people = new Set<number>();
      const result = await inTransaction(pool, statement, opening, (sql) => {
        people.clear();
        affected.set(sql, people);
        return work(sql);
      });
      changes.publish(people);
      return result;
    };

  return {
    sql: createSql(alone(pool, statement)),
    transaction: begun(begin),
    snapshot: begun(beginSnapshot),
    announce: async (sql, people) => {
      const known = affected.get(sql);
      if (known === undefined) throw new Error('a change is announced outside of a transaction');
      for (const person of people) known.add(person);
    },
    onChange: changes.onChange,
    emptyLogSoon: () => undefined,
    close: async () => {
      await changes.close();
      await pool.end();
    },
  };
}

type Statements = ReturnType<typeof createStatements>;

async function takeConnection(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw asNotConnected(error);
  }
}

/** Runs single statements, each on a free connection. */
function alone(pool: Pool, statement: Statements): Run {
  return async (sql, parameters) => {
    try {
      const client = await takeConnection(pool);
      let lost: Error | undefined;
      try {
        return await runOn(client, statement)(sql, parameters);
      } catch (error) {
        if (isConnectionLost(error)) lost = error as Error;
        throw error;
      } finally {
        client.release(lost);
      }
    } catch (error) {
      throw asFailure(error);
    }
  };
}

/** Runs `work` again after a conflict. */
async function inTransaction<T>(
  pool: Pool,
  statement: Statements,
  opening: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  for (let run = 1; ; run += 1) {
    try {
      return await once(pool, statement, opening, work);
    } catch (error) {
      if (!isConflict(error) || run >= maximumRuns) throw asFailure(error);
      await new Promise((resolve) => void setTimeout(resolve, pauseMs * run * Math.random()));
    }
  }
}

async function once<T>(pool: Pool, statement: Statements, opening: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await takeConnection(pool);
  const queue = untilEnd(runOn(client, statement));
  let lost: Error | undefined;
  try {
    // It is sent with the first statement, which a connection that fails now does not carry out either.
    const began = client.query(statement(opening));
    began.catch(() => undefined);
    const result = await work(createSql(queue.run));
    // It is sent with the last statements where `work` has not waited for them.
    const committed = commit(client);
    committed.catch(() => undefined);
    await began;
    await queue.end();
    await committed;
    return result;
  } catch (error) {
    await queue.end();
    const cause = isAborted(error) || error instanceof RolledBack ? (queue.failure() ?? error) : error;
    lost = await rollBack(client, cause);
    throw cause;
  } finally {
    client.release(lost);
  }
}

/** Returns the error after which the connection cannot be used again. */
async function rollBack(client: PoolClient, cause: unknown): Promise<Error | undefined> {
  if (cause instanceof CommitLost || isConnectionLost(cause)) return cause as Error;
  return client.query('ROLLBACK').then(
    () => undefined,
    (error: Error) => error,
  );
}

async function commit(client: PoolClient): Promise<void> {
  try {
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers the COMMIT of a transaction in which a statement has failed by rolling it back.
    if (command !== 'COMMIT') throw new RolledBack();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    throw new CommitLost(error);
  }
}

class RolledBack extends Error {
  constructor() {
    super('the transaction was rolled back, since one of its statements had failed');
  }
}

/** It is not known whether the change was committed. */
class CommitLost extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit; the change may or may not be stored', { cause });
  }
}
