/** Determines and opens the database that the commands of `serve` use. */
import { lstatSync } from 'node:fs';
import { checkDatabaseOption, databaseVariable } from '../../config/server-database.ts';
import type { PoolOptions } from '../../server/store/postgres/connections.ts';
import type { DatabaseEngine } from '../../server/store/sql.ts';
import type { SqliteOptions } from '../../server/store/sqlite/engine.ts';
import { openDataFile } from './data-file.ts';

export interface DatabaseOptions {
  readonly data?: string;
  readonly database?: string;
}

export type ChosenDatabase =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** The database of the options, which override MSG_TUI_DATABASE. */
export function chosenDatabase({ data, database }: DatabaseOptions): ChosenDatabase {
  if (data !== undefined && database !== undefined) throw new Error('give either --data or --database, not both');
  if (data !== undefined) return { kind: 'file', name: data };
  if (database !== undefined) return { kind: 'postgres', url: checkDatabaseOption(database, '--database') };
  const url = databaseVariable();
  if (url === null) throw new Error('name the database: --data FILE, --database postgres://…, or MSG_TUI_DATABASE');
  return { kind: 'postgres', url };
}

/**
 * SQLite would make the file of a mistyped name, without a row in it.
 * @throws Error where there is no such file
 */
export function requireDatabase(chosen: ChosenDatabase): void {
  // A link without a file counts as there: `openChosen` refuses it.
  if (chosen.kind !== 'file' || lstatSync(chosen.name, { throwIfNoEntry: false }) !== undefined) return;
  throw new Error(
    `there is no database ${chosen.name}; check the name, or make one: msg-tui serve --data ${chosen.name} user add NAME`,
  );
}

/** The limits for administration and copies, whose statements may be about all rows of a table and so take long. */
export const longLimits: OpenSettings = { postgres: { statementTimeoutMs: 3_600_000 } };

interface OpenSettings {
  readonly sqlite?: SqliteOptions;
  readonly postgres?: Omit<PoolOptions, 'url'>;
}

/** The database that an option names as a file or an address, else that of MSG_TUI_DATABASE. */
export function databaseNamed(value: string | undefined, option: string): ChosenDatabase {
  if (value !== undefined && !/^\w+:\/\//.test(value)) return { kind: 'file', name: value };
  if (value !== undefined) return { kind: 'postgres', url: checkDatabaseOption(value, option) };
  const url = databaseVariable();
  if (url === null) throw new Error(`${option} is missing, and MSG_TUI_DATABASE is not set`);
  return { kind: 'postgres', url };
}

export async function openChosen(chosen: ChosenDatabase, settings: OpenSettings = {}): Promise<DatabaseEngine> {
  if (chosen.kind === 'postgres') {
    const { openPostgres } = await import('../../server/store/postgres/engine.ts');
    return openPostgres({ url: chosen.url, ...settings.postgres });
  }
  return openDataFile(chosen.name, settings.sqlite);
}
