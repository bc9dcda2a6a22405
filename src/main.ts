/** The program: runs the command that the arguments name, and ends with the exit code of its error. */

import { chatOptions, withColor, withDebugLog } from './cli/global-options.ts';
import { unreadOptions } from './cli/messages/unread-options.ts';
import { ExitError, exitCodes } from './cli/process/exit.ts';
import { version } from './cli/process/version.ts';
import { systemCause } from './config/errors.ts';
import { debugError } from './storage/ledger/debug-log.ts';

const commandTree = async () => (await import('./cli/program.ts')).commandTree();

async function run(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && ['--version', '-v', '-V', 'version'].includes(argv[0] ?? '')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  if (argv[0] === '__complete') {
    const { complete } = await import('./cli/completion/complete.ts');
    await complete(commandTree, argv.slice(1));
    return;
  }
  if (argv[0] === '__commands') {
    const { commandsJson } = await import('./cli/help/commands-json.ts');
    process.stdout.write(commandsJson(await commandTree()));
    return;
  }
  // After `--` everything is text.
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const refused = words.find((argument) => argument === '--token' || argument.startsWith('--token='));
  if (refused !== undefined)
    throw new ExitError(
      exitCodes.usage,
      'a token on the command line can be read by everybody on this machine; set MSG_TUI_TOKEN or use --token-file',
    );
  if (argv.length === 0 && !(process.stdin.isTTY && process.stdout.isTTY)) {
    const { shortHelp } = await import('./cli/help/root-help.ts');
    process.stderr.write(`msg-tui: ${shortHelp}`);
    throw new ExitError(exitCodes.usage, '');
  }
  const options = chatOptions(argv);
  if (options !== null) {
    const { runTui } = await import('./cli/chat/tui.tsx');
    const { archive } = options;
    const open = async () => (await import('./cli/archive/archive-session.ts')).archiveToOpen(archive ?? '');
    await runTui(options, archive === undefined ? undefined : open);
    return;
  }
  const unread = unreadOptions(argv);
  if (unread !== null) {
    const command = await import('./cli/messages/unread.ts');
    await command.unread(unread);
    return;
  }
  const { runProgram } = await import('./cli/program.ts');
  await runProgram(argv);
}

// A limit on the size of files fails the write, as a full disk does; by itself the signal would end the program.
if (process.platform !== 'win32') process.on('SIGXFSZ', () => undefined);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  // A terminal that is gone is a hang-up, after which the chat ends by itself.
  if (process.stdout.isTTY) return;
  process.stderr.write(`msg-tui: the output cannot be written: ${systemCause(error)}\n`);
  process.exit(exitCodes.failure);
});

// What stderr says is not worth the work of the command, such as the files that an export has still to write.
process.stderr.on('error', () => undefined);

const argv = process.argv.slice(2);

/** Resolves when what was printed is in the pipe: one that is full takes the rest later, and an exit before drops it. */
async function outputTaken(): Promise<void> {
  const { stdout } = process;
  // A terminal that takes no output must not keep the program from ending.
  if (stdout.isTTY || stdout.writableLength === 0) return;
  await new Promise<void>((resolve) => void stdout.write('', () => resolve()));
}

const start = async (): Promise<void> => run(withDebugLog(withColor(argv, process.env)));

start().catch(async (error: unknown) => {
  debugError('command', error);
  const { errorText, wantsJson } = await import('./cli/output/command-error.ts');
  const { writeBeforeExit } = await import('./terminal/tty-port.ts');
  const { forLocale, jsonForLocale } = await import('./cli/process/ascii-output.ts');
  const isJson = wantsJson(argv);
  const text = (isJson ? jsonForLocale : forLocale)(errorText(error, isJson));
  // This listener comes after the one that restores the terminal: written before, the line would disappear with the
  // screen.
  if (text !== '') process.once('exit', () => writeBeforeExit(text));
  await outputTaken();
  process.exit(error instanceof ExitError ? error.code : exitCodes.failure);
});
