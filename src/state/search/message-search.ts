/** The message search (Ctrl-F): its scope, result, and hits as they are shown. `sync/search` searches. */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import { coverSpoilers } from '../../text/markdown/spoilers.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { excerptAround } from '../../text/search/find.ts';
import { memoBy, memoLast } from '../collections/memo.ts';
import type { AppState, MessageHit, MessageSearchOverlay, MessageSearchResult } from '../model/app-state.ts';
import type { FetchedForSearch } from '../model/overlay.ts';
import { messageAuthor, selectConversationName } from '../select/names.ts';
import type { Transition } from '../store.ts';
import { pushOverlay, replaceOverlay, topOverlay } from '../view/overlays.ts';
import type { IncrementalSearch } from './incremental-search.ts';
import { parseSearch, type SearchQuery } from './search-query.ts';

/** Re-exported for `sync/search`, which may not import `text`. */
export { excerptAround } from '../../text/search/find.ts';

/** Opens the search in one conversation, or in all of them where `here` is null. */
export const openMessageSearch = (here: ConversationId | null): Transition =>
  pushOverlay({ kind: 'message-search', conversationId: here, here, typed: '', selected: 0, result: null });

/** The search where it is the top overlay, else null. */
export const selectMessageSearch = (state: AppState): MessageSearchOverlay | null => {
  const top = topOverlay(state);
  return top?.kind === 'message-search' ? top : null;
};

/** The result of the last search stays in sight until the new one is made; where there is nothing to search, there is none. */
export const typeInMessageSearch =
  (typed: string): Transition =>
  (state) => {
    const search = selectMessageSearch(state);
    if (search === null) return state;
    const result = isSearchable(parsed(typed)) ? search.result : null;
    return replaceOverlay({ ...search, typed, selected: 0, result })(state);
  };

/** Switches between the one conversation and all conversations. */
export const toggleSearchScope: Transition = (state) => {
  const search = selectMessageSearch(state);
  if (search === null || search.here === null) return state;
  const conversationId = search.conversationId === null ? search.here : null;
  return replaceOverlay({ ...search, conversationId, selected: 0, result: null })(state);
};

/** Whether older messages are being fetched for the search. */
export const isFetching = ({ fetched }: MessageSearchOverlay): boolean => fetched?.isOver === false;

/** Notes that fetching begins, that a page has come, or that it is over. What has come makes the result incomplete. */
export const noteFetched =
  (fetched: FetchedForSearch): Transition =>
  (state) => {
    const search = selectMessageSearch(state);
    if (search === null) return state;
    const isNews = fetched.pages > (search.fetched?.pages ?? 0) || (fetched.isOver && fetched.pages > 0);
    const result = search.result !== null && isNews ? { ...search.result, isDone: false } : search.result;
    return replaceOverlay({ ...search, fetched, result })(state);
  };

const parsed = memoLast(parseSearch);
const isSearchable = ({ identity, problem }: SearchQuery): boolean => identity !== '' && problem === null;

/** The conversation that is searched; null: all of them. `in:` names others than the one where the search was opened. */
export const scopeOf = ({ conditions }: SearchQuery, conversationId: ConversationId | null): ConversationId | null =>
  conditions.some(({ kind }) => kind === 'in') ? null : conversationId;

/** Whether what was typed names the conversations itself, so that the scope cannot be switched. */
export const namesPlaces = ({ typed }: MessageSearchOverlay): boolean =>
  parsed(typed).conditions.some(({ kind, isNegated }) => kind === 'in' && !isNegated);

export const searchScope = ({ typed, conversationId }: MessageSearchOverlay): ConversationId | null =>
  scopeOf(parsed(typed), conversationId);

/** Whether what was typed names nothing to find, such as `from:` alone. */
export const namesNothing = ({ typed }: MessageSearchOverlay): boolean => parsed(typed).identity === '';

/** What is wrong with an operator that was typed, as a sentence; null where nothing is. */
export const searchProblem = ({ typed }: MessageSearchOverlay): string | null => parsed(typed).problem;

/** Whether the result is of the words and the scope that the overlay has now. */
export const isResultFor = (
  result: MessageSearchResult | null,
  search: MessageSearchOverlay,
): result is MessageSearchResult =>
  result !== null && result.conversationId === searchScope(search) && result.identity === parsed(search.typed).identity;

export interface MessageQuery {
  /** As it is typed (`state/search/search-query.ts`). */
  readonly text: string;
  /** null: all conversations. */
  readonly conversationId: ConversationId | null;
}

/** @param find `Session.search` */
export const messageSearch = (
  find: (query: MessageQuery) => AsyncIterable<MessageSearchResult>,
): IncrementalSearch<MessageSearchResult> => ({
  /** A search that is under way while pages come goes on, as it reaches them last; once all have come, it is made anew. */
  wanted(state) {
    const search = selectMessageSearch(state);
    if (search === null || (isResultFor(search.result, search) && search.result.isDone)) return null;
    const asked = parsed(search.typed);
    return isSearchable(asked) ? identityOf(searchScope(search), asked.identity, isFetching(search)) : null;
  },
  async *results(state) {
    const search = selectMessageSearch(state);
    if (search !== null) yield* find({ text: search.typed, conversationId: search.conversationId });
  },
  publish: showSearchResult,
});

const identityOf = memoLast((id: ConversationId | null, identity: string, isFetched: boolean) =>
  JSON.stringify([id, identity, isFetched]),
);

/**
 * Changes nothing when something else was typed meanwhile, and until a search that is made again has come as far as the one
 * that is shown. A selection that the user moved stays on its message.
 */
export const showSearchResult =
  (result: MessageSearchResult): Transition =>
  (state) => {
    const search = selectMessageSearch(state);
    if (search === null || !isResultFor(result, search)) return state;
    const { result: shown } = search;
    const isShownFurther = isResultFor(shown, search) && result.coverage.messages < shown.coverage.messages;
    if (isShownFurther && !result.isDone) return state;
    return replaceOverlay({ ...search, result, selected: selectedIn(search, result) })(state);
  };

function selectedIn({ selected, result: before }: MessageSearchOverlay, { hits }: MessageSearchResult): number {
  const chosen = before?.hits[selected];
  if (selected === 0 || chosen === undefined) return 0;
  const at = hits.findIndex((hit) => hitId(hit) === hitId(chosen));
  return at >= 0 ? at : Math.max(0, Math.min(selected, hits.length - 1));
}

/** Ids of messages of two conversations may be the same. */
export const hitId = ({ conversationId, message }: MessageHit): string => `${conversationId} ${message.id}`;

/** A hit with everything that the screen shows of it. */
export interface ShownHit {
  readonly id: string;
  readonly at: Millis | null;
  readonly author: SafeText;
  /** The name of its conversation. */
  readonly where: SafeText;
  readonly line: SafeText;
}

const none: readonly ShownHit[] = [];

const currentHits = (state: AppState): readonly MessageHit[] => selectMessageSearch(state)?.result?.hits ?? [];

const shownHits = memoBy(
  (state: AppState) => [
    currentHits(state),
    state.cache.contacts,
    state.cache.conversations,
    state.local.names,
    state.local.me,
  ],
  (state): readonly ShownHit[] => currentHits(state).map((hit) => shownHit(state, hit)),
);

/** The hits of the message search where it is the top overlay, else none. */
export const selectHits = (state: AppState): readonly ShownHit[] =>
  currentHits(state).length === 0 ? none : shownHits(state);

function shownHit(state: AppState, hit: MessageHit): ShownHit {
  const { conversationId, message } = hit;
  return {
    id: hitId(hit),
    at: message.createdAt,
    author: messageAuthor(state, message),
    where: selectConversationName(state, conversationId),
    line: sanitizeLine(excerptOf(state, hit)),
  };
}

/** Spoilers stay covered, also where what was looked for is in one: then the excerpt is the beginning of the text. */
function excerptOf(state: AppState, { message: { text }, excerpt }: MessageHit): string {
  const covered = coverSpoilers(text);
  return covered === text ? excerpt : excerptAround(covered, selectMessageSearch(state)?.result?.words ?? []);
}
