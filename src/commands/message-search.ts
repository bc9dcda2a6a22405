/** Opens the message search (Ctrl-F), switches its scope, and goes to the hit that was chosen. */
import type { ConversationId } from '../protocol/types.ts';
import type { AppState, MessageHit, MessageSearchOverlay, View } from '../state/model/app-state.ts';
import { typeText } from '../state/search/edit-field.ts';
import {
  hitId,
  isResultFor,
  namesPlaces,
  openMessageSearch,
  selectMessageSearch,
  toggleSearchScope,
} from '../state/search/message-search.ts';
import { rememberPlace } from '../state/view/jumps.ts';
import { popOverlay } from '../state/view/overlays.ts';
import { patchView } from '../state/view/view.ts';
import { type Command, withParameters } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { freeText } from './parameters.ts';
import { itemOf, selectedConversationId } from './selection.ts';

type LastFound = NonNullable<View['lastFound']>;

/** The conversation that is searched first: the selected one while the list has the keyboard, else the open one. */
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
  context.update((state) => rememberPlace(popOverlay(state)));
  if (!showHit(context, hit, { hits: result.hits, at: selected })) notify(context, 'The message is gone');
}

/** False where the message is gone. */
function showHit(context: CommandContext, { conversationId, message }: MessageHit, lastFound: LastFound): boolean {
  context.update((state) => patchView(state, { lastFound }));
  return context.showMessage(conversationId, message) && itemOf(context.get(), conversationId, message.id) !== null;
}

/** The hit that comes after the one that was gone to last in that direction; -1 where there is none. */
function hitAfter({ view }: AppState, direction: -1 | 1): number {
  const { hits = [], at = 0 } = view.lastFound ?? {};
  const next = at + direction;
  return next < hits.length ? next : -1;
}

const stepToHit = (id: string, title: string, key: string, direction: -1 | 1, end: string): Command => ({
  id,
  title,
  group: 'Messages',
  where: ['messages'],
  keys: [key],
  disabled: (state) => {
    if (state.view.lastFound === undefined) return 'Find something in the messages first';
    return hitAfter(state, direction) < 0 ? end : null;
  },
  run: (context) => {
    const hits = context.get().view.lastFound?.hits ?? [];
    const at = hitAfter(context.get(), direction);
    const hit = hits[at];
    if (hit === undefined) return;
    context.update(rememberPlace);
    const isShown = showHit(context, hit, { hits, at });
    notify(context, `Hit ${at + 1} of ${hits.length}${isShown ? '' : ': the message is gone'}`, { about: 'hit' });
  },
});

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
    hint: (state) => (selectMessageSearch(state)?.conversationId === null ? 'here' : 'everywhere'),
    keys: ['ctrl+f'],
    disabled: (state) => {
      const search = selectMessageSearch(state);
      if (search !== null && namesPlaces(search)) return 'in: names the conversations';
      return search?.here == null ? 'This is everywhere: no conversation is open' : null;
    },
    run: (context) => context.update(toggleSearchScope),
  },
  stepToHit('find.next', 'Next message of the last search, an older one', 'n', 1, 'This is the last hit'),
  stepToHit('find.previous', 'Previous message of the last search, a newer one', 'N', -1, 'This is the first hit'),
];
