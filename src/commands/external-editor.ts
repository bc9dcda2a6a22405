/** Opens the composer's text in the user's own editor (Ctrl-O). */
import { setText } from '../state/composer/draft.ts';
import { draftOf, updateDraft, withKilledText } from '../state/composer/drafts.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';
import { partnerText } from './questions.ts';
import { needsOpen } from './selection.ts';

const problemMs = 10_000;

/**
 * The text comes back into the conversation it was taken from, whichever is open by then. Where that is with somebody else
 * by now, it does not become a draft to them.
 */
function edit(context: CommandContext): void {
  const id = context.get().view.openId;
  if (id === null) return;
  const partner = (): string => partnerText(context.get(), { conversationId: id });
  const before = partner();
  context.editText(draftOf(context.get(), id).text, (edited) => {
    if ('problem' in edited) notify(context, edited.problem, { tone: 'warning', forMs: problemMs });
    else if (partner() === before) context.update(updateDraft(id, (draft) => setText(draft, edited.text)));
    else {
      context.update(updateDraft(id, (draft) => withKilledText(draft, edited.text)));
      const advice = withKey(context, 'text.yank', (key) => `; ${key} puts the text here`);
      notify(context, `The conversation changed meanwhile${advice}`, { tone: 'warning', forMs: problemMs });
    }
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
    disabled: needsOpen,
    run: edit,
  },
];
