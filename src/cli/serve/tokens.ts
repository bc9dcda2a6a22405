/** `serve token`: manages the access tokens of users. */
import { closeSync, fchmodSync, fsyncSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { systemCause, systemCode } from '../../config/errors.ts';
import type { Admin } from '../../server/rules/admin.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { administer } from './administer.ts';
import { type ListOptions, print, printJson, timeOf } from './output.ts';

export function registerTokens(serve: Command): void {
  const command = serve.command('token').description('access tokens of users');
  command
    .command('add <username>')
    .description('print a new token; it cannot be shown again')
    .option('--label <text>', 'what the token is for', '')
    .option('--out <file>', 'write it to a new file that only you can read, instead of printing it')
    .action((username: string, { label, out }: { label: string; out?: string }) =>
      administer(serve, async (admin) => {
        if (out !== undefined) return print(await writeToken(admin, username, label, out));
        print((await admin.createToken(username, label)).token);
      }),
    );
  command
    .command('list')
    .description('print the id, user, time and label of every token; never the token itself')
    .option('--json', 'print one JSON document')
    .action((options: ListOptions) => administer(serve, (admin) => printTokens(admin, options)));
  command
    .command('revoke <id>')
    .description('revoke the token that token list shows with this id')
    .action((id: string) => administer(serve, (admin) => admin.revokeToken(id)));
}

/**
 * Returns the id of the token. Where it cannot be written, there is neither a file nor a token afterwards, so that the
 * same command can be given again.
 */
async function writeToken(admin: Admin, username: string, label: string, path: string): Promise<string> {
  const file = openNew(path);
  let isWritten = false;
  try {
    const { id, token } = await admin.createToken(username, label);
    try {
      fchmodSync(file, 0o600);
      writeFileSync(file, `${token}\n`);
      fsyncSync(file);
      isWritten = true;
      return id;
    } catch (error) {
      await admin.revokeToken(id);
      throw notWritten(path, error);
    }
  } finally {
    closeSync(file);
    if (!isWritten) rmSync(path, { force: true });
  }
}

/** Creates the file. To be called before the token is made, as a token cannot be shown again. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw notWritten(path, error);
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const problem = isFolder ? 'is a folder; name a file in it' : 'exists; choose another name';
    throw new ExitError(exitCodes.usage, `serve: ${path} ${problem}`);
  }
}

const notWritten = (path: string, error: unknown): ExitError =>
  new ExitError(exitCodes.failure, `serve: the token was not written to ${path}: ${systemCause(error)}`);

async function printTokens(admin: Admin, { json }: ListOptions): Promise<void> {
  const tokens = (await admin.tokens()).map(({ id, username, label, created_at }) => ({
    id,
    username,
    label,
    created_at: timeOf(created_at),
  }));
  if (json === true) printJson('tokens', tokens);
  else for (const { id, username, label, created_at } of tokens) print([id, username, created_at, label].join('\t'));
}
