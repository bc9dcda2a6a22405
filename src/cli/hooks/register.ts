/** The sub-commands of `msg-tui hooks`; what they do is loaded when one of them runs. */
import { type Command, InvalidArgumentError } from 'commander';
import { withAccountOptions } from '../headless/account-options.ts';
import type { ListOptions } from './list-hooks.ts';
import type { TestOptions } from './test-hooks.ts';

const hooksHelp = `
A hook is a program of yours that the open chat runs: hooks.arrival when messages
arrive, hooks.mention when one names you or contains a keyword, hooks.failure
when a message or an edit was refused, or nobody knows whether a message arrived.
It reads one JSON document on standard input; see docs/hooks.md.

Examples:
  msg-tui config set hooks.mention '["/home/ann/bin/on-mention"]'
  msg-tui hooks
  msg-tui hooks list --json
  msg-tui hooks test --days 7

Exit codes: 0 ok · 1 failure · 2 usage · 3 not signed in
`;

const listHelp = `
Example:
  msg-tui hooks list --json

Exit codes: 0 ok · 1 config.toml cannot be read · 2 usage
`;

const testHelp = `
It goes through the cached messages and prints which of them would have run a
hook, and what kept the others from it, with the settings as they are now. It
runs nothing and asks no server.

Example:
  msg-tui hooks test --days 7

Exit codes: 0 ok · 1 failure · 2 usage · 3 not signed in
`;

export function registerHooks(program: Command): void {
  const hooks = program
    .command('hooks')
    .description('list the programs that the chat runs for you, and what would have run them')
    .addHelpText('after', hooksHelp);
  hooks
    .command('list', { isDefault: true })
    .description('print the commands of the hooks and of notifications')
    .option('--json', 'print one JSON document')
    .addHelpText('after', listHelp)
    .action(async (options: ListOptions) => {
      const { listHooks } = await import('./list-hooks.ts');
      await listHooks(options);
    });
  withAccountOptions(hooks.command('test'))
    .description('print what would have run the hooks lately; nothing is run')
    .option('--days <days>', 'how many days back', parseDays, 30)
    .option('--json', 'print one JSON document')
    .addHelpText('after', testHelp)
    .action(async (options: TestOptions) => {
      const { testHooks } = await import('./test-hooks.ts');
      await testHooks(options);
    });
}

const mostDays = 3_650;

/** @throws InvalidArgumentError */
function parseDays(word: string): number {
  const days = Number(word);
  if (/^\d{1,4}$/.test(word) && days > 0 && days <= mostDays) return days;
  throw new InvalidArgumentError(`Write a whole number from 1 to ${mostDays}.`);
}
