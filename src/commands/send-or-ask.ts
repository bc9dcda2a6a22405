/** Enter in the composer: asks before a long paste is sent, which may have been a mistake, and before `s/old/new/` edits. */
import { draftOf } from '../state/composer/drafts.ts';
import { isLongPaste } from '../state/composer/long-text.ts';
import type { CommandContext } from './context.ts';
import { ask } from './questions.ts';
import { send } from './send.ts';
import { askToSubstitute } from './substitute.ts';

export function sendOrAsk(context: CommandContext): void {
  const id = context.get().view.openId;
  const draft = id === null ? null : draftOf(context.get(), id);
  // The text is looked at again: most of what was pasted may be deleted by now.
  const isAsked = draft?.hasLongPaste === true && draft.editing === null && isLongPaste(draft.text);
  if (id !== null && isAsked) ask(context, 'message.sendLong', { conversationId: id });
  else if (id === null || draft === null || !askToSubstitute(context, id, draft)) send(context);
}
