/** Yes to a question: not within the first moments, and only while what it asks about is as it was. */

import type { AppState } from '../state/model/app-state.ts';
import { answerTo, type Confirm, isTooSoon, popOverlay, topOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { react } from './react.ts';
import { itemOf } from './selection.ts';

export function answer(context: CommandContext): void {
  const state = context.get();
  const top = topOverlay(state);
  if (top?.kind === 'same-account' && !isTooSoon(top, context.now())) {
    context.update(popOverlay);
    context.signIn(top.token);
  }
  if (top?.kind !== 'confirm') return;
  const validity = answerTo(top, textNow(state, top), context.now());
  if (validity === 'too-soon') return;
  context.update(popOverlay);
  if (validity === 'changed') notify(context, 'The message changed meanwhile; nothing was done');
  else carryOut(context, top);
}

/** No to a question. A token that belongs to somebody else is not taken, which is told. */
export function decline(context: CommandContext): void {
  const isAboutToken = topOverlay(context.get())?.kind === 'same-account';
  context.update(popOverlay);
  if (!isAboutToken) return;
  const text =
    'The token was not taken. For another account set MSG_TUI_SERVER and MSG_TUI_TOKEN and start msg-tui again.';
  notify(context, text, { forMs: 15_000 });
}

/** null for a question that is not about a message, and for a message that is gone. */
function textNow(state: AppState, { conversationId, messageId }: Confirm): string | null {
  const item = messageId === null ? null : itemOf(state, conversationId, messageId);
  return item?.message?.text ?? null;
}

function carryOut(context: CommandContext, { id, conversationId, messageId, reaction }: Confirm): void {
  if (id === 'app.quit') {
    context.quit();
    return;
  }
  if (id === 'conversation.delete') {
    const wasOpen = context.get().view.openId === conversationId;
    if (context.enqueue({ kind: 'conversation.delete', conversationId }) && wasOpen) context.closeConversation();
    return;
  }
  if (messageId === null) return;
  if (id === 'message.delete') {
    context.enqueue({ kind: 'message.delete', conversationId, messageId });
    return;
  }
  const item = itemOf(context.get(), conversationId, messageId);
  if (item?.kind === 'message' && reaction !== undefined) react(context, conversationId, item, reaction, true);
}
