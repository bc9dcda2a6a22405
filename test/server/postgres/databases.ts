/** PostgreSQL databases for tests: PGlite in this process, or one of a real server that DATABASE_URL names. */
import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  /** Connections that it can have at the same time. */
  readonly size: number;
  /** Removes all tables. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const empty = 'DROP SCHEMA public CASCADE; CREATE SCHEMA public';

/** Takes seconds and 700 MB. It has a single session, which all connections share: one after the other may use it. */
export async function openPglite(): Promise<TestDatabase> {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 20 });
  await server.start();
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres`,
    size: 1,
    // The statements that a connection has prepared outlive it here.
    clear: async () => void (await db.exec(`${empty}; DEALLOCATE ALL`)),
    close: async () => {
      await server.stop();
      await db.close();
    },
  };
}

/** A new database beside the one that DATABASE_URL names. */
export async function openRealDatabase(): Promise<TestDatabase> {
  const url = new URL(process.env.DATABASE_URL ?? '');
  const administer = async (address: URL, sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  const name = `msg_tui_test_${randomBytes(6).toString('hex')}`;
  await administer(url, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    size: 10,
    clear: () => administer(own, empty),
    close: () => administer(url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Why tests are skipped that need several connections. */
export const hasRealServer = process.env.DATABASE_URL !== undefined;
