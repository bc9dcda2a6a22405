/** Lets the user edit the text of config.toml, and asks what to do when something in it is wrong. */
import { readEnvironment } from '../../config/environment.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { type Asker, terminalAsker } from '../input/ask.ts';
import { runEditor } from '../input/external-editor.ts';
import { plain } from '../process/ascii-output.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

/**
 * Returns null when the user discards the text.
 * @throws ExitError when the editor fails, when something is wrong and nobody can be asked, and 130 for Ctrl-C and Ctrl-D
 */
export async function editConfig(
  text: string,
  problemsOf: (text: string) => Promise<readonly string[]>,
  asker: Pick<Asker, 'line'> = terminalAsker,
): Promise<string | null> {
  let edited = text;
  for (;;) {
    const outcome = await runEditor(edited, readEnvironment().editor, { name: 'config.toml' });
    if ('problem' in outcome) throw new ExitError(exitCodes.failure, outcome.problem);
    edited = outcome.text;
    const problems = await problemsOf(edited);
    if (problems.length === 0) return edited;
    for (const problem of problems) process.stderr.write(`${plain(sanitizeLine(problem))}\n`);
    if (!(await wantsToEditAgain(asker))) return null;
  }
}

/** @throws ExitError where no terminal is there to ask on */
async function wantsToEditAgain(asker: Pick<Asker, 'line'>): Promise<boolean> {
  const answer = await asker.line('Edit again (Enter), or discard the changes (d)? ');
  if (answer === null) throw new ExitError(exitCodes.failure, 'nothing was saved, and there is no terminal to ask on');
  return !answer.trim().toLowerCase().startsWith('d');
}
