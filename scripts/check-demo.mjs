/** Runs `msg-tui demo` of the program file named in argv in a pseudo-terminal until its first screen is there, then quits it. */
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';

const program = process.argv[2];
const terminal = new headless.Terminal({ cols: 100, rows: 30, allowProposedApi: true });
const env = { ...process.env, TERM: 'xterm-256color' };
delete env.CI;
const child = pty.spawn(process.execPath, [program, 'demo'], { cols: 100, rows: 30, env });
const deadline = setTimeout(() => finish(`no first screen within 60 s:\n${screen()}`), 60_000);
let hasQuit = false;

const screen = () =>
  Array.from({ length: 30 }, (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true) ?? '').join('\n');

function finish(problem) {
  clearTimeout(deadline);
  if (problem) {
    console.error(`msg-tui demo: ${problem}`);
    child.kill('SIGKILL');
    process.exit(1);
  }
  process.exit(0);
}

child.onData((data) =>
  terminal.write(data, () => {
    if (hasQuit || !/Conversations/.test(screen()) || !/Harbour/.test(screen())) return;
    hasQuit = true;
    child.write('\x11');
  }),
);
terminal.onData((reply) => child.write(reply));
child.onExit(({ exitCode }) => finish(exitCode === 0 ? '' : `exit code ${exitCode}\n${screen()}`));
