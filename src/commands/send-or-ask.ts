/** Carries out Enter in the composer: asks first about a long paste, which may be a mistake, and about `s/old/new/` edits. */
import { draftOf } from '../state/composer/drafts.ts';
import { isLongPaste } from '../state/composer/long-text.ts';
import type { CommandContext } from './context.ts';
import { ask } from './questions.ts';
import { send } from './send.ts';
import { askToSubstitute } from './substitute.ts';

export function sendOrAsk(context: CommandContext): void {
  const id = context.get().view.openId;
  const draft = id === null ? null : draftOf(context.get(), id);
  // The text is measured again, as most of what was pasted may be deleted by now.
  const isAsked = draft?.hasLongPaste === true && draft.editing === null && isLongPaste(draft.text);
  if (id !== null && isAsked) ask(context, 'message.sendLong', { conversationId: id });
  else if (id === null || draft === null || !askToSubstitute(context, id, draft)) send(context);
}
