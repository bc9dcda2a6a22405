/** Keeps the keys that did not arrive when `doctor --keys` asked for them, for each kind of terminal. */
import type { TerminalVariables } from './environment.ts';
import { readNote, writeNote } from './notes.ts';
import { kindOfTerminal } from './notify-answers.ts';

const file = 'keys.json';
const mostKept = 50;

/** Null where nothing was asked in such a terminal. */
export const readLostKeys = (directory: string, terminal: TerminalVariables): readonly string[] | null =>
  readAnswers(directory).find(([kind]) => kind === kindOfTerminal(terminal))?.[1] ?? null;

/** The keys that are not shown: where nothing was asked, those that the terminal is known to keep. */
export const hiddenKeys = (directory: string, terminal: TerminalVariables): readonly string[] =>
  readLostKeys(directory, terminal) ?? (terminal.keepsAltEnter ? ['alt+enter'] : []);

export function writeLostKeys(directory: string, terminal: TerminalVariables, lost: readonly string[]): void {
  const kind = kindOfTerminal(terminal);
  const others = readAnswers(directory).filter(([held]) => held !== kind);
  writeNote(directory, file, JSON.stringify([...others, [kind, lost]].slice(-mostKept)));
}

function readAnswers(directory: string): readonly (readonly [string, readonly string[]])[] {
  const list: unknown = readNote(directory, file, JSON.parse);
  const isAnswer = (one: unknown): one is [string, string[]] =>
    Array.isArray(one) &&
    one.length === 2 &&
    typeof one[0] === 'string' &&
    Array.isArray(one[1]) &&
    one[1].every((key) => typeof key === 'string');
  return Array.isArray(list) ? list.filter(isAnswer) : [];
}
