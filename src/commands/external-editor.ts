/** Opens the composer's text in the user's own editor (Ctrl-O). */
import type { ConversationId } from '../protocol/types.ts';
import { setText } from '../state/composer/draft.ts';
import { draftOf, updateDraft, withKilledText } from '../state/composer/drafts.ts';
import { dropNotice } from '../state/view/notices.ts';
import { patchView } from '../state/view/view.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';
import { partnerText } from './questions.ts';
import { needsOpen } from './selection.ts';

const problemMs = 10_000;
const about = 'editor';

/**
 * The text comes back into the conversation it was taken from, whichever is open by then. Where that is with somebody else
 * by now, it does not become a draft to them.
 */
function edit(context: CommandContext): void {
  const id = context.get().view.openId;
  if (id === null) return;
  const partner = (): string => partnerText(context.get(), { conversationId: id });
  const before = partner();
  context.update(dropNotice(about));
  context.editText(draftOf(context.get(), id).text, (edited) => {
    if ('problem' in edited) putAside(context, id, edited.saved, edited.problem);
    else if (partner() === before) context.update(updateDraft(id, (draft) => setText(draft, edited.text)));
    else putAside(context, id, edited.text, 'The conversation changed meanwhile.');
  });
}

/** Keeps the text for yanking, and says why it is not the draft. */
function putAside(context: CommandContext, id: ConversationId, text: string | null, reason: string): void {
  const advice = text === null ? '' : withKey(context, 'text.yank', (key) => ` ${key} puts in what the editor saved`);
  if (text !== null) {
    context.update(updateDraft(id, (draft) => withKilledText(draft, text)));
    context.update((state) => patchView(state, { closedQuery: '' }));
  }
  notify(context, `${reason}${advice}`, { tone: 'warning', about, forMs: problemMs });
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
