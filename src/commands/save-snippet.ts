/** Keeps the text of a message as a snippet. */
import { selectSelectedItem } from '../state/select/selectors.ts';
import { pushOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import { noMessageSelected } from './selection.ts';

export const saveSnippetCommand: Command = {
  id: 'message.saveSnippet',
  title: 'Save the text as a snippet',
  group: 'Messages',
  where: ['messages'],
  keys: [],
  disabled(state) {
    const item = selectSelectedItem(state);
    if (item?.message == null) return noMessageSelected;
    return item.message.text.trim() === '' ? 'There is no text in this message' : null;
  },
  run(context) {
    const text = selectSelectedItem(context.get())?.message?.text;
    if (text !== undefined) context.update(pushOverlay({ kind: 'snippet-name', typed: '', text }));
  },
};
