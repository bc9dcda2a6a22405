/** The commands `export` and `import`; what they do is loaded when one of them runs. */
import { type Command, Option } from 'commander';
import { parseTimeout, withAccountOptions } from '../headless/account-options.ts';
import type { ExportOptions } from './export-options.ts';
import type { ImportOptions } from './import.ts';

const exportHelp = `
The export is made from the local cache, without the network, and can run while the
chat is open. --complete asks the server first for what the cache lacks, older messages and gaps.
Where the server is not reached, what is cached is exported, and the exit code is 4. A file that is
there is replaced as a whole. The formats are described in docs/archive.md.

Examples:
  msg-tui export ann --output ann.md
  msg-tui export --all --output chat.jsonl --incremental
  msg-tui export --all --format html --output chats/
  msg-tui export '#crew' --since 2026-11-01 | jq -r '.message // empty'

Exit codes:
  0 ok · 1 failure · 2 usage · 3 not signed in
  4 server not reached, with --complete · 5 not found
  130 interrupted · 143 terminated
`;

const importHelp = `
The hashes of the file are checked, and an error names the line that was changed. An
archive that is there already is replaced as a whole.

Examples:
  msg-tui import chat.jsonl
  msg-tui --archive chat.db
  msg-tui import chat.jsonl --into ~/archives/chat.db

Exit codes: 0 ok · 1 failure, or the file is damaged · 2 usage
            130 interrupted · 143 terminated
`;

export function registerArchive(program: Command): void {
  withAccountOptions(program.command('export'))
    .description('write conversations as JSON Lines, Markdown or HTML')
    .argument('[conversation...]', 'id, beginning of an id, name, @username or #group')
    .option('--all', 'all conversations, and everybody in the contact book')
    .addOption(
      new Option('--format <format>', 'by default what the name of the file says, else jsonl').choices([
        'jsonl',
        'markdown',
        'html',
      ]),
    )
    .option('--output <path>', 'a file, or a folder with a file for each conversation; by default stdout')
    .option('--incremental', 'add to a JSON Lines file only what is new or changed since')
    .option('--complete', 'first fetch the history that the cache lacks')
    .option(
      '--timeout <seconds>',
      'with --complete, give up after this time; without it there is no limit',
      parseTimeout,
    )
    .option('--since <date>', 'only messages at this time or later: a day, a time, or a span such as 2d')
    .option('--json', 'print one JSON document about the files; needs --output (see docs/json.md)')
    .addHelpText('after', exportHelp)
    .action(async (conversations: string[], options: ExportOptions) => {
      const { runExport } = await import('./export.ts');
      await runExport(conversations, options);
    });
  program
    .command('import')
    .description('make an archive that msg-tui --archive opens, from a JSON Lines export')
    .argument('<file>', 'the file, or - for stdin')
    .option('--into <archive>', 'the file to make; by default the name of the file with .db')
    .option('--json', 'print one JSON document (see docs/json.md)')
    .addHelpText('after', importHelp)
    .action(async (file: string, options: ImportOptions) => {
      const { runImport } = await import('./import.ts');
      await runImport(file, options);
    });
}
