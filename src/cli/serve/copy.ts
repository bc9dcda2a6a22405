/** `serve copy`: copies everything from one database to another one, of either kind. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { guarded } from './administer.ts';
import {
  type ChosenDatabase,
  chosenDatabase,
  type DatabaseOptions,
  databaseNamed,
  longLimits,
  openChosen,
} from './database.ts';
import { print } from './output.ts';

interface CopyOptions {
  readonly from?: string;
  readonly to?: string;
}

export function registerCopy(serve: Command): void {
  serve
    .command('copy')
    .description('copy everything into an empty database, and compare both')
    .option('--from <file or address>', 'the database to read; by default the one given to serve, or MSG_TUI_DATABASE')
    .option('--to <file or address>', 'the database to fill; by default MSG_TUI_DATABASE')
    .action(({ from, to }: CopyOptions) =>
      guarded(async () => {
        const own = serve.opts<DatabaseOptions>();
        const isOwn = own.data !== undefined || own.database !== undefined;
        if (from === undefined && to === undefined && !isOwn) throw new Error('copy needs --from or --to, or both');
        if (from !== undefined && isOwn) throw new Error('give the source once: --from, or --data or --database');
        await copy(isOwn ? chosenDatabase(own) : databaseNamed(from, '--from'), databaseNamed(to, '--to'));
      }),
    );
}

async function copy(from: ChosenDatabase, to: ChosenDatabase): Promise<void> {
  if (from.kind === 'file' && !existsSync(from.name)) throw new Error(`${from.name} does not exist`);
  const { copyDatabase } = await import('../../server/store/copy.ts');
  const source = await openChosen(from, longLimits);
  try {
    const target = await openChosen(to, longLimits);
    try {
      for (const { name, rows, digest } of await copyDatabase(source, target)) print(`${name}\t${rows}\t${digest}`);
      print('copied; each table has the same rows and the same digest in both');
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
