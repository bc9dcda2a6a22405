/** Finds the conversation or the message that is selected, which commands act on, and moves the selection. */
import type { Conversation, ConversationId, MessageId } from '../protocol/types.ts';
import { indexIn } from '../state/collections/index-hint.ts';
import { memoLast } from '../state/collections/memo.ts';
import type { AppState } from '../state/model/app-state.ts';
import {
  selectConversation,
  selectListOrder,
  selectPlace,
  selectSelectedItem,
  selectThreadItems,
  type ThreadItem,
} from '../state/select/selectors.ts';
import { selectInList, selectListSelection } from '../state/view/list-place.ts';
import { topOverlay } from '../state/view/overlays.ts';
import { selectMessage, stepTarget, type ThreadStep } from '../state/view/thread-place.ts';
import { setFocus } from '../state/view/view.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';

/** Returns the selected conversation; null when the list does not show it. */
export const selectedConversationId = (state: AppState): ConversationId | null =>
  shownOf(selectListOrder(state), selectListSelection(state, selectListOrder(state)));

/** Returns the selected conversation as it is shown, with its pending changes. */
export function selectedConversation(state: AppState): Conversation | null {
  const id = selectedConversationId(state);
  return id === null ? null : selectConversation(state, id);
}

/** Every command of the list asks this whenever the footer is drawn. */
const shownOf = memoLast((order: readonly ConversationId[], id: ConversationId | null): ConversationId | null =>
  id !== null && indexIn(order, id) >= 0 ? id : null,
);

export const itemOf = (state: AppState, conversationId: ConversationId, id: MessageId): ThreadItem | null =>
  selectThreadItems(state, conversationId).findLast((item) => item.id === id) ?? null;

export function select(context: CommandContext, conversationId: ConversationId, id: MessageId): void {
  context.update(selectMessage(conversationId, id));
  context.revealMessage(id);
}

/**
 * Selects a message where none is selected: the newest, or the top one where an older place is shown. Where the selected
 * one was scrolled out of sight meanwhile, one in sight.
 */
export function selectVisible(context: CommandContext): void {
  const state = context.get();
  const id = state.view.openId;
  if (id === null) return;
  if (selectSelectedItem(state) !== null) {
    context.scrollThread({ rows: 0 });
    return;
  }
  const { scroll } = selectPlace(state, id);
  const target = scroll.at === 'message' ? scroll.messageId : selectThreadItems(state, id).at(-1)?.id;
  if (target !== undefined) select(context, id, target);
}

/** Selects the nth newest message, from 1, as far as they are loaded. */
export function selectNthNewest(context: CommandContext, nth: number): void {
  const state = context.get();
  const id = state.view.openId;
  if (id === null) return;
  const items = selectThreadItems(state, id);
  const item = items.at(-nth) ?? items[0];
  if (item !== undefined) select(context, id, item.id);
}

/** Leaves the newest message of the conversation for the composer; false where another one is selected. */
export function leaveNewest(context: CommandContext): boolean {
  const state = context.get();
  const id = state.view.openId;
  if (id === null || state.cache.threads.get(id)?.newer === 'disk') return false;
  const selected = selectSelectedItem(state)?.id;
  if (selected === undefined || selectThreadItems(state, id).at(-1)?.id !== selected) return false;
  context.update((now) => setFocus('composer')(selectMessage(id, null)(now)));
  return true;
}

/** Selects the neighbour of a conversation that is about to leave the list; `order` is the list that shows it. */
export function leaveConversation(context: CommandContext, order: readonly ConversationId[], id: ConversationId): void {
  const index = order.indexOf(id);
  if (index < 0) return;
  context.update(selectInList(order[index + 1] ?? order[index - 1] ?? null));
}

/** To be called when a conversation was changed, which may have left the view. `order` is the list of before. */
export function leaveIfGone(context: CommandContext, order: readonly ConversationId[], id: ConversationId): void {
  if (!selectListOrder(context.get()).includes(id)) leaveConversation(context, order, id);
}

/** At the oldest message that is loaded, a step back scrolls on, so that older history is asked for. */
export function stepSelection(context: CommandContext, step: ThreadStep): void {
  const state = context.get();
  const id = state.view.openId;
  if (id === null) return;
  const selected = selectSelectedItem(state)?.id ?? null;
  if (selected === null && step !== 'first' && step !== 'last') {
    selectVisible(context);
    return;
  }
  const target = stepTarget(selectThreadItems(state, id), selected, step);
  if (target === null) return;
  if (target === selected && (step === 'previous' || step === 'previous-day')) context.scrollThread({ rows: -1 });
  else select(context, id, target);
}

/** The notice for a key whose subject is no longer selected when it could be carried out. */
export const somethingElse = 'Something else is selected by now; nothing was done';

/** The subject of a letter's command: the pane or overlay with the keyboard, and what is open and selected. */
export const subjectOf = (state: AppState): readonly unknown[] => [
  state.screen.focus,
  topOverlay(state),
  state.view.openId,
  selectSelectedItem(state)?.id,
];

/** Makes rows of the command table that move the selection of a pane. */
export const selectionMoves =
  (pane: Pick<Command, 'group' | 'where'>) =>
  (id: string, title: string, keys: readonly string[], run: Command['run']): Command => ({
    ...pane,
    id,
    isMove: true,
    title,
    keys,
    run,
  });

export const nothingOpen = 'Open a conversation first';

/** Why a command that needs an open conversation cannot run; null when one is open. */
export const needsOpen = ({ view }: AppState): string | null => (view.openId === null ? nothingOpen : null);

export const noMessageSelected = 'Select a message first';

/** Why a command that needs a selected message cannot run; null when one is selected. */
export const needsItem = (state: AppState): string | null =>
  selectSelectedItem(state) === null ? noMessageSelected : null;
