/** Opens the pool of connections to PostgreSQL. */
import type { ClientConfig, CustomTypesConfig, Pool } from 'pg';
import { asFailure } from './failures.ts';

export interface PoolOptions {
  /** `postgres://…`; what it leaves out comes from the variables of libpq (`PGPASSWORD` and so on) and from `~/.pgpass`. */
  readonly url: string;
  /** Connections of this process at the same time. Default 10. */
  readonly size?: number;
}

const defaultSize = 10;

/** Milliseconds until a request that gets no connection is answered with 503. */
const connectTimeoutMs = 5000;

/** Milliseconds. A process that stands still must not keep its locks, and a slow statement must not keep its connection. */
const limits = {
  lock_timeout: 5000,
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 15_000,
};

export const oldestVersion = 14;

/** The settings of every connection, also of those outside of the pool. */
export async function clientConfig(url: string): Promise<ClientConfig> {
  const { types } = await import('./driver.ts');
  return {
    connectionString: url,
    application_name: 'msg-tui',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    types: numberTypes(types),
    ...limits,
  };
}

/** Integers of 64 bits, and sums of them, are read as numbers: the store counts below 2^53. */
function numberTypes(types: typeof import('pg').types): CustomTypesConfig {
  const int8 = 20;
  const numeric = 1700;
  return {
    getTypeParser: ((oid: number, format?: 'text') =>
      oid === int8 || oid === numeric
        ? Number
        : types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
  };
}

/** Rejects with one line when the server cannot be reached, is too old, or does not store UTF-8. */
export async function openPool({ url, size = defaultSize }: PoolOptions): Promise<Pool> {
  const { Pool } = await import('./driver.ts');
  const pool = new Pool({ ...(await clientConfig(url)), max: size, idleTimeoutMillis: 30_000 });
  // A connection that is lost while nobody uses it leaves the pool, and one in use fails its statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await checkServer(pool);
    return pool;
  } catch (error) {
    await pool.end();
    throw asFailure(error);
  }
}

async function checkServer(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string; encoding: string }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding",
  );
  const { version = '', encoding = '' } = rows[0] ?? {};
  if (Number.parseInt(version, 10) < oldestVersion)
    throw new Error(`the database server is PostgreSQL ${version}; version ${oldestVersion} or later is needed`);
  if (encoding !== 'UTF8') throw new Error(`the database stores text as ${encoding}; create it with ENCODING 'UTF8'`);
}
