/**
 * Searches the cache for what is typed in the find overlay: after a pause, and in steps short enough to let keys
 * through.
 */
import type { ConversationId, Message } from '../../protocol/types.ts';
import { compareMessages } from '../../state/cache/thread-order.ts';
import { sameList } from '../../state/collections/memo.ts';
import type { AppState, MessageHit } from '../../state/model/app-state.ts';
import {
  excerptAround,
  holdsAll,
  selectMessageSearch,
  showSearchResult,
  wordsOf,
} from '../../state/search/message-search.ts';
import type { HistoryKey, LookedThrough } from '../services/ports.ts';
import { type Services, stateOf, update } from '../services/services.ts';

type SearchServices = Pick<Services, 'store' | 'cache' | 'clock'>;

/** The search begins when no key has come for this long. */
const pauseMs = 120;
const stepMs = 1.5;
/** Ends a step where the clock stands still. */
const stepRows = 4_000;
const showEveryMs = 200;
const hitLimit = 100;
/** A row that is kept takes some time of its own after it was looked at. */
const keptAtOnce = 20;
/** A longer text is searched up to here. */
const searchedUnits = 65_536;

interface Search {
  readonly conversationId: ConversationId | null;
  readonly words: readonly string[];
}

/**
 * Follows the find overlay.
 *
 *     typed ─pause─► step ─► step ─► … ─► done
 *       └──────any change of words or place ends it──────┘
 */
export class MessageSearch {
  readonly #context: SearchServices;
  #wanted: Search | null = null;
  #cancel: (() => void) | null = null;
  #unsubscribe: (() => void) | null = null;

  constructor(context: SearchServices) {
    this.#context = context;
  }

  start(): void {
    this.#unsubscribe = this.#context.store.subscribe((state, previous) => {
      if (state.screen.overlays !== previous.screen.overlays) this.#follow(state);
    });
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#cancel?.();
  }

  #follow(state: AppState): void {
    const next = searchIn(state);
    const wanted = this.#wanted;
    if (next === null ? wanted === null : wanted !== null && sameSearch(wanted, next)) return;
    this.#wanted = next;
    this.#cancel?.();
    this.#cancel = null;
    if (next !== null) this.#later(pauseMs, () => this.#begin(next));
  }

  #begin(search: Search): void {
    const run = new SearchRun(this.#context, search);
    const step = (): void => {
      if (!run.step()) this.#later(0, step);
    };
    step();
  }

  #later(delayMs: number, work: () => void): void {
    this.#cancel?.();
    this.#cancel = this.#context.clock.after(delayMs, work);
  }
}

function searchIn(state: AppState): Search | null {
  const finding = selectMessageSearch(state);
  if (finding === null) return null;
  const words = wordsOf(finding.typed);
  return words.length === 0 ? null : { conversationId: finding.conversationId, words };
}

const sameSearch = (a: Search, b: Search): boolean =>
  a.conversationId === b.conversationId && sameList(a.words, b.words);

/** One search from beginning to end. */
class SearchRun {
  readonly #context: SearchServices;
  readonly #search: Search;
  readonly #places: Iterator<ConversationId, void>;
  #place: IteratorResult<ConversationId, void>;
  /** Where the search goes on within the conversation; null at its newest message. */
  #before: HistoryKey | null = null;
  #hits: readonly MessageHit[] = [];
  #count = 0;
  #messages = 0;
  #conversations = 0;
  #oldest: number | null = null;
  #shownAt: number;

  constructor(context: SearchServices, search: Search) {
    this.#context = context;
    this.#search = search;
    this.#places = placesOf(stateOf(context), search.conversationId);
    this.#place = this.#places.next();
    this.#shownAt = context.clock.monotonic();
  }

  /** Searches for about a millisecond. True when the search is over. */
  step(): boolean {
    const { clock } = this.#context;
    const until = clock.monotonic() + stepMs;
    let left = stepRows;
    const isOver = (): boolean => left-- <= 0 || clock.monotonic() > until;
    while (this.#place.done !== true && left > 0 && clock.monotonic() <= until)
      this.#searchIn(this.#place.value, isOver);
    const isDone = this.#place.done === true;
    if (isDone || clock.monotonic() - this.#shownAt >= showEveryMs) {
      this.#shownAt = clock.monotonic();
      this.#show(isDone);
    }
    return isDone;
  }

  #searchIn(id: ConversationId, isOver: () => boolean): void {
    let room = keptAtOnce;
    const page = this.#context.cache.lookThrough(id, this.#before, (createdAt, text) => {
      if (isOver() || room === 0) return 'stop';
      const found = this.#judge(createdAt, text);
      if (found === 'keep') room--;
      return found;
    });
    this.#take(id, page.messages);
    if (this.#before === null && page.end !== null) this.#conversations++;
    this.#goOn(page);
  }

  #judge(createdAt: number | null, text: string): 'pass' | 'keep' {
    this.#messages++;
    if (createdAt !== null) this.#oldest = Math.min(this.#oldest ?? createdAt, createdAt);
    if (!holdsAll(text.slice(0, searchedUnits), this.#search.words)) return 'pass';
    this.#count++;
    return this.#isWanted(createdAt) ? 'keep' : 'pass';
  }

  /** Newer than the oldest hit, once there are as many hits as are shown. */
  #isWanted(createdAt: number | null): boolean {
    const last = this.#hits[hitLimit - 1];
    if (last === undefined) return true;
    return (createdAt ?? Number.NEGATIVE_INFINITY) > (last.message.createdAt ?? Number.NEGATIVE_INFINITY);
  }

  #take(conversationId: ConversationId, found: readonly Message[]): void {
    if (found.length === 0) return;
    const more = found.map((message) => {
      const excerpt = excerptAround(message.text.slice(0, searchedUnits), this.#search.words);
      return { conversationId, message, excerpt };
    });
    const sorted = [...this.#hits, ...more].sort((a, b) => compareMessages(b.message, a.message));
    this.#hits = sorted.slice(0, hitLimit);
  }

  #goOn({ hasMore, end }: LookedThrough): void {
    if (hasMore) this.#before = end ?? this.#before;
    else {
      this.#before = null;
      this.#place = this.#places.next();
    }
  }

  #show(isDone: boolean): void {
    const { words, conversationId } = this.#search;
    const known = stateOf(this.#context).cache.conversations.size;
    const isWhole = isDone && conversationId !== null && isAllThereIs(this.#context, conversationId);
    const coverage = {
      messages: this.#messages,
      conversations: this.#conversations,
      known,
      oldest: this.#oldest,
      isWhole,
    };
    update(
      this.#context,
      showSearchResult({ words, conversationId, hits: this.#hits, count: this.#count, coverage, isDone }),
    );
  }
}

/** Conversations with cached messages, as they were when the search began. */
function* placesOf({ cache }: AppState, conversationId: ConversationId | null): Generator<ConversationId, void> {
  if (conversationId !== null) yield conversationId;
  else for (const id of cache.lastMessages.keys()) if (cache.conversations.has(id)) yield id;
}

/** The cache holds the whole history of the conversation. */
function isAllThereIs({ cache }: SearchServices, id: ConversationId): boolean {
  const { older, gaps } = cache.reach(id);
  return older === 'end' && gaps.length === 0;
}
