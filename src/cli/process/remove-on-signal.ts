/** Removes a file that is being made where a signal ends the program before it is complete. */
import { rmSync } from 'node:fs';
import { onEndingSignal } from './ending-signal.ts';
import { exitCodes } from './exit.ts';

/**
 * Returns the function that removes the unfinished database. Ctrl-C and SIGTERM do so as well: it holds messages, and nothing
 * would ever remove it from the folder.
 */
export function removedBySignals(temporary: string): () => void {
  const remove = (): void => {
    forget();
    for (const end of ['', '-journal']) rmSync(temporary + end, { force: true });
  };
  const forget = onEndingSignal((code) => {
    remove();
    // `process.exit` would wait for a call of the system that is under way, as to open a named pipe without a writer.
    process.kill(process.pid, code === exitCodes.interrupted ? 'SIGINT' : 'SIGTERM');
  });
  return remove;
}
