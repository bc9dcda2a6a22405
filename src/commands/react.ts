/** Giving and taking back a reaction; asks first where a server whose rule is unknown might replace others' reactions. */

import { isSendableReactionName } from '../protocol/id.ts';
import { areTold } from '../protocol/reactions.ts';
import { policyOf } from '../protocol/server-policy.ts';
import type { ConversationId } from '../protocol/types.ts';
import type { AppState } from '../state/model/app-state.ts';
import { sameReaction } from '../state/search/picker-choices.ts';
import { cutMessage, untoldReactions } from '../state/select/reactions.ts';
import type { MessageItem } from '../state/select/selectors.ts';
import { pushOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { itemOf } from './selection.ts';

/** Toggles the user's own reaction; a name that stands for a reaction already there counts as that one. */
export function toggleReaction(
  context: CommandContext,
  conversationId: ConversationId,
  messageId: string,
  name: string,
): void {
  const state = context.get();
  const item = itemOf(state, conversationId, messageId);
  if (item?.kind !== 'message') {
    notify(context, 'The message is gone; nothing was sent');
    return;
  }
  if (!isSendableReactionName(name)) {
    notify(context, 'A reaction cannot have this name');
    return;
  }
  if (item.message.isCut === true) {
    notify(context, cutMessage);
    return;
  }
  if (!areTold(item.message.reactions)) {
    notify(context, untoldReactions);
    return;
  }
  if (!mayTakeFromOthers(state, item)) {
    react(context, conversationId, item, name, false);
    return;
  }
  context.update(
    pushOverlay({
      kind: 'confirm',
      id: 'react.unknown-rule',
      conversationId,
      messageId,
      textThen: item.message.text,
      reaction: name,
      openedAt: context.now(),
    }),
  );
}

/** Reliability R-REACT 4: other people's reactions, or the files of somebody else's message. */
function mayTakeFromOthers({ local }: AppState, item: MessageItem): boolean {
  const { reactions, putMessage } = policyOf(local.capabilities);
  const hasOthers = item.reactions.some(({ count, isMine }) => count > Number(isMine));
  const hasFiles = !item.isOwn && item.message.attachments.length > 0;
  return (hasOthers && reactions.asksBeforeRisk) || (hasFiles && putMessage.asksBeforeRisk);
}

export function react(
  context: CommandContext,
  conversationId: ConversationId,
  item: MessageItem,
  wanted: string,
  confirmed: boolean,
): void {
  const chip = item.reactions.find(({ name }) => sameReaction(name, wanted));
  const name = chip?.name ?? wanted;
  const present = chip?.isMine !== true;
  context.enqueue({ kind: 'message.react', conversationId, messageId: item.id, name, present, confirmed });
}
