/**
 * Opens a conversation of the list: the selected, next, previous or nth one, or the one that was open before. The next
 * unread one is opened by `next-unread.ts`.
 */
import type { ConversationId } from '../protocol/types.ts';
import { indexIn, noteNeighbouringIndexes } from '../state/collections/index-hint.ts';
import { noteUse } from '../state/local/uses.ts';
import { selectConversation, selectListOrder } from '../state/select/selectors.ts';
import { clearFilter } from '../state/view/list-place.ts';
import { setFocus } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { selectedConversationId } from './selection.ts';

/** Opens a conversation that the user chose, puts the keyboard into its composer, and counts that as a use. */
export function openAndWrite(context: CommandContext, id: ConversationId): void {
  openInPassing(context, id);
  context.update(noteUse('conversationUses', id, context.now()));
}

/** Opens a conversation and puts the keyboard into its composer; a step through the list is not counted as a use. */
export function openInPassing(context: CommandContext, id: ConversationId): void {
  context.openConversation(id);
  context.update(setFocus('composer'));
}

/** Opens the conversation that is selected in the list, and clears the filter with which it was found. */
export function openSelected(context: CommandContext): void {
  const id = selectedConversationId(context.get());
  if (id === null) return;
  context.update(clearFilter);
  openAndWrite(context, id);
}

export function openStep(context: CommandContext, direction: -1 | 1): void {
  const state = context.get();
  const order = selectListOrder(state);
  const current = state.view.openId === null ? -1 : indexIn(order, state.view.openId);
  const first = direction === 1 ? order[0] : order.at(-1);
  const target = current === -1 ? first : order[current + direction];
  noteNeighbouringIndexes(order, current);
  if (target === undefined) {
    notify(context, edgeNote(order.length, direction), { isRefusal: true });
    return;
  }
  openInPassing(context, target);
}

const edgeNote = (length: number, direction: -1 | 1): string => {
  if (length === 0) return 'The list is empty';
  return direction === 1 ? 'This is the last conversation of the list' : 'This is the first conversation of the list';
};

/** @param position in the list, from 1 */
export function openNth(context: CommandContext, position: number): void {
  const target = selectListOrder(context.get())[position - 1];
  if (target === undefined) {
    notify(context, `The list has no conversation ${position}`, { isRefusal: true });
    return;
  }
  openAndWrite(context, target);
}

export function openPrevious(context: CommandContext): void {
  const { previousId } = context.get().view;
  if (previousId === null) return;
  if (selectConversation(context.get(), previousId) !== null) openAndWrite(context, previousId);
  else notify(context, 'The conversation that was open before is gone');
}
