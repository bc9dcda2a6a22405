/** Searches the cache for words: every cached message of one conversation or of all of them. */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import type { HistoryKey } from '../../state/cache/cached-history.ts';
import { compareMessages } from '../../state/cache/thread-order.ts';
import type { AppState, MessageHit, MessageSearchResult } from '../../state/model/app-state.ts';
import { inSteps, type SearchClock } from '../../state/search/incremental-search.ts';
import { excerptAround, holdsAll, type MessageQuery, wordsOf } from '../../state/search/message-search.ts';
import type { AppStore } from '../../state/store.ts';
import type { CacheDisk } from '../services/ports.ts';

export interface SearchServices {
  readonly store: Pick<AppStore, 'getState'>;
  readonly cache: Pick<CacheDisk, 'scanTexts' | 'message' | 'reach'>;
  readonly clock: SearchClock;
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
  readonly #query: MessageQuery;
  readonly #words: readonly string[];
  /** The newest ones, newest first. */
  #hits: readonly MessageHit[] = [];
  #count = 0;
  #messages = 0;
  #conversations = 0;
  #inPart = 0;
  #oldest: number | null = null;

  constructor(services: SearchServices, query: MessageQuery) {
    this.#services = services;
    this.#query = query;
    this.#words = wordsOf(query.text);
  }

  *parts(): Generator<MessageSearchResult, MessageSearchResult> {
    const state = this.#services.store.getState();
    for (const id of this.#words.length === 0 ? [] : searchedIn(state, this.#query.conversationId)) {
      let before: HistoryKey | null = null;
      do {
        if (this.#services.isClosed()) return this.#result(false);
        const searched = this.#messages;
        const end = this.#searchPart(id, before);
        if (before === null) this.#countConversation(id, this.#messages > searched);
        before = end;
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

  /** Returns where the next part begins; null: this was the oldest. */
  #searchPart(id: ConversationId, before: HistoryKey | null): HistoryKey | null {
    const wanted: MessageId[] = [];
    let units = 0;
    let end = before;
    const isOldest = this.#services.cache.scanTexts(id, before, (key, text) => {
      end = key;
      if (this.#isHit(key, text)) wanted.push(key.id);
      units += text.length + rowUnits;
      return units < partUnits && wanted.length < hitsPerPart;
    });
    this.#add(id, wanted);
    return isOldest ? null : end;
  }

  /** Counts the message. True where it belongs to the hits: it is newer than the oldest one, once they are full. */
  #isHit({ createdAt }: HistoryKey, text: string): boolean {
    this.#messages++;
    if (createdAt !== null) this.#oldest = Math.min(this.#oldest ?? createdAt, createdAt);
    if (!holdsAll(text.slice(0, searchedUnits), this.#words)) return false;
    this.#count++;
    const last = this.#hits[hitLimit - 1];
    return last === undefined || (createdAt ?? Number.NEGATIVE_INFINITY) > (last.message.createdAt ?? -Infinity);
  }

  #add(conversationId: ConversationId, ids: readonly MessageId[]): void {
    if (ids.length === 0) return;
    const more = ids.flatMap((id): MessageHit[] => {
      const message = this.#services.cache.message(conversationId, id);
      if (message === null) return [];
      return [{ conversationId, message, excerpt: excerptAround(message.text.slice(0, searchedUnits), this.#words) }];
    });
    const sorted = [...this.#hits, ...more].sort((a, b) => compareMessages(b.message, a.message));
    this.#hits = sorted.slice(0, hitLimit);
  }

  #result(isDone: boolean): MessageSearchResult {
    const { store } = this.#services;
    const { conversationId } = this.#query;
    const coverage = {
      messages: this.#messages,
      conversations: this.#conversations,
      known: store.getState().cache.conversations.size,
      oldest: this.#oldest,
      inPart: this.#inPart,
    };
    return { words: this.#words, conversationId, hits: this.#hits, count: this.#count, coverage, isDone };
  }
}

/** Conversations with cached messages, as they were when the search began. */
function* searchedIn({ cache }: AppState, conversationId: ConversationId | null): Generator<ConversationId> {
  if (conversationId !== null) yield conversationId;
  else for (const id of cache.lastMessages.keys()) if (cache.conversations.has(id)) yield id;
}
