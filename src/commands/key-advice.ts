/** Advice in notices that names a key of the user's profile and own bindings. */
import { contextsOf } from './command.ts';
import type { CommandContext } from './context.ts';
import type { Keymap } from './keymap.ts';
import { keyLabel } from './label.ts';

/** Makes the function that names the key of a command, from a keymap that may follow the settings. */
export const createKeyOf =
  (keymap: Keymap): CommandContext['keyOf'] =>
  (id, where) => {
    const contexts = where === undefined ? null : contextsOf(where);
    const works = (key: string): boolean => contexts === null || keymap.find(contexts, key)?.command.id === id;
    return keyLabel(keymap.keysOf(id).find(works) ?? '');
  };

type Keys = Pick<CommandContext, 'get' | 'keyOf'>;

/** `z undoes it`; where no key does that from where the keyboard is, the slash command is named. */
export function undoAdvice({ get, keyOf }: Keys, does = 'undoes it'): string {
  const key = keyOf('list.undo', get()) || keyOf('message.takeBack', get());
  return `${key || '/undo'} ${does}`;
}

export const redoAdvice = ({ get, keyOf }: Keys): string => `${keyOf('list.redo', get()) || '/redo'} does it again`;

/** `Enter again`, by the user's own key for sending. */
export const sendAgain = ({ keyOf }: Keys): string => `${keyOf('message.send') || 'The same'} again`;

/** Returns what `words` makes of the key; '' where the command has no key. */
export function withKey(
  { keyOf }: Pick<CommandContext, 'keyOf'>,
  commandId: string,
  words: (key: string) => string,
): string {
  const key = keyOf(commandId);
  return key === '' ? '' : words(key);
}
