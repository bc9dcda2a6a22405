/**
 * Answers an open question with yes or no. A yes does not count in the first moments, nor once the message has changed.
 */

import type { AppState } from '../state/model/app-state.ts';
import { answerTo, type Confirm, isTooSoon, popOverlay, topOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { questionOf } from './questions.ts';
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
  if (validity === 'changed') {
    const what = top.id === 'conversation.delete' ? 'conversation' : 'message';
    notify(context, `The ${what} changed meanwhile; nothing was done`);
  } else questionOf(top)?.carryOut(context, top);
}

/** Answers no. A notice says when the token of another account was not taken. */
export function decline(context: CommandContext): void {
  const isAboutToken = topOverlay(context.get())?.kind === 'same-account';
  context.update(popOverlay);
  if (!isAboutToken) return;
  const text =
    'The token was not used. To use another account, set MSG_TUI_SERVER and MSG_TUI_TOKEN and start msg-tui again.';
  notify(context, text, { forMs: 15_000 });
}

/** Returns the present text of what is asked about; null where that is no message, or the message is gone. */
function textNow(state: AppState, question: Confirm): string | null {
  const { conversationId, messageId } = question;
  const own = questionOf(question)?.textNow?.(state, question);
  if (own !== undefined) return own;
  const item = messageId === null ? null : itemOf(state, conversationId, messageId);
  return item?.message?.text ?? null;
}
