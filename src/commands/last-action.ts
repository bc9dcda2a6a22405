/** Remembers what `action.repeat` runs again. */
import { patchView } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';

/** @param words the values of the command's parameters, as they are typed */
export const rememberAction = (context: CommandContext, id: string, words: readonly string[]): void =>
  context.update((state) => patchView(state, { lastAction: { id, words } }));
