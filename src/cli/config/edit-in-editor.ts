/** Lets the user edit the text of config.toml, and asks what to do when something in it is wrong. */
import { readEnvironment } from '../../config/environment.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { type Asker, terminalAsker } from '../input/ask.ts';
import { runEditor } from '../input/external-editor.ts';
import { forLocale } from '../process/ascii-output.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

const signals = ['SIGTERM', 'SIGHUP'] as const;

const nothing = (): string | null => null;

/**
 * Returns null when the user discards the text. Ctrl-C is meant for the editor; the other signals would leave the copy in
 * its folder: at the exit, it is removed.
 * @param keep is given what was saved in the editor where the editor fails, or a signal ends this program
 * @throws ExitError when the editor fails, when something is wrong and nobody can be asked, and 130 for Ctrl-C and Ctrl-D
 */
export async function editConfig(
  text: string,
  problemsOf: (text: string) => Promise<readonly string[]>,
  keep: (text: string) => void,
  asker: Pick<Asker, 'line'> = terminalAsker,
): Promise<string | null> {
  let edited = text;
  let savedSoFar = nothing;
  const onStart = (read: typeof nothing): void => {
    savedSoFar = read;
  };
  const keepSaved = (saved: string | null): void => {
    // What was saved before the question, or before the editor was opened again, is in no file.
    const kept = saved ?? (edited === text ? null : edited);
    if (kept !== null) keep(kept);
  };
  const end = (): void => {
    keepSaved(savedSoFar());
    process.exit(exitCodes.terminated);
  };
  for (const signal of signals) process.once(signal, end);
  try {
    for (;;) {
      const outcome = await runEditor(edited, readEnvironment().editor, { name: 'config.toml', onStart });
      savedSoFar = nothing;
      if ('problem' in outcome) {
        keepSaved(outcome.saved);
        throw new ExitError(exitCodes.failure, outcome.problem);
      }
      edited = outcome.text;
      const problems = await problemsOf(edited);
      if (problems.length === 0) return edited;
      for (const problem of problems) process.stderr.write(`${forLocale(sanitizeLine(problem))}\n`);
      if (!(await wantsToEditAgain(asker))) return null;
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

/** @throws ExitError where no terminal is there to ask on */
async function wantsToEditAgain(asker: Pick<Asker, 'line'>): Promise<boolean> {
  const answer = await asker.line('Edit again (Enter), or discard the changes (d)? ');
  if (answer === null) throw new ExitError(exitCodes.failure, 'nothing was saved, and there is no terminal to ask on');
  return !answer.trim().toLowerCase().startsWith('d');
}
