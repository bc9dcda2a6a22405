/** Advice in notices that names a key of the user's profile and own bindings. */
import type { CommandContext } from './context.ts';

type Keys = Pick<CommandContext, 'keyOf'>;

/** `z undoes it`; where the command has no key, its slash command is named. */
export const undoAdvice = ({ keyOf }: Keys): string => `${keyOf('list.undo') || '/undo'} undoes it`;

export const redoAdvice = ({ keyOf }: Keys): string => `${keyOf('list.redo') || '/redo'} does it again`;

/** `Enter again`, by the user's own key for sending. */
export const sendAgain = ({ keyOf }: Keys): string => `${keyOf('message.send') || 'The same'} again`;

/** Returns what `words` makes of the key; '' where the command has no key. */
export function withKey({ keyOf }: Keys, commandId: string, words: (key: string) => string): string {
  const key = keyOf(commandId);
  return key === '' ? '' : words(key);
}
