/** `serve seed`: imports a JSON file. */
import { lstatSync } from 'node:fs';
import type { Command } from 'commander';
import { systemCause } from '../../config/errors.ts';
import type { Service } from '../../server/rules/service.ts';
import { readAtMost } from '../input/read-at-most.ts';
import { counted } from '../output/check.ts';
import { administer, guarded } from './administer.ts';
import { type ChosenDatabase, chosenDatabase, type DatabaseOptions } from './database.ts';
import { print } from './output.ts';

export function registerSeed(serve: Command): void {
  serve
    .command('seed <file>')
    .description('import people, groups and conversations from a JSON file')
    .action((file: string) =>
      guarded(async () => {
        // A mistyped name of this file makes no database.
        const seed = readSeed(file);
        const check = () => refuseWrong(chosenDatabase(serve.opts<DatabaseOptions>()), seed);
        await administer(serve, (_admin, service) => importInto(service, seed), { mayCreate: true, check });
      }),
    );
}

/** Tries the file in memory first, so that a wrong one leaves no empty data file. */
async function refuseWrong(chosen: ChosenDatabase, seed: unknown): Promise<void> {
  if (chosen.kind !== 'file' || lstatSync(chosen.name, { throwIfNoEntry: false }) !== undefined) return;
  const { createService } = await import('../../server/rules/service.ts');
  const { tryToPlan } = await import('../../server/seed/seed.ts');
  const { openSqlite } = await import('../../server/store/sqlite/engine.ts');
  const { openDatabase } = await import('../../storage/sqlite/driver.ts');
  const service = createService({ engine: openSqlite(openDatabase(':memory:')) });
  await tryToPlan(service, seed).finally(service.close);
}

async function importInto(service: Service, seed: unknown): Promise<void> {
  const { importSeed } = await import('../../server/seed/seed.ts');
  const { people, groups, messages } = await importSeed(service, seed, letOthersWrite);
  const parts = [counted(people, 'person', 'people'), counted(groups, 'group'), counted(messages, 'message')];
  print(parts.join(', '));
}

/** Waits long enough for another process to write: its SQLite tries to lock the file again after up to 25 ms. */
const letOthersWrite = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 30));

/** A text of JavaScript has half a gigabyte at most. */
const largest = 500_000_000;

function readSeed(file: string): unknown {
  let bytes: Uint8Array | null;
  try {
    bytes = readAtMost(file, largest);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${systemCause(error)}`);
  }
  if (bytes === null) throw new Error(`${file} is larger than ${largest / 1_000_000} MB; divide it into several files`);
  try {
    // What is not UTF-8 would become a replacement character in the messages. The decoder leaves a byte order mark out.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error(`${file} is not JSON in UTF-8`);
  }
}
