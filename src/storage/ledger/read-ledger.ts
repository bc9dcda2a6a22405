/** Reads the ledger of a profile. */
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { entryOf, type LedgerEntry } from './entry.ts';
import { isLedgerFile, ledgerDirectory } from './ledger.ts';

/** Yields the entries since a time, by day, in the order in which they were written. */
export async function* readLedger(cacheDirectory: string, since: number): AsyncGenerator<LedgerEntry> {
  const directory = ledgerDirectory(cacheDirectory);
  if (!existsSync(directory)) return;
  // A line is written when its request is over, so an entry of one day may be in the file of the next.
  const first = new Date(since).toISOString().slice(0, 10);
  const files = readdirSync(directory, { withFileTypes: true })
    // A pipe would be waited for.
    .filter((entry) => entry.isFile() && isLedgerFile(entry.name) && entry.name.slice(0, 10) >= first)
    .map(({ name }) => name);
  for (const name of files.sort()) {
    const lines = createInterface({
      input: createReadStream(join(directory, name)),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    for await (const line of lines) {
      const entry = line === '' ? null : entryOf(line);
      if (entry !== null && entry.at >= since) yield entry;
    }
  }
}
