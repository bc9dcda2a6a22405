/** Writes the toggled reaction into the outbox. */
import type { ConversationId } from '../protocol/types.ts';
import { noteUse } from '../state/local/uses.ts';
import { sameReaction } from '../state/search/picker-choices.ts';
import type { MessageItem } from '../state/select/selectors.ts';
import type { CommandContext } from './context.ts';

interface ToggledReaction {
  readonly conversationId: ConversationId;
  readonly item: MessageItem;
  readonly reaction: string;
  /** The user has agreed that others may lose reactions or files by it. */
  readonly isConfirmed: boolean;
}

/** Gives the reaction, or takes it back where the user has given it already. */
export function enqueueReaction(context: CommandContext, toggled: ToggledReaction): void {
  const { conversationId, item, reaction, isConfirmed } = toggled;
  const chip = item.reactions.find(({ name }) => sameReaction(name, reaction));
  const name = chip?.name ?? reaction;
  const present = chip?.isMine !== true;
  const action = { kind: 'message.react', conversationId, messageId: item.id, name, present } as const;
  if (context.enqueue({ ...action, confirmed: isConfirmed }) && present)
    context.update(noteUse('reactionUses', name, context.now()));
}
