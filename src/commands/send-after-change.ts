/** An Enter just after the conversation changed by itself is held back, as the text may be meant for the one before. */
import type { ConversationId } from '../protocol/types.ts';
import { selectConversationName } from '../state/select/names.ts';
import { clearOpenedByItself } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';

/** A key pressed this soon after the screen changed was meant for the screen before. */
const surprisedMs = 400;

/**
 * A conversation that opened by itself just before Enter may not be the one that the text was meant for: the first Enter
 * only says where it would go.
 */
export function asksAfterChange(context: CommandContext, id: ConversationId): boolean {
  const openedAt = context.get().view.openedByItselfAt ?? null;
  if (openedAt === null) return false;
  context.update(clearOpenedByItself);
  if (context.now() - openedAt > surprisedMs) return false;
  const name = selectConversationName(context.get(), id);
  notify(context, `The conversation changed just now. Enter again sends this to ${name}`, { tone: 'warning' });
  return true;
}
