/** Runs commands: a key, a click and the palette all run them with `invoke`. Remembers what `action.repeat` runs again. */
import type { AppState } from '../state/model/app-state.ts';
import { selectListOrder } from '../state/select/selectors.ts';
import { holdListSelection } from '../state/view/list-place.ts';
import { endRefusal } from '../state/view/notices.ts';
import { patchView } from '../state/view/view.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { whyDisabled } from './disabled.ts';
import { notify } from './notify.ts';
import { type Parsed, parseWords } from './parameters.ts';

/** Returns false where the command cannot run now, or not with these words; a notice says why. */
export function invoke(context: CommandContext, command: Command, words: readonly string[] = []): boolean {
  const parsed = check(context.get(), command, words);
  if ('problem' in parsed) {
    notify(context, parsed.problem, { isRefusal: true });
    return false;
  }
  context.update(endRefusal);
  // The command acts on the selection: the wheel may have left it out of sight, and it may be just the first row.
  if (command.where.includes('list')) context.update((state) => holdListSelection(selectListOrder(state))(state));
  command.run(context, parsed.values);
  if (command.isRepeatable === true) rememberAction(context, command.id, words);
  return true;
}

/** Why the command cannot run in this state with these words; null where it can. */
export function problemWith(state: AppState, command: Command, words: readonly string[]): string | null {
  const parsed = check(state, command, words);
  return 'problem' in parsed ? parsed.problem : null;
}

function check(state: AppState, command: Command, words: readonly string[]): Parsed {
  const reason = whyDisabled(command, state);
  return reason === null ? parseWords(command.parameters ?? {}, words) : { problem: reason };
}

/** @param words the values of the command's parameters, as they are typed */
export const rememberAction = (context: CommandContext, id: string, words: readonly string[]): void =>
  context.update((state) => patchView(state, { lastAction: { id, words } }));
