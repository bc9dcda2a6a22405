/** Searches the cache for words and by operators: every cached message of one conversation or of all of them. */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import type { HistoryKey } from '../../state/cache/cached-history.ts';
import { compareMessages } from '../../state/cache/thread-order.ts';
import type { AppState, MessageHit, MessageSearchResult } from '../../state/model/app-state.ts';
import { inSteps, type SearchClock } from '../../state/search/incremental-search.ts';
import { type MessageFilter, messageFilter } from '../../state/search/message-filter.ts';
import { excerptAround, type MessageQuery, scopeOf } from '../../state/search/message-search.ts';
import { matchesWords, parseSearch, type SearchQuery } from '../../state/search/search-query.ts';
import type { AppStore } from '../../state/store.ts';
import type { CacheDisk } from '../services/ports.ts';

export interface SearchServices {
  readonly store: Pick<AppStore, 'getState'>;
  readonly cache: Pick<CacheDisk, 'scanTexts' | 'message' | 'reach'>;
  readonly clock: SearchClock & { now(): number };
  /** The cache is closed, or about to be. */
  readonly isClosed: () => boolean;
}

const hitLimit = 100;
/** A longer text is searched up to here, in UTF-16 units. */
const searchedUnits = 65_536;
/** Size of one part of the search, in UTF-16 units; a row counts for some more than its text. */
const partUnits = 8_192;
const rowUnits = 64;
/** A part ends after this many hits: their messages are read, which takes longer than looking at a text. */
const hitsPerPart = 20;

/** Yields what has been found after each step of about a millisecond; a caller that stops asking ends the search. */
export const searchMessages = (services: SearchServices, query: MessageQuery): AsyncIterable<MessageSearchResult> =>
  inSteps(new MessageSearch(services, query).parts(), services.clock);

class MessageSearch {
  readonly #services: SearchServices;
  readonly #asked: SearchQuery;
  readonly #conversationId: ConversationId | null;
  readonly #filter: MessageFilter;
  /** The newest hits, newest first. */
  #hits: readonly MessageHit[] = [];
  #count = 0;
  #messages = 0;
  #conversations = 0;
  #inPart = 0;
  #oldest: number | null = null;

  constructor(services: SearchServices, query: MessageQuery) {
    this.#services = services;
    this.#asked = parseSearch(query.text);
    this.#conversationId = scopeOf(this.#asked, query.conversationId);
    this.#filter = messageFilter(services.store.getState(), this.#asked, services.clock.now(), (id, messageId) =>
      services.cache.message(id, messageId),
    );
  }

  *parts(): Generator<MessageSearchResult, MessageSearchResult> {
    const state = this.#services.store.getState();
    const { identity, problem } = this.#asked;
    const isEmpty = identity === '' || problem !== null;
    for (const id of isEmpty ? [] : searchedIn(state, this.#conversationId)) {
      if (!this.#filter.searches(id)) continue;
      const { until } = this.#filter;
      const newest: HistoryKey | null = until === null ? null : { createdAt: until, rank: 0, id: '' };
      const searched = this.#messages;
      let before: HistoryKey | null = newest;
      do {
        if (this.#services.isClosed()) return this.#result(false);
        const isFirst: boolean = before === newest;
        before = this.#searchPart(id, before);
        if (isFirst) this.#countConversation(id, this.#messages > searched);
        yield this.#result(false);
      } while (before !== null);
    }
    return this.#result(true);
  }

  #countConversation(id: ConversationId, hasMessages: boolean): void {
    const { older, gaps } = this.#services.cache.reach(id);
    if (hasMessages) this.#conversations++;
    if (older !== 'end' || gaps.length > 0) this.#inPart++;
  }

  /** Returns where the next part begins; null: there is no older message to search. */
  #searchPart(id: ConversationId, before: HistoryKey | null): HistoryKey | null {
    const wanted: MessageId[] = [];
    const { since } = this.#filter;
    let units = 0;
    let end = before;
    let isOver = false;
    const isOldest = this.#services.cache.scanTexts(id, before, (key, text) => {
      isOver = since !== null && (key.createdAt ?? Number.NEGATIVE_INFINITY) < since;
      if (isOver) return false;
      end = key;
      if (this.#isWanted(key, text)) wanted.push(key.id);
      units += text.length + rowUnits;
      return units < partUnits && wanted.length < hitsPerPart;
    });
    this.#add(id, wanted);
    return isOldest || isOver ? null : end;
  }

  /** True where the message has to be read: it is among the newest hits, or only the message itself says if it is one. */
  #isWanted(key: HistoryKey, text: string): boolean {
    this.#messages++;
    if (key.createdAt !== null) this.#oldest = Math.min(this.#oldest ?? key.createdAt, key.createdAt);
    if (!matchesWords(text.slice(0, searchedUnits), this.#asked)) return false;
    if (this.#filter.readsMessages) return true;
    this.#count++;
    return this.#isAmongNewest(key);
  }

  /** Whether a hit is newer than the oldest one that is kept. */
  #isAmongNewest({ createdAt }: Pick<HistoryKey, 'createdAt'>): boolean {
    const last = this.#hits[hitLimit - 1];
    return last === undefined || (createdAt ?? -Infinity) > (last.message.createdAt ?? -Infinity);
  }

  #add(conversationId: ConversationId, ids: readonly MessageId[]): void {
    const more = ids.flatMap((id): MessageHit[] => {
      const message = this.#services.cache.message(conversationId, id);
      if (message === null) return [];
      if (this.#filter.readsMessages) {
        if (!this.#filter.finds(conversationId, message)) return [];
        this.#count++;
        if (!this.#isAmongNewest(message)) return [];
      }
      const excerpt = excerptAround(message.text.slice(0, searchedUnits), this.#asked.words);
      return [{ conversationId, message, excerpt }];
    });
    if (more.length === 0) return;
    const sorted = [...this.#hits, ...more].sort((a, b) => compareMessages(b.message, a.message));
    this.#hits = sorted.slice(0, hitLimit);
  }

  #result(isDone: boolean): MessageSearchResult {
    const { store } = this.#services;
    const coverage = {
      messages: this.#messages,
      conversations: this.#conversations,
      known: store.getState().cache.conversations.size,
      oldest: this.#oldest,
      inPart: this.#inPart,
    };
    const { identity, words } = this.#asked;
    const conversationId = this.#conversationId;
    return { identity, words, conversationId, hits: this.#hits, count: this.#count, coverage, isDone };
  }
}

/** Conversations with cached messages, as they were when the search began. */
function* searchedIn({ cache }: AppState, conversationId: ConversationId | null): Generator<ConversationId> {
  if (conversationId !== null) yield conversationId;
  else for (const id of cache.lastMessages.keys()) if (cache.conversations.has(id)) yield id;
}
