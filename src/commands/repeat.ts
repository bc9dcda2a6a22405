/** Repeats the last action on a message or a conversation on the one that is selected now. */
import type { KeySettings } from '../state/model/key-settings.ts';
import type { Command } from './command.ts';
import { invoke } from './invoke.ts';
import { notify } from './notify.ts';

/** @param table called when the command runs first, as the command is itself a part of the table */
export const repeatCommand = (table: (keys: KeySettings) => readonly Command[]): Command => ({
  id: 'action.repeat',
  title: 'Repeat the last action here',
  group: 'Anywhere',
  where: ['list', 'messages'],
  keys: ['.'],
  disabled: ({ view }) => ((view.lastAction ?? null) === null ? 'There is no action to repeat yet' : null),
  run(context) {
    const { lastAction = null } = context.get().view;
    const { settings } = context.get();
    const command = table(settings.keys).find(({ id }) => id === lastAction?.id);
    if (lastAction === null || command === undefined) return;
    const { focus } = context.get().screen;
    if (command.where.includes(focus)) invoke(context, command, lastAction.words);
    else notify(context, `"${command.title}" is for the ${command.where.includes('list') ? 'list' : 'messages'}`);
  },
});
