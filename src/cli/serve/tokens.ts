/** `serve token`: the access tokens of users. */
import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import type { Command } from 'commander';
import { administer } from './administer.ts';
import { isoTime, print } from './output.ts';

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
    .action(() =>
      administer(serve, async (admin) => {
        for (const token of await admin.tokens())
          print([token.id, token.username, isoTime(token.created_at), token.label].join('\t'));
      }),
    );
  command
    .command('revoke <id>')
    .description('revoke the token with this id of `token list`')
    .action((id: string) => administer(serve, (admin) => admin.revokeToken(id)));
}
