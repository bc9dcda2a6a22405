/** Starts what `nextRead` says is due, one request at a time for each resource. */

import type { ConversationId } from '../../protocol/types.ts';
import type { PageObserver } from '../services/page-observer.ts';
import { mayLeaveNow } from '../services/request.ts';
import type { Services } from '../services/services.ts';
import type { ListFreshness } from './list/freshness.ts';
import { ListReader } from './list/list-reader.ts';
import { PollTracker } from './poll-tracker.ts';
import { type NextRead, nextRead, type PollState } from './schedule.ts';
import { ThreadReader } from './thread/thread-reader.ts';

export interface Poller {
  /** Starts everything that is due. Returns `nextAt`. */
  run(): number | null;
  /** When the next poll may leave, on the monotonic clock; null = not before something else happens. */
  nextAt(): number | null;
  /** To be called when another conversation is open, or none. */
  open(id: ConversationId | null): void;
  isOpen(id: ConversationId): boolean;
  readonly isFocused: boolean;
  setFocused(isFocused: boolean): void;
  /** True when that may bring the next poll forward. */
  noteActivity(): boolean;
  /** Asks for everything wanted at once. */
  resetBackoff(): void;
  /** Makes the conversation due if it is the open one. */
  refreshThread(id: ConversationId): void;
  /** Wants the newest pages of these conversations, which the list shows, before those of others. */
  wantPages(ids: readonly ConversationId[]): void;
  /** Makes the list due. */
  refreshList(): void;
  /** Checks the history for a send of unknown outcome; the times count from `endedAt`, on the monotonic clock. */
  watch(id: ConversationId, endedAt: number): void;
  unwatch(id: ConversationId): void;
  /** Reads the newest page unless it was read in the last seconds. Rejects with ApiError. */
  readNewestPage(id: ConversationId): Promise<void>;
  readonly list: Pick<ListFreshness, 'underWay' | 'ensure'>;
  /** Reads the list, as far as it may be out of date. Rejects with ApiError. */
  readList(): Promise<void>;
}

/** `track` is given every reading that starts; `observers` take part in the reading of every newest page. */
export function createPoller(
  context: Services,
  track: (task: Promise<void>) => void,
  observers: readonly PageObserver[],
): Poller {
  const tracker = new PollTracker(context);
  const threads = new ThreadReader(context, tracker, observers);
  const lists = new ListReader(context, tracker);
  const next = (): NextRead | null => {
    tracker.update({ listStep: lists.nextStep() });
    tracker.updatePace();
    return nextRead(threads.isReadingPage ? withoutPages(tracker.state) : tracker.state, context.clock.monotonic());
  };
  return {
    run: () => {
      const left = runDue(context, next, (read) => {
        // Readings of the whole list are paced by `ListReader`.
        if (read.what !== 'list-step') tracker.spend();
        track(start(read, threads, lists));
      });
      return nextStart(context, left);
    },
    nextAt: () => nextStart(context, next()),
    open: (id) => {
      tracker.noteActivity();
      threads.abandon(id);
      tracker.open(id);
    },
    isOpen: (id) => tracker.state.thread?.id === id,
    get isFocused() {
      return tracker.state.isFocused;
    },
    setFocused: (isFocused) => {
      if (isFocused && !tracker.state.isFocused) tracker.noteActivity();
      tracker.update({ isFocused });
    },
    noteActivity: () => tracker.noteActivity(),
    resetBackoff: () => {
      tracker.noteActivity();
      lists.resetBackoff();
      tracker.resetBackoff();
    },
    refreshThread: (id) => tracker.updateThread(id, { isDue: true }),
    wantPages: (ids) => tracker.wantPagesFirst(ids),
    refreshList: () => tracker.updateList({ isDue: true }),
    watch: (id, endedAt) => tracker.watch(id, endedAt),
    unwatch: (id) => tracker.unwatch(id),
    readNewestPage: (id) => threads.ensureFresh(id),
    list: lists.freshness,
    readList: () => lists.readNow(),
  };
}

/** Returns what is next, which may not leave yet. */
function runDue(context: Services, next: () => NextRead | null, begin: (read: NextRead) => void): NextRead | null {
  for (;;) {
    const now = context.clock.monotonic();
    const read = next();
    if (read === null || read.at > now || !mayLeaveNow(context, 'poll')) return read;
    begin(read);
  }
}

function nextStart(context: Services, read: NextRead | null): number | null {
  const allowedAt = context.circuitBreaker.nextAllowedAt('poll');
  return read === null || allowedAt === null ? null : Math.max(read.at, allowedAt);
}

function start(read: NextRead, threads: ThreadReader, lists: ListReader): Promise<void> {
  if (read.what === 'list') return lists.poll();
  if (read.what === 'list-step') return lists.takeStep();
  return read.what === 'thread' ? threads.pollOpen(read.id) : threads.readPage(read.id);
}

/** While a page is read in the background no other one is; the open conversation is read beside it. */
const withoutPages = (state: PollState): PollState => ({
  ...state,
  wantedPages: [],
  postponedPages: new Map(),
  againPages: new Map(),
  checks: new Map([...state.checks].filter(([id]) => id === state.thread?.id)),
});
