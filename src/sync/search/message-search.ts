/** Looks through the cache for what is typed in the find overlay: after a pause, and in steps for which no key waits. */
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
import type { HistoryKey } from '../services/ports.ts';
import { type Services, stateOf, update } from '../services/services.ts';

/** After the last key. */
const pauseMs = 120;
const stepMs = 1.5;
/** For clocks that stand still. */
const stepRows = 4_000;
const showEveryMs = 200;
const hitLimit = 100;
/** What is kept takes some time of its own after the row. */
const keptAtOnce = 20;
/** A longer text is looked at up to here. */
const searchedUnits = 65_536;

export interface Finder {
  start(): void;
  stop(): void;
}

interface Search {
  readonly conversationId: ConversationId | null;
  readonly words: readonly string[];
}

/**
 *     typed ─pause─► step ─► step ─► … ─► done
 *       └──────any change of words or place ends it──────┘
 */
export function createFinder(context: Services): Finder {
  let wanted: Search | null = null;
  let cancel: (() => void) | null = null;
  let unsubscribe: (() => void) | null = null;

  const later = (delayMs: number, work: () => void): void => {
    cancel?.();
    cancel = context.clock.after(delayMs, work);
  };
  const begin = (search: Search): void => {
    const run = createRun(context, search);
    const step = (): void => {
      if (!run.step()) later(0, step);
    };
    step();
  };
  const follow = (state: AppState): void => {
    const next = searchIn(state);
    if (next === null ? wanted === null : wanted !== null && sameSearch(wanted, next)) return;
    wanted = next;
    cancel?.();
    cancel = null;
    if (next !== null) later(pauseMs, () => begin(next));
  };

  return {
    start() {
      unsubscribe = context.store.subscribe((state, previous) => {
        if (state.view.overlays !== previous.view.overlays) follow(state);
      });
    },
    stop() {
      unsubscribe?.();
      cancel?.();
    },
  };
}

function searchIn(state: AppState): Search | null {
  const finding = selectMessageSearch(state);
  if (finding === null) return null;
  const words = wordsOf(finding.typed);
  return words.length === 0 ? null : { conversationId: finding.conversationId, words };
}

const sameSearch = (a: Search, b: Search): boolean =>
  a.conversationId === b.conversationId && sameList(a.words, b.words);

/** One search from beginning to end; `step` answers true when it is over. */
function createRun(context: Services, { conversationId, words }: Search): { step(): boolean } {
  const { cache, clock } = context;
  const places = placesOf(stateOf(context), conversationId);
  let place = places.next();
  let before: HistoryKey | null = null;
  let hits: readonly MessageHit[] = [];
  let count = 0;
  let messages = 0;
  let conversations = 0;
  let oldest: number | null = null;
  let shownAt = clock.monotonic();

  const isWanted = (createdAt: number | null): boolean => {
    const last = hits[hitLimit - 1];
    return (
      last === undefined ||
      (createdAt ?? Number.NEGATIVE_INFINITY) > (last.message.createdAt ?? Number.NEGATIVE_INFINITY)
    );
  };
  const take = (id: ConversationId, found: readonly Message[]): void => {
    if (found.length === 0) return;
    const more = found.map((message) => {
      return { conversationId: id, message, excerpt: excerptAround(message.text.slice(0, searchedUnits), words) };
    });
    hits = [...hits, ...more].sort((a, b) => compareMessages(b.message, a.message)).slice(0, hitLimit);
  };
  const lookIn = (id: ConversationId, isOver: () => boolean): void => {
    let room = keptAtOnce;
    const page = cache.lookThrough(id, before, (createdAt, text) => {
      if (isOver() || room === 0) return 'stop';
      messages++;
      if (createdAt !== null) oldest = Math.min(oldest ?? createdAt, createdAt);
      if (!holdsAll(text.slice(0, searchedUnits), words)) return 'pass';
      count++;
      if (!isWanted(createdAt)) return 'pass';
      room--;
      return 'keep';
    });
    take(id, page.messages);
    if (before === null && page.end !== null) conversations++;
    if (page.hasMore) before = page.end ?? before;
    else {
      before = null;
      place = places.next();
    }
  };
  const show = (isDone: boolean): void => {
    const known = stateOf(context).cache.conversations.size;
    const isWhole = isDone && conversationId !== null && isAllThereIs(context, conversationId);
    const coverage = { messages, conversations, known, oldest, isWhole };
    update(context, showSearchResult({ words, conversationId, hits, count, coverage, isDone }));
  };

  return {
    step() {
      const until = clock.monotonic() + stepMs;
      let left = stepRows;
      const isOver = (): boolean => left-- <= 0 || clock.monotonic() > until;
      while (place.done !== true && left > 0 && clock.monotonic() <= until) lookIn(place.value, isOver);
      const isDone = place.done === true;
      if (isDone || clock.monotonic() - shownAt >= showEveryMs) {
        shownAt = clock.monotonic();
        show(isDone);
      }
      return isDone;
    },
  };
}

/** Conversations with cached messages, as they were when the search began. */
function* placesOf({ cache }: AppState, conversationId: ConversationId | null): Generator<ConversationId, void> {
  if (conversationId !== null) yield conversationId;
  else for (const id of cache.lastMessages.keys()) if (cache.conversations.has(id)) yield id;
}

function isAllThereIs({ cache }: Services, id: ConversationId): boolean {
  const { older, gaps } = cache.reach(id);
  return older === 'end' && gaps.length === 0;
}
