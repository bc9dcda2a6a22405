/** `serve token`: the access tokens of users. */
import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import type { Command } from 'commander';
import type { Admin } from '../../server/rules/admin.ts';
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
        const file = out === undefined ? null : openSync(out, 'wx', 0o600);
        const { id, token } = await admin.createToken(username, label);
        if (file === null) return print(token);
        fchmodSync(file, 0o600);
        writeSync(file, `${token}\n`);
        closeSync(file);
        print(id);
      }),
    );
  command
    .command('list')
    .description('print id, user, time and label of each; never the token')
    .option('--json', 'print one JSON document')
    .action((options: ListOptions) => administer(serve, (admin) => printTokens(admin, options)));
  command
    .command('revoke <id>')
    .description('revoke the token with this id of `token list`')
    .action((id: string) => administer(serve, (admin) => admin.revokeToken(id)));
}

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
