/** Opens a conversation of the list: the next or previous one, the nth, the one open before, the next unread one. */
import type { ConversationId } from '../protocol/types.ts';
import { indexIn, noteNeighbouringIndexes } from '../state/collections/index-hint.ts';
import { noteUse } from '../state/local/uses.ts';
import { selectConversation, selectListOrder, selectUnread } from '../state/select/selectors.ts';
import { rememberPlace } from '../state/view/jumps.ts';
import { clearFilter } from '../state/view/list-place.ts';
import { setFocus } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { selectedConversationId } from './selection.ts';

/** Opens a conversation that the user chose, and puts the keyboard into its composer. */
export function openAndWrite(context: CommandContext, id: ConversationId): void {
  openInPassing(context, id);
  context.update(noteUse('conversationUses', id, context.now()));
}

/** The same for the next one of the list or of the unread ones, which the user has not chosen. */
function openInPassing(context: CommandContext, id: ConversationId): void {
  context.openConversation(id);
  context.update(setFocus('composer'));
}

/** Opens the conversation that is selected in the list, and takes the filter away that it was found with. */
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
    notify(context, edgeNote(order.length, direction));
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
    notify(context, `The list has no conversation ${position}`);
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

/**
 * Returns the nearest unread conversation in that direction, round the end of the list; a muted one only where no other is
 * unread.
 */
export function openNextUnread(context: CommandContext, direction: -1 | 1): void {
  const state = context.get();
  const order = selectListOrder(state);
  const current = state.view.openId === null ? -1 : indexIn(order, state.view.openId);
  const start = current === -1 && direction === -1 ? order.length : current;
  let muted: ConversationId | null = null;
  // Ends the search of a long list as soon as all unread conversations have been met.
  let left = state.cache.unread.size;
  for (let step = 1; step <= order.length && left > 0; step++) {
    const id = order[(start + direction * step + order.length) % order.length];
    if (id === undefined || selectUnread(state, id) === 0) continue;
    left -= 1;
    if (id === state.view.openId) continue;
    if (selectConversation(state, id)?.isMuted !== true) {
      jumpTo(context, id);
      return;
    }
    muted ??= id;
  }
  if (muted === null) {
    notify(context, 'Nothing else is unread in this list');
    return;
  }
  jumpTo(context, muted);
}

function jumpTo(context: CommandContext, id: ConversationId): void {
  context.update(rememberPlace);
  openInPassing(context, id);
}
