/** Finds damage in a database by reading it. */
import type { Database } from './driver.ts';
import { type Migrations, sqlOf } from './migrate.ts';

/**
 * null when it is whole. Throws what SQLite throws for what it cannot even read.
 * @param check `integrity_check` compares each table with its indexes, so that a row that is gone is missed
 */
export function findDamage(
  database: Database,
  migrations: Migrations,
  check: 'quick_check' | 'integrity_check',
): string | null {
  const answer = Object.values(database.prepare(`PRAGMA ${check}(1)`).get() ?? {})[0];
  if (answer !== 'ok') return String(answer).replaceAll(/\s+/g, ' ').slice(0, 100);
  // SQLite's own check does not verify the definitions of the tables, so their text is compared as well.
  const made = migrations.map(sqlOf).join('\n');
  const rows = database.prepare('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL').all();
  const isOurs = (sql: string): boolean => made.includes(sql) || sql.startsWith('CREATE TABLE sqlite_');
  return rows.every(({ sql }) => isOurs(String(sql))) ? null : 'its tables are not ours';
}
