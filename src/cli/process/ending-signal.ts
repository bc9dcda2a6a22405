/** The signals that end a command, and the exit code of each. */
import { type ExitCode, exitCodes } from './exit.ts';

const signals: readonly (readonly [NodeJS.Signals, ExitCode])[] = [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
];

/**
 * Calls `act` with the exit code when the first of the signals comes; a second one ends the process. Returns the function
 * that removes the listeners.
 */
export function onEndingSignal(act: (code: ExitCode) => void): () => void {
  const listeners = signals.map(([name, code]) => {
    const listener = (): void => {
      remove();
      act(code);
    };
    process.once(name, listener);
    return () => process.off(name, listener);
  });
  const remove = (): void => {
    for (const one of listeners) one();
  };
  return remove;
}
