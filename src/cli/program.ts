/** The command line: which commands there are and what their flags mean; each command lives in a file of its own. */
import { Command, CommanderError } from 'commander';
import { registerAccounts } from './accounts/commands.ts';
import { registerArchive } from './archive/register.ts';
import { plain, plainJson } from './ascii-output.ts';
import { registerConfig } from './config-command.ts';
import type { DoctorOptions } from './doctor.ts';
import { ExitError, exitCodes } from './exit.ts';
import { withAccountOptions } from './headless/account-options.ts';
import { registerHooks } from './hooks/register.ts';
import { registerReading } from './messages/register-reading.ts';
import { registerDrafts, registerOutbox } from './messages/register-unsent.ts';
import { registerWriting } from './messages/register-writing.ts';
import { wantsJson } from './output/command-error.ts';
import { registerReports } from './reports/register.ts';
import { usageJson, usageLine } from './usage-line.ts';
import { version } from './version.ts';

const examples = `
Without a command, the chat takes:
  --ascii              draw with ASCII characters only
  --profile <name>     open this profile of config.toml
  --token-file <file>  read the token from this file, instead of MSG_TUI_TOKEN or
                       the saved token
  --token-command <command>
                       run this command, without a shell, and take the first line
                       that it prints as the token
  --archive <file>     open an archive of msg-tui export or import, read-only
  --insecure-http      allow an http:// server that is not on this machine; anybody
                       on the network path can read the token

The chat and every command take:
  --debug-log <file>   append what happens to this file, one line of JSON for each
                       event, without texts, names and tokens

Examples:
  msg-tui                    open the chat (the welcome screen when nothing is set up)
  msg-tui demo               try it on a built-in server with people who answer
  MSG_TUI_SERVER=https://chat.example MSG_TUI_TOKEN=… msg-tui
  msg-tui serve --data chat.db --listen 127.0.0.1:8787

Exit codes:
  0 ok · 1 failure · 2 usage · 3 not signed in · 4 server not reached · 5 not found
  6 forbidden · 130 interrupted · 143 terminated
`;

const doctorHelp = `
Without --forget, --notify and --keys the command changes nothing, but its request
to the server is noted for msg-tui ledger. Damaged files are
repaired by the next start of the chat, which keeps the old ones. The command can
be used while msg-tui is running; the chat then learns again what was forgotten.

Exit codes: 0 healthy · 1 something is wrong · 2 usage
            3 with --forget and no account
`;

const statusHelp = `
Exit codes: 0 signed in · 1 something is wrong · 2 usage · 3 not signed in
`;

interface KeysOptions {
  readonly format: string;
  readonly json?: boolean;
  readonly profile?: string;
  readonly check?: boolean;
}

async function createProgram(argv: readonly string[]): Promise<Command> {
  const program = rootCommand(wantsJson(argv));
  program
    .command('demo')
    .description('open the chat on a built-in server; nothing of yours is touched')
    .option('--ascii', 'draw with ASCII characters only')
    .action(async (options: { ascii?: boolean }) => {
      const { runTui } = await import('./tui.tsx');
      const { startDemo } = await import('./demo.ts');
      await runTui({ ascii: options.ascii === true, insecureHttp: false }, startDemo);
    });
  program
    .command('keys')
    .description('print the keys')
    .option('--profile <profile>', 'standard, vim or emacs, instead of the keys of config.toml')
    .option('--format <format>', 'text, markdown or json', 'text')
    .option('--json', 'print one JSON document')
    .option('--check', 'check the keys of config.toml: wrong names, and keys that two commands want')
    .action(async ({ json, format, profile, check }: KeysOptions) => {
      const { checkKeys, printKeys } = await import('./keys.ts');
      if (check === true) await checkKeys();
      else await printKeys(json === true ? 'json' : format, profile ?? null);
    });
  registerChecks(program);
  program
    .command('paths')
    .description('print where configuration, data and cache are')
    .action(async () => {
      const { printPaths } = await import('./paths.ts');
      printPaths();
    });
  registerReading(program);
  registerAccounts(program);
  registerConfig(program);
  registerWriting(program);
  registerDrafts(program);
  registerOutbox(program);
  registerReports(program);
  registerHooks(program);
  registerArchive(program);
  const { refuseUnknownCommand, registerServe } = await import('./serve.ts');
  refuseUnknownCommand(registerServe(program), argv);
  refuseUnknownTopic(program, argv);
  return program;
}

function rootCommand(isJson: boolean): Command {
  return new Command('msg-tui')
    .description('A full-screen terminal chat client for the Messaging Service API.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples)
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => process.stdout.write(plain(text)),
      writeErr: (text) => process.stderr.write(plain(text)),
      outputError: (text, write) => write(isJson ? plainJson(usageJson(text)) : usageLine(text)),
    })
    .exitOverride();
}

function registerChecks(program: Command): void {
  withAccountOptions(program.command('doctor'))
    .description('check the program, the account, the server, the files and the terminal')
    .option('--offline', 'do not ask the server')
    .option('--notify', 'send one notification of each kind, and save which one you saw in this terminal')
    .option('--keys', 'ask for the keys that terminals lose, and save which of them arrive in this terminal')
    .option('--forget [capability...]', 'forget what was learned about the server, or these capabilities only')
    .option('--json', 'print one JSON document')
    .addHelpText('after', doctorHelp)
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import('./doctor.ts');
      await runDoctor(options);
    });
  withAccountOptions(program.command('status'))
    .description('print the account, where its token is, and what waits to be sent')
    .option('--json', 'print one JSON document')
    .addHelpText('after', statusHelp)
    .action(async (options: DoctorOptions) => {
      const { runStatus } = await import('./doctor.ts');
      await runStatus(options);
    });
}

/**
 * Commander would answer `help` with an unknown command by the help of the whole program.
 * @throws ExitError
 */
function refuseUnknownTopic({ commands }: Command, [command, topic]: readonly string[]): void {
  const names = commands.map((known) => known.name());
  if (command !== 'help' || topic === undefined || topic.startsWith('-') || [...names, 'help'].includes(topic)) return;
  const known = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  throw new ExitError(exitCodes.usage, `help: there is no command "${topic}"; there are ${known}`);
}

/** @throws ExitError with exit code 2 for what cannot be understood; where its message is empty the line is printed */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = await createProgram(argv);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new ExitError(exitCodes.usage, '');
  }
}
