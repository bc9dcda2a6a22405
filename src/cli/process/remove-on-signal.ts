/** Removes a file that is being made where a signal ends the program before it is complete. */
import { rmSync } from 'node:fs';
import { type ExitCode, exitCodes } from './exit.ts';

/**
 * Returns the function that removes the unfinished database. Ctrl-C and SIGTERM do so as well: it holds messages, and nothing
 * would ever remove it from the folder.
 */
export function removedBySignals(temporary: string): () => void {
  const remove = (): void => {
    process.off('SIGINT', interrupt).off('SIGTERM', terminate);
    for (const end of ['', '-journal']) rmSync(temporary + end, { force: true });
  };
  const endWith = (code: ExitCode) => (): void => {
    remove();
    process.exit(code);
  };
  const interrupt = endWith(exitCodes.interrupted);
  const terminate = endWith(exitCodes.terminated);
  process.once('SIGINT', interrupt).once('SIGTERM', terminate);
  return remove;
}
