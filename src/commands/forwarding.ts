/** Sends forwarded messages to the conversations that were chosen: an ordinary message to each. */
import type { ConversationId } from '../protocol/types.ts';
import type { AppState, NamePrompt } from '../state/model/app-state.ts';
import { selectConversationName } from '../state/select/names.ts';
import { selectConversation } from '../state/select/selectors.ts';
import { popOverlay, replaceOverlay, topOverlay } from '../state/view/overlays.ts';
import { unmark } from '../state/view/thread-place.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';

export type ForwardPrompt = NamePrompt<'forward'>;

export const selectForwardPrompt = (state: AppState): ForwardPrompt | null =>
  state.screen.overlays.findLast((one) => one.kind === 'forward') ?? null;

/** The conversations that were chosen, else the one in the selected row. */
export function destinationsOf({ forwarding, result, selected }: ForwardPrompt): readonly ConversationId[] {
  const chosen = forwarding?.chosen ?? [];
  const row = result.rows[selected]?.conversationId ?? null;
  return chosen.length > 0 || row === null ? chosen : [row];
}

/** The names of the destinations: `Ann, Bob`. */
export const destinationNames = (state: AppState, prompt: ForwardPrompt): string =>
  destinationsOf(prompt)
    .map((id) => selectConversationName(state, id))
    .join(', ');

/**
 * To be called with the prompt on top: it is closed when everything is in the outbox, else it keeps what is left. It
 * stays open where nobody is chosen.
 */
export function forward(context: CommandContext): void {
  const prompt = topOverlay(context.get());
  if (prompt?.kind !== 'forward' || prompt.forwarding == null) return;
  const { forwarding } = prompt;
  const left = [...destinationsOf(prompt)];
  if (left.length === 0) {
    notify(context, 'Nobody is chosen; nothing was forwarded');
    return;
  }
  const names = destinationNames(context.get(), prompt);
  for (const conversationId of destinationsOf(prompt)) {
    if (selectConversation(context.get(), conversationId) === null) {
      notify(context, `${selectConversationName(context.get(), conversationId)} is gone; choose another conversation`);
      break;
    }
    if (!context.enqueue({ kind: 'message.send', conversationId, ...forwarding.content })) break;
    left.shift();
  }
  if (left.length > 0) {
    context.update(replaceOverlay({ ...prompt, forwarding: { ...forwarding, chosen: left } }));
    return;
  }
  context.update(popOverlay);
  context.update(unmark(forwarding.from, null));
  notify(context, `Forwarded to ${names}`);
}
