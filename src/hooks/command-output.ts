/** Runs a command of the user's configuration and reads its output: without a shell, bounded in time and in length. */
import { kill, reasonOf, spawnAlone } from './command-runner.ts';

export interface OutputJob {
  /** The program and its arguments, which are run without a shell. */
  readonly argv: readonly string[];
  /** The environment of the command, without secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** The most bytes of output; a command that prints more is ended. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
}

/** `message` is the end of a sentence, `it ended with exit code 1`. Nothing that the command printed is in it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** How long what a command has printed is read after its end. */
const restOfOutputMs = 200;

/** Resolves to what the command printed, once it has ended with 0. Rejects with `CommandFailed`. */
export function outputOf({ argv, environment, timeoutMs, mostBytes, signal }: OutputJob): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(new CommandFailed('it was not run'));
    const child = spawnAlone(argv, environment, ['ignore', 'pipe', 'ignore']);
    if (typeof child === 'string') return reject(new CommandFailed(child));
    const parts: Buffer[] = [];
    let length = 0;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      forget();
      child.stdout?.destroy();
      settle();
    };
    const killIt = (): void => kill(child);
    const fail = (problem: string): void => {
      killIt();
      end(() => reject(new CommandFailed(problem)));
    };
    const stop = (): void => fail('it was stopped');
    const timer = setTimeout(() => fail(`it took longer than ${timeoutMs / 1_000} s and was ended`), timeoutMs);
    signal?.addEventListener('abort', stop);
    const forget = beforeEnd(killIt);
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      parts.push(chunk);
      if (length > mostBytes) fail(`it printed more than ${mostBytes} bytes`);
    });
    child.once('error', (error: NodeJS.ErrnoException) => end(() => reject(new CommandFailed(reasonOf(error)))));
    // A process that the command has started, and that goes on, may hold the other end of the pipe: `close` would not come.
    child.once('exit', () => void setTimeout(() => child.stdout?.destroy(), restOfOutputMs).unref());
    child.once('close', (code, by) => {
      if (code === 0) end(() => resolve(Buffer.concat(parts).toString('utf8')));
      else end(() => reject(new CommandFailed(by === null ? `it ended with exit code ${code}` : `${by} ended it`)));
    });
  });
}

const endingSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Calls `act` when this program ends: Ctrl-C does not reach a command, which has a process group of its own, and a signal for
 * which nobody listens brings no event `exit`. It leaves the end, and the exit code, to whoever else listens for the signal.
 * Returns the function that removes the listeners.
 */
function beforeEnd(act: () => void): () => void {
  const actOn = (name: NodeJS.Signals): void => {
    act();
    // Nobody else listens, so the signal is to end this program.
    if (process.listenerCount(name) === 0) process.kill(process.pid, name);
  };
  process.once('exit', act);
  for (const name of endingSignals) process.once(name, actOn);
  return () => {
    process.off('exit', act);
    for (const name of endingSignals) process.off(name, actOn);
  };
}
