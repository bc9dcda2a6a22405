/** Ctrl-C and SIGTERM while a command runs: it ends with 130 or 143 after everything is closed. */
import { type ExitCode, ExitError, exitCodes } from '../exit.ts';

const signals: readonly (readonly [NodeJS.Signals, ExitCode])[] = [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
];

/** Why a command was interrupted; its message is empty, so that nothing is printed. */
export class Interrupted extends ExitError {}

/**
 * Rejects with `Interrupted` when a signal comes first. `run` is given a signal that is aborted then.
 * A second signal ends the process at once.
 */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
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
  const running = run(controller.signal);
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    remove();
    running.catch(() => undefined);
  }
}
