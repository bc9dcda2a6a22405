/** The commands `ledger` and `bug`; what they do is loaded when one of them runs. */
import type { Command } from 'commander';
import { withAccountOptions } from '../headless/account-options.ts';
import type { BugOptions } from './bug.ts';
import type { LedgerOptions } from './ledger.ts';

const ledgerHelp = `
msg-tui notes every request that it makes for this account, with its time,
method, path, status, size and reason, and every command that it runs for you.
It notes no texts, tokens or answers. The setting ledger.keep_days says how long
(7 days; 0: nothing is noted). An open chat writes its lines every two seconds.
On a terminal of fewer than 110 columns, sizes and durations are left out.

Examples:
  msg-tui ledger                       what left in the last hour
  msg-tui ledger --since 7d --summary  how much, to which hosts, and what for
  msg-tui ledger --since 1d --host img.example
  msg-tui ledger --json | jq -r '.entries[].host' | sort | uniq -c

Exit codes: 0 ok · 1 failure · 2 usage · 3 not signed in
`;

const bugHelp = `
The report has the version, the terminal, the settings, what doctor and the
ledger say, the last crash, and the state of the files. It has no messages,
names, tokens or addresses; ids are replaced by words that have a meaning only
inside the report. All of it is printed before anything is written: on a
terminal msg-tui asks, elsewhere it writes only with --yes. Nothing is sent.

Examples:
  msg-tui bug                       print the report, then ask about writing it
  msg-tui bug --output ~/reports    write it into a new folder in there
  msg-tui bug --yes > report.txt    write it, and keep what was printed

Exit codes: 0 ok, also where nothing was to be written · 1 it cannot be written
            2 usage
`;

export function registerReports(program: Command): void {
  withAccountOptions(program.command('ledger'))
    .description('print the requests that msg-tui made, and the commands that it ran')
    .option('--since <time>', 'from this time on: 30m, 2h, 7d, yesterday or 2026-11-22', '1h')
    .option('--host <host>', 'only requests to this host')
    .option('--summary', 'print sums instead of lines')
    .option('--json', 'print one JSON document')
    .addHelpText('after', ledgerHelp)
    .action(async ({ since, ...options }: Omit<LedgerOptions, 'since'> & { readonly since: string }) => {
      const { momentOf } = await import('../input/moment.ts');
      const from = momentOf('--since', since, Date.now());
      const { printLedger } = await import('./ledger.ts');
      await printLedger({ ...options, since: from });
    });
  withAccountOptions(program.command('bug'))
    .description('make a report for the people who work on msg-tui, without anything private')
    .option('--output <directory>', 'where the folder of the report is made', '.')
    .option('--yes', 'write the report without a question')
    .addHelpText('after', bugHelp)
    .action(async (options: BugOptions) => {
      const { reportBug } = await import('./bug.ts');
      await reportBug(options);
    });
}
