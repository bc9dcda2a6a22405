/** Opens the pool of connections to PostgreSQL, with sockets that join the writes of one turn of the event loop. */

import { Socket } from 'node:net';
import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg';
import { asFailure } from './failures.ts';

export interface PoolOptions {
  /** `postgres://…`; what it leaves out comes from the variables of libpq (`PGPASSWORD` and so on) and from `~/.pgpass`. */
  readonly url: string;
  /** Connections of this process at the same time. Default 10. */
  readonly size?: number;
  /** Whether other processes use the database, so that changes are announced to them and heard from them. Default true. */
  readonly isShared?: boolean;
  /** Milliseconds until a statement is given up, so that a slow one does not keep its connection. Default 15,000. */
  readonly statementTimeoutMs?: number;
}

const defaultSize = 10;

/** Milliseconds until a request that gets no connection is answered with 503. */
const connectTimeoutMs = 5000;

const defaultStatementTimeoutMs = 15_000;

/** Milliseconds that a statement waits for a lock, and that a transaction without a statement keeps its locks. */
const lockTimeoutMs = 5000;
const idleInTransactionMs = 15_000;

/** Each statement finds its rows by an index whatever the values are, and to plan it takes longer than to run it. */
const planOnce = 'SET plan_cache_mode = force_generic_plan';

const oldestVersion = 14;

const loadDriver = () => import('./pg-driver.ts');
type Driver = Awaited<ReturnType<typeof loadDriver>>;

function configOf({ url, statementTimeoutMs = defaultStatementTimeoutMs }: PoolOptions, driver: Driver): ClientConfig {
  return {
    connectionString: url,
    application_name: 'msg-tui',
    keepAlive: true,
    stream: () => new JoiningSocket(),
    // Statements that do not need each other's results are sent at once, and carried out in their order.
    pipeline: true,
    connectionTimeoutMillis: connectTimeoutMs,
    types: numberTypes(driver.types),
    statement_timeout: statementTimeoutMs,
    // The server gives a statement up before; this is for a server that does not answer at all.
    query_timeout: statementTimeoutMs + 1000,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
}

/** Integers of 64 bits, and sums of them, are read as numbers: the store counts below 2^53. */
function numberTypes(types: Driver['types']): CustomTypesConfig {
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
export async function openPool(options: PoolOptions): Promise<Pool> {
  const driver = await loadDriver();
  const pool = new driver.Pool({
    ...configOf(options, driver),
    max: options.size ?? defaultSize,
    idleTimeoutMillis: 30_000,
  });
  // A connection that is lost while nobody uses it leaves the pool, and one in use fails its statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    client.query(planOnce).catch(() => undefined);
  });
  try {
    await checkServer(pool);
    return pool;
  } catch (error) {
    await pool.end();
    // What the driver says when the server asks for a password and it has none.
    if (error instanceof Error && error.message.includes('password must be a string')) throw new Error(passwordMissing);
    throw asFailure(error);
  }
}

const passwordMissing =
  'the database server asks for a password; set PGPASSWORD, write it to ~/.pgpass, or put it into MSG_TUI_DATABASE';

/** A connection outside of the pool. */
export async function openClient(url: string): Promise<Client> {
  const driver = await loadDriver();
  const client = new driver.Client(configOf({ url }, driver));
  // Without a listener the error of a lost connection would end the process; `end` follows it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
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

/**
 * Sends the statements of one turn of the event loop with one system call, where the driver makes one for each: it corks
 * the socket for each statement, and here the cork stays until the end of the turn. With TLS, the driver does
 * not use the cork of this socket.
 */
export class JoiningSocket extends Socket {
  #isHeld = false;

  override cork(): void {
    super.cork();
    if (this.#isHeld) return;
    this.#isHeld = true;
    super.cork();
    process.nextTick(() => {
      this.#isHeld = false;
      this.uncork();
    });
  }
}
