/** Asks on the terminal before something that cannot be undone. */

import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { forLocale } from '../process/ascii-output.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { isYes, readLine } from './answer.ts';

const quotedLength = 60;

export async function confirmDeletion(text: string): Promise<void> {
  const line = sanitizeLine(text.slice(0, 4 * quotedLength)).slice(0, quotedLength);
  await confirm(`Delete "${line}" for everybody? It cannot be brought back.`);
}

/**
 * Asks nothing where nobody can answer, as in a script. Rejects with ExitError 1 for a no.
 * @param question a text that was sanitised before
 */
export async function confirm(question: string): Promise<void> {
  const { stdin, stderr } = process;
  if (stdin.isTTY !== true || stderr.isTTY !== true) return;
  stderr.write(forLocale(`${question} [y/N] `));
  if (!isYes(await readLine())) throw new ExitError(exitCodes.failure, 'nothing was deleted');
}
