/** `serve backup` and `serve restore`: makes a checked copy of the data file, and restores one. */
import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, openSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { syncDirectory } from '../../config/atomic-write.ts';
import { systemCause, systemCode } from '../../config/errors.ts';
import type { Contents } from '../../server/store/sqlite/backup.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import { removedBySignals } from '../process/remove-on-signal.ts';
import { guarded } from './administer.ts';
import { chosenDatabase, type DatabaseOptions } from './database.ts';
import { print } from './output.ts';

export function registerBackup(serve: Command): void {
  serve
    .command('backup <file>')
    .description('write a checked copy of the data file, also while the server runs')
    .action((file: string) => guarded(() => backUp(dataFile(serve), resolve(file))));
  serve
    .command('restore <file>')
    .description('put a backup in place of the data file; the server must not run')
    .action((file: string) => guarded(() => restore(dataFile(serve), resolve(file))));
}

function dataFile(serve: Command): string {
  const chosen = chosenDatabase(serve.opts<DatabaseOptions>());
  if (chosen.kind === 'file') return resolve(chosen.name);
  throw new Error('backup and restore are for a data file; use pg_dump and pg_restore for PostgreSQL');
}

/** Makes the copy, which gets its name only once it is complete, checked and on disk. */
async function backUp(data: string, target: string): Promise<void> {
  if (!existsSync(data)) throw new Error(`${data} does not exist`);
  if (existsSync(target)) throw alreadyThere(target);
  const { prepareDataFile } = await import('../../server/store/sqlite/private-data-file.ts');
  const { copyInto } = await import('../../server/store/sqlite/backup.ts');
  const { openDatabase } = await import('../../storage/sqlite/driver.ts');
  prepareDataFile(data);
  const { temporary, remove } = createTemporary(target);
  try {
    const database = openDatabase(data);
    try {
      database.exec('PRAGMA busy_timeout = 5000');
      copyInto(database, temporary);
    } finally {
      database.close();
    }
    await signals();
    const contents = await checked(temporary, data);
    await signals();
    flush(temporary);
    giveName(temporary, target);
    report(target, contents);
  } finally {
    remove();
  }
  syncDirectory(dirname(target));
}

const alreadyThere = (target: string): Error => new Error(`${target} exists; choose another name`);

/**
 * Gives the file a further name, or another one where the file system has no hard links. Throws where the name is taken: a
 * rename would replace what another program has written under it meanwhile.
 */
function giveName(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw alreadyThere(name);
    renameSync(file, name);
  }
}

async function restore(data: string, source: string): Promise<void> {
  requireReadable(source);
  const contents = await checked(source);
  const { temporary, remove } = createTemporary(data);
  try {
    copyFileSync(source, temporary);
    await signals();
    await checked(temporary);
    flush(temporary);
    await signals();
    await setAside(data);
    renameSync(temporary, data);
  } finally {
    remove();
  }
  syncDirectory(dirname(data));
  report(data, contents);
}

/** Lets a signal that came during a long step end the program: no listener runs while SQLite works. */
const signals = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Creates the file that is to get this name once it is complete. A signal removes it. */
function createTemporary(name: string): { readonly temporary: string; readonly remove: () => void } {
  const temporary = `${name}.${process.pid}.tmp`;
  const remove = removedBySignals(temporary);
  try {
    closeSync(openSync(temporary, 'wx', 0o600));
    return { temporary, remove };
  } catch (error) {
    remove();
    throw new ExitError(exitCodes.failure, `serve: ${name} cannot be written: ${systemCause(error)}`);
  }
}

function requireReadable(source: string): void {
  if (!existsSync(source)) throw new Error(`${source} does not exist`);
  if (!statSync(source).isFile()) throw new Error(`${source} is not a plain file`);
  try {
    closeSync(openSync(source, 'r'));
  } catch (error) {
    throw new ExitError(exitCodes.failure, `serve: ${source} cannot be read: ${systemCause(error)}`);
  }
  refuseLog(source);
}

/** A data file that is in use, or whose server was killed, has its last changes in its log, which would not be restored. */
function refuseLog(source: string): void {
  if ((statSync(`${source}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new Error(
    `${source} is no backup, as ${source}-wal has changes; run msg-tui serve --data ${source} backup FILE`,
  );
}

/**
 * Keeps the data file and its log under another name: what is in them may still be needed. A log without a data file
 * goes too, since SQLite would write what is in it into the restored file. The data file itself keeps its own name as well,
 * until the restored one takes it: a server that is started after a crash in between would make an empty one.
 */
async function setAside(data: string): Promise<void> {
  if (existsSync(data)) await closeLog(data);
  const left = ['', '-wal', '-shm', '-journal'].filter((end) => existsSync(data + end));
  if (left.length === 0) return;
  const aside = `${data}.before-restore-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  if (existsSync(aside + left[0])) throw new Error(`${aside + left[0]} exists; try again in a second`);
  for (const end of left.filter((one) => one !== '')) renameSync(data + end, aside + end);
  if (left.includes('')) giveName(data, aside);
  print(`the former data is in ${aside + left[0]}`);
}

/** Writes what is in the log into the data file. @throws Error while another process uses the file */
async function closeLog(data: string): Promise<void> {
  const { prepareDataFile } = await import('../../server/store/sqlite/private-data-file.ts');
  const { removeLog } = await import('../../server/store/sqlite/backup.ts');
  const { openDatabase } = await import('../../storage/sqlite/driver.ts');
  prepareDataFile(data);
  const database = openDatabase(data);
  // A damaged file cannot be opened, and then nobody can use it.
  const isFree = isDamaged(database) || removeLog(database);
  database.close();
  if (!isFree) throw new Error(`${basename(data)} is in use; stop the server before a restore`);
}

function isDamaged(database: { prepare(sql: string): { get(): unknown } }): boolean {
  try {
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    return !/locked|busy/i.test(messageOf(error));
  }
}

/** @param name the file that the user knows, for errors */
async function checked(file: string, name = file): Promise<Contents> {
  const { checkCopy } = await import('../../server/store/sqlite/backup.ts');
  const { openToRead } = await import('../../storage/sqlite/driver.ts');
  // A log beside it is ignored: a backup is one file.
  const database = openToRead(file, { isAtRest: true });
  try {
    return checkCopy(database);
  } catch (error) {
    // The message of SQLite begins with "file" or "database disk image" in place of a name.
    throw new Error(`${name} ${messageOf(error).replace(/^(file|database disk image) /, '')}`);
  } finally {
    database.close();
  }
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function report(file: string, { people, groups, messages }: Contents): void {
  print(
    [file, `people: ${people}`, `groups: ${groups}`, `messages: ${messages}`, `bytes: ${statSync(file).size}`].join(
      '\t',
    ),
  );
}
