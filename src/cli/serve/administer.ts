/** Runs an administrative command on the data file, and reports its errors in one line. */
import type { Command } from 'commander';
import type { Admin } from '../../server/rules/admin.ts';
import type { Service } from '../../server/rules/service.ts';
import { ExitError, exitCodes, messageOf } from '../exit.ts';
import { openDataFile } from './data-file.ts';
import { oneLine } from './output.ts';

/** Opens the data file beside a running server or without one, and closes it again. */
export function administer(serve: Command, work: (admin: Admin, service: Service) => Promise<void>): Promise<void> {
  return guarded(async () => {
    const { createService } = await import('../../server/rules/service.ts');
    const service = createService({ engine: await openDataFile(serve.opts<{ readonly data: string }>().data) });
    try {
      await work(service.admin, service);
    } finally {
      await service.close();
    }
  });
}

/** What the system refuses (a full disk, no SQLite) is a failure; any other error is wrong usage. */
export async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ExitError) throw error;
    const isSystem = error instanceof Error && ('syscall' in error || error.name === 'StorageError');
    throw new ExitError(isSystem ? exitCodes.failure : exitCodes.usage, `serve: ${oneLine(messageOf(error))}`);
  }
}
