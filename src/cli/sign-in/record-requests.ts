/** Writes requests made without a session into the ledger: those of `doctor`, and those that check a token. */
import { existsSync } from 'node:fs';
import type { SentRequest } from '../../api/http/sent-request.ts';
import { loadConfig } from '../../config/file.ts';
import type { Paths } from '../../config/paths.ts';
import { debugEntry } from '../../storage/ledger/debug-log.ts';
import { Ledger } from '../../storage/ledger/ledger.ts';
import { prepareDirectory } from '../../storage/sqlite/private-files.ts';
import { settingsOf } from '../config/chat-settings.ts';

/**
 * Never rejects.
 * @param directory the cache directory of the profile; where it is missing it is made for a new account alone
 */
export async function recordRequests(
  { configFile }: Pick<Paths, 'configFile'>,
  directory: string | null,
  requests: readonly SentRequest[],
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<void> {
  const entries = requests.map((request) => ({ kind: 'request', ...request }) as const);
  for (const entry of entries) debugEntry(entry);
  if (directory === null || !(existsSync(directory) || (isNew && isMade(directory)))) return;
  const { ledgerDays } = settingsOf(await loadConfig(configFile).catch(() => ({ values: null })));
  const ledger = new Ledger(directory, { keepDays: () => ledgerDays });
  for (const entry of entries) ledger.add(entry);
  ledger.close();
}

function isMade(directory: string): boolean {
  try {
    prepareDirectory(directory);
    return true;
  } catch {
    return false;
  }
}
