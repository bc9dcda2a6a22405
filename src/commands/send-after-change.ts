/** Holds back an Enter just after the conversation changed by itself, as the text may be meant for the one before. */
import type { ConversationId } from '../protocol/types.ts';
import { selectConversationName } from '../state/select/names.ts';
import { clearOpenedByItself } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { sendAgain } from './key-advice.ts';
import { notify } from './notify.ts';

/** Enter pressed this soon after another conversation was shown was meant for the one shown before. */
const meantForFormerMs = 400;

/**
 * Whether this Enter only says where the text would go: a conversation that opened by itself just before may not be the
 * one that the text was meant for. The next Enter sends it.
 */
export function asksAfterChange(context: CommandContext, id: ConversationId): boolean {
  const openedAt = context.get().view.openedByItselfAt ?? null;
  if (openedAt === null) return false;
  context.update(clearOpenedByItself);
  if (context.now() - openedAt > meantForFormerMs) return false;
  const name = selectConversationName(context.get(), id);
  notify(context, `The conversation changed just now. ${sendAgain(context)} sends this to ${name}`, {
    tone: 'warning',
  });
  return true;
}
