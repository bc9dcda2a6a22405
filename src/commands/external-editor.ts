/** Opens the composer's text in the user's own editor (Ctrl-O). */
import { setText } from '../state/composer/draft.ts';
import { draftOf, updateDraft } from '../state/composer/drafts.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';

const problemMs = 10_000;

/** The text comes back into the conversation it was taken from, whichever is open by then. */
function edit(context: CommandContext): void {
  const id = context.get().view.openId;
  if (id === null) return;
  context.editText(draftOf(context.get(), id).text, (edited) => {
    if ('problem' in edited) notify(context, edited.problem, { tone: 'warning', forMs: problemMs });
    else context.update(updateDraft(id, (draft) => setText(draft, edited.text)));
  });
}

export const externalEditorCommands: readonly Command[] = [
  {
    id: 'composer.editor',
    brief: 'editor',
    title: 'Write in your editor (VISUAL, EDITOR)',
    group: 'Composer',
    where: ['composer'],
    keys: ['ctrl+o'],
    disabled: ({ view }) => (view.openId === null ? 'Open a conversation first' : null),
    run: edit,
  },
];
