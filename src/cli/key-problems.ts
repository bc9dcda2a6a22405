/** Says in one line each what is wrong in the table [keys] of config.toml. */

import { type Command, takesText } from '../commands/command.ts';
import { parseKeys } from '../commands/key-names.ts';
import { isBareCharacter, type KeyConflict } from '../commands/keymap.ts';
import { keyLabel } from '../commands/label.ts';
import { commands, keymapFor, withMacros } from '../commands/table.ts';
import { nearest } from '../config/suggest.ts';
import type { KeySettings } from '../state/model/key-settings.ts';

export function keyProblems(settings: KeySettings): readonly string[] {
  const { bind, macros } = settings;
  const table = withMacros(settings);
  const keymap = keymapFor(settings);
  return [
    ...Object.keys(bind)
      .filter((id) => !table.some((one) => one.id === id))
      .map((id) => `[keys.bind] ${noCommand(id, table)}`),
    ...Object.entries(bind).flatMap(([id, keys]) => [
      ...keys.flatMap((key) => noKey(`[keys.bind] ${id}`, key)),
      ...keys.flatMap((key) =>
        unreachable(
          table.find((one) => one.id === id),
          key,
        ),
      ),
    ]),
    ...Object.entries(macros).flatMap(([name, { keys, run }]) => {
      const at = `[keys.macros.${name}]`;
      const unknown = run.filter((id) => !commands.some((one) => one.id === id));
      return [
        ...(run.length === 0 ? [`${at} runs nothing; add run = ["conversation.pin"]`] : []),
        ...unknown.map((id) => `${at} ${noCommand(id, commands)}`),
        ...keys.flatMap((key) => noKey(at, key)),
      ];
    }),
    ...new Set(keymap.conflicts.map(conflictLine)),
  ];
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
    ? [`${at}: ${JSON.stringify(key)} is no key; write it as ctrl+k, alt+shift+down, f5, space or "g g"`]
    : [];

/** Says that a key cannot run its command: where text is typed, a single character is inserted. */
function unreachable(command: Command | undefined, written: string): readonly string[] {
  const key = parseKeys(written);
  if (command === undefined || key === null || !isBareCharacter(key.split(' ', 1)[0] ?? '')) return [];
  if (!command.where.every((context) => takesText([context]))) return [];
  return [`[keys.bind] ${command.id}: ${keyLabel(key)} is text where the command applies; take a key with Ctrl or Alt`];
}

/** Says which two commands have the same keys; the first one runs. */
function conflictLine({ key, other, ids: [first, second], context }: KeyConflict): string {
  if (key === other)
    return `[keys] ${keyLabel(key)} (${context}) is the key of ${first} and of ${second}; ${first} runs`;
  const [short, long] = key.length < other.length ? [key, other] : [other, key];
  const [shortId, longId] = short === key ? [first, second] : [second, first];
  return `[keys] ${keyLabel(short)} (${shortId}) begins ${keyLabel(long)} (${longId}) in the context ${context}; ${first} runs`;
}
