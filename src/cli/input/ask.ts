/** Asks questions on the terminal. They are written to stderr, as stdout is for data. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { forLocale } from '../process/ascii-output.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

/** Asks the user; tests give another one, which answers by itself. */
export interface Asker {
  /** Resolves to the answer; null where nobody can be asked. */
  line(question: string): Promise<string | null>;
  /** As `line`, but what is typed is not shown. */
  secret(question: string): Promise<string | null>;
}

export const terminalAsker: Asker = {
  line: (question) => ask(question, false),
  secret: (question) => ask(question, true),
};

/** Rejects with ExitError 130 for Ctrl-C, and for Ctrl-D, with which the input ends without an answer. */
function ask(question: string, isSecret: boolean): Promise<string | null> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return Promise.resolve(null);
  // readline puts the terminal into raw mode, which shows nothing by itself. The question comes after that: what is pasted
  // as soon as it is seen would otherwise be shown by the terminal.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: isSecret ? nowhere : stderr, terminal: true, historySize: 0 });
  stderr.write(forLocale(question.split('\n').map(sanitizeLine).join('\n')));
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      reader.close();
      if (isSecret) stderr.write('\n');
      settle();
    };
    reader.once('line', (line) => end(() => resolve(line)));
    const interrupt = (): void =>
      end(() => {
        if (!isSecret) stderr.write('\n');
        reject(new ExitError(exitCodes.interrupted, ''));
      });
    reader.once('close', interrupt);
    reader.once('SIGINT', interrupt);
  });
}
