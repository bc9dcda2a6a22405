/** Brings the tables of a PostgreSQL database up to date. There is no way back to an older version. */
import type { Pool, PoolClient } from 'pg';
import { asFailure } from './failures.ts';
import { migrations } from './schema.ts';

export interface Migrated {
  /** 0 when the database was empty. */
  readonly from: number;
  readonly to: number;
}

/** The key of the lock that one process has while it changes tables. */
const lock = 'SELECT pg_advisory_xact_lock(1836279668)';

const createVersions = `
CREATE TABLE IF NOT EXISTS schema_versions (
  version integer PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

/** Runs all steps in one transaction: the database has the old tables or the new ones. `steps` differ in tests. */
export async function migrate(pool: Pool, steps: readonly string[] = migrations): Promise<Migrated> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    await client.query(lock);
    await client.query(createVersions);
    const from = await versionOf(client);
    refuseNewer(from, steps.length);
    for (const [index, step] of steps.entries()) {
      if (index < from) continue;
      await client.query(step);
      await client.query('INSERT INTO schema_versions (version) VALUES ($1)', [index + 1]);
    }
    await client.query('COMMIT');
    return { from, to: steps.length };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw asFailure(error);
  } finally {
    client.release();
  }
}

/**
 * Creates the tables of an empty database. Rejects where they are of another version: an operator decides when the
 * tables change that other processes use (`msg-tui serve migrate`).
 */
export async function checkVersion(pool: Pool, steps: readonly string[] = migrations): Promise<void> {
  const { rows } = await pool.query("SELECT to_regclass('schema_versions') IS NOT NULL AS is_there");
  const found = rows[0]?.is_there === true ? await versionOf(pool) : 0;
  if (found === 0) return void (await migrate(pool, steps));
  refuseNewer(found, steps.length);
  if (found < steps.length) {
    const versions = `the tables of the database have version ${found}, and this program needs ${steps.length}`;
    throw new Error(`${versions}; run msg-tui serve migrate`);
  }
}

async function versionOf(client: Pool | PoolClient): Promise<number> {
  const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM schema_versions');
  return (rows[0] as { readonly version: number }).version;
}

function refuseNewer(found: number, known: number): void {
  if (found > known)
    throw new Error(`the tables of the database have version ${found}, and this program knows ${known} at most`);
}
