/** The PostgreSQL engine of the store: a pool of connections, and transactions that run again after a conflict. */
import type { Pool, PoolClient } from 'pg';
import type { Engine, Sql } from '../sql.ts';
import { openPool, type PoolOptions } from './connections.ts';
import { asFailure, isConflict, isConnectionLost } from './failures.ts';
import { checkVersion } from './migrate.ts';
import { createStatements } from './placeholders.ts';
import { createSql, inOrder, runOn } from './queries.ts';

export interface PostgresEngine extends Engine {
  /** Runs `work` on one state of the whole database, which it cannot change. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** How often a transaction runs before a conflict is reported. */
const maximumRuns = 8;
/** Milliseconds; the pause grows with each run, by a random part, so that the same transactions do not meet again. */
const pauseMs = 10;

const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const beginSnapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Opens the pool and makes sure that the tables are those of this program; tables are created in an empty database. */
export async function openPostgres(options: PoolOptions): Promise<PostgresEngine> {
  const pool = await openPool(options);
  try {
    await checkVersion(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return createEngine(pool);
}

function createEngine(pool: Pool): PostgresEngine {
  const statement = createStatements();

  const once = async <T>(opening: string, work: (sql: Sql) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    const queue = inOrder(runOn(client, statement));
    let lost: Error | undefined;
    try {
      await client.query(opening);
      const result = await work(createSql(queue.run));
      await queue.end();
      await commit(client);
      return result;
    } catch (error) {
      await queue.end();
      await client.query('ROLLBACK').catch((second: Error) => {
        lost = second;
      });
      throw error;
    } finally {
      client.release(lost);
    }
  };

  const repeated = async <T>(opening: string, work: (sql: Sql) => Promise<T>): Promise<T> => {
    for (let run = 1; ; run += 1) {
      try {
        return await once(opening, work);
      } catch (error) {
        if (!isConflict(error) || run >= maximumRuns) throw asFailure(error);
        await pause(pauseMs * run * Math.random());
      }
    }
  };

  return {
    sql: createSql(async (sql, parameters) => {
      try {
        const client = await pool.connect();
        try {
          return await runOn(client, statement)(sql, parameters);
        } finally {
          client.release();
        }
      } catch (error) {
        throw asFailure(error);
      }
    }),
    transaction: (work) => repeated(begin, work),
    snapshot: (work) => repeated(beginSnapshot, work),
    emptyLogSoon: () => undefined,
    close: () => pool.end(),
  };
}

async function commit(client: PoolClient): Promise<void> {
  try {
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers the COMMIT of a transaction in which a statement has failed by rolling it back.
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back, since one of its statements had failed');
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    throw new Error('the connection was lost during a commit; the change may or may not be stored', { cause: error });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
