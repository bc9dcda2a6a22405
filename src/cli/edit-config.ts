/** Lets the user edit the text of config.toml, and asks what to do when something in it is wrong. */
import { createInterface } from 'node:readline/promises';
import { readEnvironment } from '../config/environment.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { plain } from './ascii-output.ts';
import { ExitError, exitCodes } from './exit.ts';
import { runEditor } from './external-editor.ts';

/** Returns null when the user discards the text. @throws ExitError when the editor fails */
export async function editConfig(
  text: string,
  problemsOf: (text: string) => Promise<readonly string[]>,
): Promise<string | null> {
  let edited = text;
  for (;;) {
    const outcome = await runEditor(edited, readEnvironment().editor);
    if ('problem' in outcome) throw new ExitError(exitCodes.failure, outcome.problem);
    edited = outcome.text;
    const problems = await problemsOf(edited);
    if (problems.length === 0) return edited;
    for (const problem of problems) process.stderr.write(`${plain(sanitizeLine(problem))}\n`);
    if (!(await wantsToEditAgain())) return null;
  }
}

/** Asks the user; without a terminal nobody can answer, and the text is discarded. */
async function wantsToEditAgain(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Edit again (Enter), or discard the changes (d)? ');
    return !answer.trim().toLowerCase().startsWith('d');
  } finally {
    terminal.close();
  }
}
