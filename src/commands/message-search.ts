/** Opens the message search (Ctrl-F), switches its scope, and goes to the hit that was chosen. */
import type { ConversationId } from '../protocol/types.ts';
import type { AppState, MessageSearchOverlay } from '../state/model/app-state.ts';
import {
  hitId,
  isResultFor,
  openMessageSearch,
  selectMessageSearch,
  toggleSearchScope,
} from '../state/search/message-search.ts';
import { typeText } from '../state/search/type-text.ts';
import { rememberPlace } from '../state/view/jumps.ts';
import { popOverlay } from '../state/view/overlays.ts';
import { type Command, withParameters } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { freeText } from './parameters.ts';
import { itemOf, selectedConversationId } from './selection.ts';

/** The conversation that the search begins with: the selected one in the list, elsewhere the open one. */
const here = (state: AppState): ConversationId | null =>
  (state.screen.focus === 'list' ? selectedConversationId(state) : null) ?? state.view.openId;

export const messageSearch = {
  rowIds: (_: AppState, { result }: MessageSearchOverlay): readonly string[] => result?.hits.map(hitId) ?? [],
  accept: openHit,
};

function openHit(context: CommandContext, search: MessageSearchOverlay): void {
  const { result, selected } = search;
  if (!isResultFor(result, search)) {
    if (search.typed.trim() !== '') notify(context, 'Still searching for what was typed last');
    return;
  }
  const hit = result.hits[selected];
  if (hit === undefined) return;
  const { conversationId, message } = hit;
  context.update((state) => rememberPlace(popOverlay(state)));
  const isShown = context.showMessage(conversationId, message) && itemOf(context.get(), conversationId, message.id);
  if (!isShown) notify(context, 'The message is gone');
}

export const messageSearchCommands: readonly Command[] = [
  withParameters({
    id: 'find.open',
    slash: 'search',
    title: 'Find in this conversation, as far as it is kept',
    group: 'Anywhere',
    where: ['global'],
    hint: 'find',
    keys: ['ctrl+f'],
    parameters: { words: freeText },
    run: (context, { words }) =>
      context.update((state) => typeText(words ?? '')(openMessageSearch(here(state))(state))),
  }),
  {
    id: 'find.here',
    title: 'Find in the messages',
    group: 'Messages',
    where: ['messages'],
    keys: [],
    run: (context) => context.update((state) => openMessageSearch(here(state))(state)),
  },
  {
    id: 'find.everywhere',
    title: 'Find in all conversations, and in this one again',
    group: 'Dialogs',
    where: ['message-search'],
    hint: 'everywhere or here',
    keys: ['ctrl+f'],
    disabled: (state) =>
      selectMessageSearch(state)?.here == null ? 'This is everywhere: no conversation is open' : null,
    run: (context) => context.update(toggleSearchScope),
  },
];
