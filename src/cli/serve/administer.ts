/** Runs an administrative command on the database, and reports its errors in one line. */
import type { Command } from 'commander';
import type { Admin } from '../../server/rules/admin.ts';
import type { Service } from '../../server/rules/service.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import { chosenDatabase, type DatabaseOptions, longLimits, openChosen, requireDatabase } from './database.ts';
import { oneLine } from './output.ts';

interface AdministerOptions {
  /** A data file that is not there is created. */
  readonly mayCreate?: boolean;
  /** Rejects where the command would be refused, so that it leaves no new data file without a row. */
  readonly check?: () => Promise<void>;
}

/** Opens the database beside a running server or without one, and closes it again. */
export function administer(
  serve: Command,
  work: (admin: Admin, service: Service) => Promise<void>,
  { mayCreate = false, check }: AdministerOptions = {},
): Promise<void> {
  return guarded(async () => {
    const { createService } = await import('../../server/rules/service.ts');
    const chosen = chosenDatabase(serve.opts<DatabaseOptions>());
    if (!mayCreate) requireDatabase(chosen);
    await check?.();
    const engine = await openChosen(chosen, longLimits);
    const service = createService({ engine });
    try {
      await work(service.admin, service);
    } finally {
      await service.close();
    }
  });
}

/** What the system or the database server refuses (a full disk, no SQLite) is a failure; any other error is wrong usage. */
export async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ExitError) throw error;
    throw new ExitError(isFailure(error) ? exitCodes.failure : exitCodes.usage, `serve: ${oneLine(messageOf(error))}`);
  }
}

const isFailure = (error: unknown): boolean =>
  error instanceof Error &&
  ('syscall' in error ||
    'severity' in error ||
    ['StorageError', 'DatabaseUnavailable'].includes(error.name) ||
    isFailure(error.cause));
