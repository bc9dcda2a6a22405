/** `msg-tui doctor --notify` sends a notification of every kind and saves which one the user has seen. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../config/environment.ts';
import { writeNotifyAnswer } from '../../config/notify-answers.ts';
import { notificationSequence } from '../../terminal/notification.ts';
import { terminalMethods } from '../../terminal/notification-method.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { methodNames } from '../config/notify-words.ts';
import { forLocale, isUtf8 } from '../process/ascii-output.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { terminalFacts } from '../process/terminal-session.ts';

/** The time to go to another window: many terminals show a notification only while another one has the focus. */
const beforeMs = 5_000;
const betweenMs = 1_500;

/** The terminal on which the user is asked; tests give another one. */
export interface Questioner {
  readonly isTty: boolean;
  readonly write: (text: string) => void;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly readLine: () => Promise<string>;
}

/** @throws ExitError without a terminal, and on an answer that is not one of the choices */
export async function tryNotifications(
  environment: Pick<Environment, 'terminal'>,
  stateDirectory: string,
  { isTty, write, pause, readLine }: Questioner = thisTerminal(environment),
): Promise<void> {
  const { isTmux, term } = terminalFacts(environment);
  if (!isTty) throw new ExitError(exitCodes.usage, 'doctor --notify needs a terminal, as it asks what you have seen');
  // The Linux console would draw the sequences.
  const methods = term === 'linux' ? terminalMethods.filter((method) => method === 'bell') : terminalMethods;
  const say = (text: string): void => write(forLocale(text, environment.terminal));
  say(
    `In ${beforeMs / 1_000} seconds ${methods.length} notifications are sent, one after the other.\n` +
      'Change to another window now: many terminals show none while they have the focus.\n',
  );
  await pause(beforeMs);
  for (const [index, method] of methods.entries()) {
    const body = safe`Notification ${index + 1}`;
    const notification = { id: `msg-tui-try-${index + 1}`, title: literal('msg-tui'), body };
    write(notificationSequence(method, notification, { isTmux, isUtf8: isUtf8(environment.terminal) }));
    await pause(betweenMs);
  }
  const list = methods.map((method, index) => `  ${index + 1}  ${methodNames[method]}\n`).join('');
  say(`\n${list}Which of these numbers have you seen or heard? The first one, or Enter for none: `);
  const answer = (await readLine()).trim();
  if (answer === '') {
    say('Nothing is changed. See docs/notifications.md for what terminals and tmux need, and for the command.\n');
    return;
  }
  const method = methods[Number(answer) - 1];
  if (method === undefined) throw new ExitError(exitCodes.usage, `answer with a number from 1 to ${methods.length}`);
  writeNotifyAnswer(stateDirectory, environment.terminal, method);
  say(`The chat notifies by ${methodNames[method]} in this terminal from now on.\n`);
}

const thisTerminal = (environment: Pick<Environment, 'terminal'>): Questioner => ({
  isTty: terminalFacts(environment).isTty,
  write: (text) => void process.stdout.write(text),
  pause: wait,
  readLine: readLineOfInput,
});

function readLineOfInput(): Promise<string> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const done = (line: string): void => {
      stdin.pause();
      resolve(line);
    };
    stdin.once('data', (data) => done(String(data)));
    stdin.once('end', () => done(''));
  });
}
