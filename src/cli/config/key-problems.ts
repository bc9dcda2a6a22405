/** Says in one line each what is wrong in the table [keys] of config.toml. */

import { canonical, macroId } from '../../commands/bindings.ts';
import { type Command, takesText } from '../../commands/command.ts';
import { parseKeys } from '../../commands/key-names.ts';
import { isBareCharacter, type KeyConflict } from '../../commands/keymap.ts';
import { keyLabel } from '../../commands/label.ts';
import { commands, keymapFor, withMacros } from '../../commands/table.ts';
import { nearest } from '../../config/suggest.ts';
import type { KeySettings, Macro } from '../../state/model/key-settings.ts';

export interface KeyProblem {
  /** Where it is in the file, such as `keys`, `bind` and the id of a command. */
  readonly path: readonly string[];
  /** One line. */
  readonly text: string;
}

export const keyProblems = (settings: KeySettings): readonly string[] =>
  findKeyProblems(settings).map(({ text }) => text);

/** So many wrong names get a similar one as a hint: comparing names takes a second for a thousand of them. */
const mostHints = 50;

export function findKeyProblems(settings: KeySettings): readonly KeyProblem[] {
  const { bind, macros } = settings;
  const table = withMacros(settings);
  const inBind = Object.entries(bind).flatMap(([id, keys], at) => {
    const command = table.find((one) => one.id === id);
    const lines = [
      ...(command === undefined ? [`[keys.bind] ${noCommand(id, at < mostHints ? table : [])}`] : []),
      ...keys.flatMap((key) => noKey(`[keys.bind] ${id}`, key)),
      ...keys.flatMap((key) => unreachable(command, key)),
      ...arrivingAsOthers(`[keys.bind] ${id}`, keys),
    ];
    return lines.map((text): KeyProblem => ({ path: ['keys', 'bind', id], text }));
  });
  const inMacros = Object.entries(macros).flatMap(([name, macro], at) =>
    problemsOfMacro(name, macro, at < mostHints).map((text): KeyProblem => ({ path: ['keys', 'macros', name], text })),
  );
  const conflicts = new Map(
    keymapFor(settings).conflicts.map((conflict) => [conflictLine(conflict), pathOf(conflict, settings)]),
  );
  return [...inBind, ...inMacros, ...[...conflicts].map(([text, path]) => ({ path, text }))];
}

function problemsOfMacro(name: string, { keys, run }: Macro, hasHints: boolean): readonly string[] {
  const at = `[keys.macros.${name}]`;
  const unknown = run.filter((id) => !commands.some((one) => one.id === id));
  return [
    ...(run.length === 0 ? [`${at} runs nothing; add run = ["conversation.pin"]`] : []),
    ...unknown.map((id, nth) => `${at} ${noCommand(id, hasHints && nth < mostHints ? commands : [])}`),
    ...keys.flatMap((key) => noKey(at, key)),
    ...arrivingAsOthers(at, keys),
  ];
}

/** Where config.toml sets a key that another command has as well. */
function pathOf({ ids }: KeyConflict, { bind, macros }: KeySettings): readonly string[] {
  const bound = ids.find((id) => Object.hasOwn(bind, id));
  if (bound !== undefined) return ['keys', 'bind', bound];
  const macro = Object.keys(macros).find((name) => ids.includes(macroId(name)));
  return macro === undefined ? ['keys'] : ['keys', 'macros', macro];
}

function noCommand(id: string, known: readonly Command[]): string {
  const near = nearest(
    id,
    known.map((one) => one.id),
  );
  const hint = near === null ? 'msg-tui keys lists them' : `did you mean ${near}?`;
  return `there is no command ${JSON.stringify(id)}; ${hint}`;
}

const noKey = (at: string, key: string): readonly string[] =>
  parseKeys(key) === null
    ? [`${at}: ${JSON.stringify(key)} is not a key; write it as ctrl+k, alt+shift+down, f5, space or "g g"`]
    : [];

/** Says that a key cannot run its command: where text is typed, a single character is inserted. */
function unreachable(command: Command | undefined, written: string): readonly string[] {
  const key = parseKeys(written);
  if (command === undefined || key === null || !isBareCharacter(key.split(' ', 1)[0] ?? '')) return [];
  if (!command.where.every((context) => takesText([context]))) return [];
  return [`[keys.bind] ${command.id}: ${keyLabel(key)} is text where the command applies; take a key with Ctrl or Alt`];
}

/** Keys that terminals send as other ones, and that the program takes for them in every terminal. */
const arrivesAs: Readonly<Record<string, string>> = {
  'ctrl+h': 'backspace',
  'ctrl+i': 'tab',
  'ctrl+m': 'enter',
  'ctrl+[': 'escape',
  'ctrl+/': 'ctrl+_',
};

/** Says of such keys that they cannot run their command, unless the other key does. */
function arrivingAsOthers(at: string, written: readonly string[]): readonly string[] {
  const keys = canonical(written);
  return keys
    .flatMap((key) => key.split(' '))
    .flatMap((key) => {
      const other = arrivesAs[key];
      return other === undefined || keys.includes(other)
        ? []
        : [`${at}: ${keyLabel(key)} arrives as ${keyLabel(other)}; bind that or another key`];
    });
}

/** Says which two commands have the same keys; the first one runs. */
function conflictLine({ key, other, ids: [first, second], context }: KeyConflict): string {
  if (key === other)
    return `[keys] ${keyLabel(key)} (${context}) is the key of ${first} and of ${second}; ${first} runs`;
  const [short, long] = key.length < other.length ? [key, other] : [other, key];
  const [shortId, longId] = short === key ? [first, second] : [second, first];
  return `[keys] ${keyLabel(short)} (${shortId}) begins ${keyLabel(long)} (${longId}) in the context ${context}; ${first} runs`;
}
