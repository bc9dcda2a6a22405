/** Opens the message search (Ctrl-F), switches its scope, and goes to the hit that was chosen. */
import type { ConversationId, Millis } from '../protocol/types.ts';
import type { AppState, MessageHit, MessageSearchOverlay, View } from '../state/model/app-state.ts';
import type { FetchedForSearch } from '../state/model/overlay.ts';
import { typeText } from '../state/search/edit-field.ts';
import {
  hitId,
  isFetching,
  isResultFor,
  namesNothing,
  namesPlaces,
  noteFetched,
  openMessageSearch,
  searchScope,
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
import { showWords } from './show-words.ts';

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
  if (!showHit(context, hit, { hits: result.hits, words: result.words, at: selected }))
    notify(context, 'The message is gone');
}

/** False where the message is gone. */
function showHit(context: CommandContext, { conversationId, message }: MessageHit, lastFound: LastFound): boolean {
  context.update((state) => patchView(state, { lastFound }));
  if (!context.showMessage(conversationId, message)) return false;
  if (itemOf(context.get(), conversationId, message.id) === null) return false;
  showWords(context, conversationId, message.id, lastFound.words);
  return true;
}

/** The hit that comes after the one that was gone to last in that direction; -1 where there is none. */
function hitAfter({ view }: AppState, direction: -1 | 1): number {
  const { hits = [], at = 0 } = view.lastFound ?? {};
  const next = at + direction;
  return next < hits.length ? next : -1;
}

/** Why no older messages can be fetched for the search; null where some may be missing. */
function noOlder(state: AppState): string | null {
  const search = selectMessageSearch(state);
  if (search === null || isFetching(search)) return null;
  if (namesNothing(search)) return 'Type what to find first';
  if (searchScope(search) === null) return 'Older messages are fetched for one conversation at a time';
  if (!isResultFor(search.result, search) || !search.result.isDone) return 'Still searching for what was typed last';
  return search.result.coverage.inPart === 0 ? 'All messages of this conversation are kept here' : null;
}

/** Fetches page after page into the cache while the search stays open; pressed again, it stops. */
function searchFurtherBack(context: CommandContext): void {
  const search = selectMessageSearch(context.get());
  const id = search === null ? null : searchScope(search);
  if (search === null) return;
  const { fetched } = search;
  if (fetched !== undefined && isFetching(search)) {
    context.update(noteFetched({ ...fetched, isOver: true }));
    return;
  }
  if (id === null) return;
  const begun = { begunAt: context.now(), pages: fetched?.pages ?? 0, oldest: null, isOver: false };
  const under = (): FetchedForSearch | null => {
    const now = selectMessageSearch(context.get())?.fetched;
    return now?.begunAt === begun.begunAt && !now.isOver ? now : null;
  };
  const note = (change: Partial<FetchedForSearch>): void => {
    const now = under();
    if (now !== null) context.update(noteFetched({ ...now, ...change }));
  };
  context.update(noteFetched(begun));
  const onPage = (oldest: Millis | null): void => note({ oldest, pages: (under()?.pages ?? 0) + 1 });
  void context.fetchBack(id, { kind: 'first' }, { isWanted: () => under() !== null, onPage }).then((end) => {
    const hasNone = under()?.pages === begun.pages;
    note({ isOver: true });
    if (end === null) return;
    if (end.trouble !== null) notify(context, `Stopped fetching: ${end.trouble}`, { tone: 'warning' });
    else if (hasNone)
      notify(context, 'The server gives nothing older; what is missing in between is fetched when you scroll there');
  });
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
    const { hits = [], words = [] } = context.get().view.lastFound ?? {};
    const at = hitAfter(context.get(), direction);
    const hit = hits[at];
    if (hit === undefined) return;
    context.update(rememberPlace);
    const isShown = showHit(context, hit, { hits, words, at });
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
  {
    id: 'find.fetchOlder',
    title: 'Fetch older messages and find in them too, or stop',
    group: 'Dialogs',
    where: ['message-search'],
    hint: (state) => {
      const search = selectMessageSearch(state);
      return search !== null && isFetching(search) ? 'stop' : 'fetch older';
    },
    keys: ['f5'],
    disabled: noOlder,
    run: searchFurtherBack,
  },
  stepToHit('find.next', 'Next message of the last search, an older one', 'n', 1, 'This is the last hit'),
  stepToHit('find.previous', 'Previous message of the last search, a newer one', 'N', -1, 'This is the first hit'),
];
