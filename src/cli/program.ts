/** Declares the command line: the commands and their options. The code of each command is in another file. */
import { Command, CommanderError, Option } from 'commander';
import { registerAccounts } from './accounts/commands.ts';
import { registerCompletion } from './completion/register.ts';
import { registerConfig } from './config/config-command.ts';
import { registerArchive } from './export/register.ts';
import { allowProfile, withAccountOptions } from './headless/account-options.ts';
import type { DoctorOptions } from './health/doctor.ts';
import { asksForHelp, checkCommands, readHelp, withOptionsAfter } from './help/arguments.ts';
import { filled, formatHelp, helpWidth, inheritHelpText } from './help/format.ts';
import { pathOf } from './help/help-text.ts';
import { demoHelp, keysHelp, pathsHelp, rootHelp } from './help/root-help.ts';
import { topicText } from './help/topics.ts';
import { usageJson, usageLine } from './help/usage-line.ts';
import { registerHooks } from './hooks/register.ts';
import { registerReading } from './messages/register-reading.ts';
import { registerDrafts, registerOutbox } from './messages/register-unsent.ts';
import { registerWriting } from './messages/register-writing.ts';
import { wantsJson } from './output/command-error.ts';
import { forLocale, jsonForLocale } from './process/ascii-output.ts';
import { refuseEmptyValues } from './process/empty-values.ts';
import { ExitError, exitCodes } from './process/exit.ts';
import { version } from './process/version.ts';
import { registerReports } from './reports/register.ts';

const doctorHelp = `
Without --forget, --notify and --keys the command changes nothing, but its request
to the server is noted for msg-tui ledger. Damaged files are
repaired by the next start of the chat, which keeps the old ones. The command can
be used while msg-tui is running; the chat then learns again what was forgotten.

Examples:
  msg-tui doctor
  msg-tui doctor --offline --json
  msg-tui doctor --forget

Exit codes: 0 healthy · 1 something is wrong · 2 usage
            3 with --forget and no account · 130 interrupted, with --keys
`;

const statusHelp = `
Examples:
  msg-tui status
  msg-tui status --json

Exit codes: 0 signed in · 1 something is wrong · 2 usage · 3 not signed in
`;

interface KeysOptions {
  readonly format: string;
  readonly json?: boolean;
  readonly profile?: string;
  readonly check?: boolean;
}

/** The tree of all commands: the help, the completion of shells and the man page follow from it. */
export const commandTree = (): Promise<Command> => createProgram(false);

async function createProgram(isJson: boolean): Promise<Command> {
  const program = rootCommand();
  program.commandsGroup('Chat:');
  registerDemo(program);
  program.commandsGroup('Read:');
  registerReading(program);
  program.commandsGroup('Write:');
  registerWriting(program);
  registerDrafts(program);
  registerOutbox(program);
  program.commandsGroup('Archive:');
  registerArchive(program);
  program.commandsGroup('Settings and accounts:');
  registerAccounts(program);
  registerConfig(program);
  registerKeys(program);
  registerHooks(program);
  program.commandsGroup('This program:');
  registerChecks(program);
  registerReports(program);
  registerPaths(program);
  registerCompletion(program);
  program.helpCommand('help [command]', 'print the help of a command');
  program.commands.filter((command) => command.name() !== 'demo').forEach(allowProfile);
  program.commandsGroup('Server:');
  const { registerServe } = await import('./serve/register.ts');
  registerServe(program);
  inheritHelpText(program);
  nameInErrors(program, isJson);
  return program;
}

/** Makes errors about a command line name the command and its help, for all sub-commands. */
function nameInErrors(command: Command, isJson: boolean): void {
  const path = pathOf(command);
  command.configureOutput({
    // Not by `writeErr`, which fills the lines of a help anew.
    outputError: (text) =>
      process.stderr.write(isJson ? jsonForLocale(usageJson(text, path)) : forLocale(usageLine(text, path))),
  });
  if (path !== '' && command.commands.length > 0) command.helpCommand('help [command]', 'print the help of a command');
  for (const one of command.commands) nameInErrors(one, isJson);
}

function rootCommand(): Command {
  return formatHelp(new Command('msg-tui'))
    .description('A full-screen terminal chat client for the Messaging Service API.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', rootHelp)
    .showSuggestionAfterError()
    .configureOutput({
      getOutHelpWidth: () => helpWidth(process.stdout.columns),
      getErrHelpWidth: () => helpWidth(process.stderr.columns),
      writeOut: (text) => process.stdout.write(forLocale(filled(text, helpWidth(process.stdout.columns)))),
      writeErr: (text) => process.stderr.write(forLocale(filled(text, helpWidth(process.stderr.columns)))),
    })
    .hook('preAction', (_, command) => refuseEmptyValues(command, pathOf))
    .exitOverride();
}

function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('open the chat on a built-in server; nothing of yours is touched')
    .option('--ascii', 'draw with ASCII characters only')
    .addHelpText('after', demoHelp)
    .action(async (options: { ascii?: boolean }) => {
      const { runTui } = await import('./chat/tui.tsx');
      const { startDemo } = await import('./chat/demo.ts');
      await runTui({ ascii: options.ascii === true, insecureHttp: false }, startDemo);
    });
}

function registerKeys(program: Command): void {
  program
    .command('keys')
    .description('print the keys')
    .addOption(
      new Option('--profile <profile>', 'the keys of this key profile, instead of those of config.toml').choices([
        'standard',
        'vim',
        'emacs',
      ]),
    )
    .addOption(
      new Option('--format <format>', 'how they are printed').choices(['text', 'markdown', 'json']).default('text'),
    )
    .option('--json', 'print one JSON document')
    .option('--check', 'check the keys of config.toml: wrong names, and keys that two commands want')
    .addHelpText('after', keysHelp)
    .action(async ({ json, format, profile, check }: KeysOptions) => {
      const { checkKeys, printKeys } = await import('./help/keys.ts');
      if (check === true) await checkKeys(json === true || format === 'json');
      else await printKeys(json === true ? 'json' : format, profile ?? null);
    });
}

function registerPaths(program: Command): void {
  program
    .command('paths')
    .description('print where configuration, data and cache are')
    .option('--json', 'print one JSON document')
    .addHelpText('after', pathsHelp)
    .action(async (options: { json?: boolean }) => {
      const { printPaths } = await import('./help/paths.ts');
      printPaths(options);
    });
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
      const { runDoctor } = await import('./health/doctor.ts');
      await runDoctor(options);
    });
  withAccountOptions(program.command('status'))
    .description('print the account, where its token is, and what waits to be sent')
    .option('--json', 'print one JSON document')
    .addHelpText('after', statusHelp)
    .action(async (options: DoctorOptions) => {
      const { runStatus } = await import('./health/doctor.ts');
      await runStatus(options);
    });
}

/** @throws ExitError with exit code 2 for what cannot be understood; where its message is empty the line is printed */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = await createProgram(wantsJson(argv));
  const words = asksForHelp(argv) ? readHelp(program, argv.slice(1)) : withOptionsAfter(program, argv);
  if (typeof words === 'string') {
    process.stdout.write(forLocale(`${topicText(words)}\n`));
    return;
  }
  checkCommands(program, words);
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new ExitError(exitCodes.usage, '');
  }
}
