/** PostgreSQL databases for tests: PGlite in this process, or one of a real server that DATABASE_URL names. */
import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  /** Connections that it can have at the same time. */
  readonly size: number;
  readonly isShared: boolean;
  /** Removes all rows. */
  clear(): Promise<void>;
  /** Removes all tables. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

const drop = 'DROP SCHEMA public CASCADE; CREATE SCHEMA public';

const tables = "FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_versions'";
const truncate = `
DO $$ DECLARE names text; BEGIN
  SELECT string_agg(quote_ident(tablename), ', ') INTO names ${tables};
  IF names IS NOT NULL THEN EXECUTE 'TRUNCATE ' || names; END IF;
END $$`;
/** Faster on PGlite. Without checks of foreign keys, which a user who is no superuser cannot turn off. */
const deleteRows = `
DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename ${tables} LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$`;

/** Takes seconds and 700 MB. It has a single session, which all connections share: one after the other may use it. */
export async function openPglite(): Promise<TestDatabase> {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 20 });
  await server.start();
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres`,
    size: 1,
    isShared: false,
    // The statements that a connection has prepared outlive it here.
    clear: async () => void (await db.exec(`${deleteRows}; DEALLOCATE ALL`)),
    drop: async () => void (await db.exec(`${drop}; DEALLOCATE ALL`)),
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
    isShared: true,
    clear: () => administer(own, truncate),
    drop: () => administer(own, drop),
    close: () => administer(url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Why tests are skipped that need several connections. */
export const hasRealServer = process.env.DATABASE_URL !== undefined;
