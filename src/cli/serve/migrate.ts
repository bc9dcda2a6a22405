/** `serve migrate`: brings the tables of the database up to date. */
import type { Command } from 'commander';
import { guarded } from './administer.ts';
import { openDataFile } from './data-file.ts';
import { chosenDatabase, type DatabaseOptions, requireDatabase } from './database.ts';
import { print } from './output.ts';

/** The limit of a statement: a change of a large table takes longer than any statement of a request. */
const hourMs = 3_600_000;

export function registerMigrate(serve: Command): void {
  serve
    .command('migrate')
    .description('bring the tables of the database up to date; there is no way back')
    .action(() => guarded(() => migrateDatabase(serve.opts<DatabaseOptions>())));
}

async function migrateDatabase(options: DatabaseOptions): Promise<void> {
  const chosen = chosenDatabase(options);
  requireDatabase(chosen);
  if (chosen.kind === 'file') {
    await (await openDataFile(chosen.name)).close();
    return print('the tables are up to date');
  }
  const { openPool } = await import('../../server/store/postgres/connections.ts');
  const { migrate } = await import('../../server/store/postgres/migrate.ts');
  const pool = await openPool({ url: chosen.url, size: 1, statementTimeoutMs: hourMs });
  try {
    const { from, to } = await migrate(pool);
    print(
      from === to ? `the tables are up to date: version ${to}` : `changed the tables from version ${from} to ${to}`,
    );
  } finally {
    await pool.end();
  }
}
