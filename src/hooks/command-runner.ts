/** Runs a command of the user's configuration beside the chat: bounded in time, in number and in its error output. */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface CommandJob {
  /** The program and its arguments, which are run without a shell. */
  readonly argv: readonly string[];
  /** The command as it is configured, where `argv` is different for each job. */
  readonly command?: readonly string[];
  /** What the command reads on its standard input; a function is called when the command is started. */
  readonly input: string | (() => string);
  /** Called when this job failed. */
  readonly onFailed?: () => void;
}

export interface CommandRunnerOptions {
  /** The environment of the command, without secrets. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly clock: {
    monotonic(): number;
    after(delayMs: number, callback: () => void): () => void;
  };
  /** Called at the first failure, and again only after a command has worked, or was changed, in between. The problem is raw text. */
  readonly onTrouble: (problem: string) => void;
  /** Called after each run. */
  readonly onRun?: (run: CommandRun) => void;
  readonly timeoutMs?: number;
}

/** The report on a run, without anything that the command was given or has written. */
export interface CommandRun {
  readonly program: string;
  /** The bytes that it was given to read on its standard input, whether or not it read them. */
  readonly sent: number;
  readonly durationMs: number;
  /** Why the command failed, in a word or two, such as `exit code 3`; null when it worked. */
  readonly problem: string | null;
}

export interface CommandRunner {
  /** Runs the job soon: one at a time, one a second. Of those that wait only the newest is run. */
  run(job: CommandJob): void;
  /** Runs no more jobs, and ends the one that runs. */
  stop(): void;
}

const usualTimeoutMs = 5_000;
const everyMs = 1_000;
/** The characters of stderr that are kept for the notice about a failure. */
const mostWords = 300;

export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  const { clock, onTrouble, onRun, environment, timeoutMs = usualTimeoutMs } = options;
  let child: ChildProcess | null = null;
  let waiting: CommandJob | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;
  /** The command that failed last; null when it has worked since. */
  let failed: string | null = null;
  let isStopped = false;

  const ended = (job: CommandJob, input: string, problem: string | null): void => {
    child = null;
    onRun?.(runOf(job, input, clock.monotonic() - startedAt, problem));
    // A command that was ended by `stop` has not failed.
    if (isStopped) return;
    if (problem !== null) {
      if (failed !== commandOf(job)) onTrouble(`${job.argv[0]}: ${problem}`);
      job.onFailed?.();
    }
    failed = problem === null ? null : commandOf(job);
    next();
  };

  function next(): void {
    if (child !== null || waiting === null) return;
    cancel?.();
    const restMs = startedAt + everyMs - clock.monotonic();
    if (restMs > 0) {
      cancel = clock.after(restMs, next);
      return;
    }
    const job = waiting;
    waiting = null;
    startedAt = clock.monotonic();
    const input = typeof job.input === 'string' ? job.input : job.input();
    const how = { input, environment: environment(), clock, timeoutMs };
    child = start(job.argv, how, (problem) => ended(job, input, problem));
  }

  return {
    run(job) {
      if (isStopped) return;
      waiting = job;
      next();
    },
    stop() {
      isStopped = true;
      cancel?.();
      waiting = null;
      if (child !== null) kill(child);
    },
  };
}

const commandOf = ({ command, argv }: CommandJob): string => (command ?? argv).join('\0');

const runOf = ({ argv }: CommandJob, input: string, tookMs: number, problem: string | null): CommandRun => ({
  program: argv[0] ?? '',
  sent: Buffer.byteLength(input),
  durationMs: Math.round(tookMs),
  problem: problem === null ? null : shortOf(problem),
});

/** The problem without what the command has written. */
const shortOf = (problem: string): string => {
  if (problem.startsWith('took longer')) return 'too slow';
  return /^(exit code \d+|SIG[A-Z]+|no such program)/.exec(problem)?.[0] ?? 'failed';
};

interface Start extends Pick<CommandRunnerOptions, 'clock'> {
  readonly input: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** @param onEnd is called once, and not before this returns, with the reason where the command failed */
function start(
  argv: readonly string[],
  { input, environment, clock, timeoutMs }: Start,
  onEnd: (problem: string | null) => void,
) {
  const child = spawnAlone(argv, environment, ['pipe', 'ignore', 'pipe']);
  if (typeof child === 'string') {
    queueMicrotask(() => onEnd(child));
    return null;
  }
  if (!hasPipes(child)) {
    child.once('error', (error: NodeJS.ErrnoException) => onEnd(reasonOf(error)));
    return child;
  }
  let isLate = false;
  let isOver = false;
  const cancel = clock.after(timeoutMs, () => {
    isLate = true;
    kill(child);
  });
  const end = (problem: string | null): void => {
    if (isOver) return;
    isOver = true;
    cancel();
    // A process that the command has started may still hold the other ends of the pipes.
    child.stdin.destroy();
    child.stderr.destroy();
    onEnd(problem);
  };
  const said = beginningOf(child.stderr);
  // A command may end without having read anything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  child.once('error', (error: NodeJS.ErrnoException) => end(reasonOf(error)));
  child.once('exit', (code, signal) => {
    if (isLate) end(`took longer than ${timeoutMs / 1_000} s and was ended`);
    else if (code === 0) end(null);
    // The end of stderr may not have been read yet; the failure is reported without it then.
    else setImmediate(() => end(`${signal === null ? `exit code ${code}` : signal}${said()}`));
  });
  return child;
}

/** Starts the command in a new session, which has no terminal to write to and can be ended with all its processes. */
export function spawnAlone(
  [program = '', ...words]: readonly string[],
  env: Start['environment'],
  stdio: readonly ('pipe' | 'ignore')[],
): ChildProcess | string {
  try {
    // Loaded here: most starts run no command.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const detached = process.platform !== 'win32';
    return spawn(program, words, { env, stdio: [...stdio], detached, windowsHide: true });
  } catch (error) {
    return reasonOf(error as NodeJS.ErrnoException);
  }
}

type ChildWithPipes = ChildProcess & { readonly stdin: Writable; readonly stderr: Readable };

/** Where too many files are open Node makes no pipes, and reports the error by an event. */
const hasPipes = (child: ChildProcess): child is ChildWithPipes => Boolean(child.stdin && child.stderr);

export const reasonOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' ? 'no such program' : message;

/** Reads the whole stream, and keeps the beginning of its first line. */
function beginningOf(stream: Readable): () => string {
  let said = '';
  stream.on('data', (chunk: Buffer) => {
    if (said.length < mostWords) said = (said + chunk.toString()).slice(0, mostWords);
  });
  stream.on('error', () => undefined);
  return () => {
    const [line = ''] = said.trim().split('\n');
    return line === '' ? '' : `: ${line}`;
  };
}

/** Ends the command with all the processes that it has started. */
export function kill(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
