/** Keeps what the user has seen of the notifications that `doctor --notify` sent, for each kind of terminal. */
import type { TerminalVariables } from './environment.ts';
import { readNote, writeNote } from './notes.ts';

const file = 'notifications.json';
const mostKept = 50;

/** The same for every window of the same terminal, reached in the same way. */
export const kindOfTerminal = ({ term, program, host, tmux, screen, ssh }: TerminalVariables): string =>
  [term, program, host, tmux ? 'tmux' : '', screen ? 'screen' : '', ssh ? 'ssh' : '']
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, 200);

/** Null when nothing was answered for such a terminal. */
export function readNotifyAnswer<T extends string>(
  directory: string,
  terminal: TerminalVariables,
  allowed: readonly T[],
): T | null {
  const answer = readAnswers(directory).find(([kind]) => kind === kindOfTerminal(terminal))?.[1];
  return allowed.find((one) => one === answer) ?? null;
}

export function writeNotifyAnswer(directory: string, terminal: TerminalVariables, method: string): void {
  const kind = kindOfTerminal(terminal);
  const others = readAnswers(directory).filter(([held]) => held !== kind);
  writeNote(directory, file, JSON.stringify([...others, [kind, method]].slice(-mostKept)));
}

function readAnswers(directory: string): readonly (readonly [string, string])[] {
  const list: unknown = readNote(directory, file, JSON.parse);
  const isPair = (one: unknown): one is [string, string] =>
    Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string');
  return Array.isArray(list) ? list.filter(isPair) : [];
}
