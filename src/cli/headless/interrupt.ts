/** Handles Ctrl-C and SIGTERM while a command runs: it ends with 130 or 143 after everything is closed. */
import { type ExitCode, ExitError, exitCodes } from '../exit.ts';

const signals: readonly (readonly [NodeJS.Signals, ExitCode])[] = [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
];

/** The error of a command that a signal has interrupted; where its message is empty, nothing is printed. */
export class Interrupted extends ExitError {}

/** Rejects with `Interrupted`, and aborts `controller`, when a signal comes first. A second signal ends the process. */
export async function interruptible<T>(controller: AbortController, run: () => Promise<T>): Promise<T> {
  let remove = (): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    const listeners = signals.map(([name, code]) => {
      const listener = (): void => {
        remove();
        controller.abort();
        reject(new Interrupted(code, ''));
      };
      process.once(name, listener);
      return () => process.removeListener(name, listener);
    });
    remove = () => {
      for (const one of listeners) one();
    };
  });
  const running = run();
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    remove();
    running.catch(() => undefined);
  }
}
