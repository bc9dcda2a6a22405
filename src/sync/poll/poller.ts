/** Starts what `nextPull` says is due, one request at a time for each resource. */
import type { ConversationId } from '../../protocol/types.ts';
import type { PageObserver } from '../services/page-observer.ts';
import type { Services } from '../services/services.ts';
import type { ListFreshness } from './list/freshness.ts';
import { ListReader } from './list/list-reader.ts';
import { PollBooks } from './poll-books.ts';
import { nextPull, type PollState, type Pull } from './schedule.ts';
import { ThreadReader } from './thread/thread-reader.ts';

export interface Poller {
  /** Starts everything that is due. */
  run(): void;
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
  const books = new PollBooks(context);
  const threads = new ThreadReader(context, books, observers);
  const lists = new ListReader(context, books);
  const next = (): Pull | null => {
    books.update({ rereading: lists.nextReread() });
    books.updatePace();
    return nextPull(threads.isReadingPage ? withoutPages(books.state) : books.state, context.clock.monotonic());
  };
  return {
    run: () =>
      runDue(context, next, (pull) => {
        // Readings of the whole list are paced by `ListReader`.
        if (pull.what !== 'reread') books.spend();
        track(start(pull, threads, lists));
      }),
    nextAt: () => nextStart(context, next()),
    open: (id) => {
      books.noteActivity();
      threads.abandon(id);
      books.open(id);
    },
    isOpen: (id) => books.state.thread?.id === id,
    get isFocused() {
      return books.state.isFocused;
    },
    setFocused: (isFocused) => {
      if (isFocused && !books.state.isFocused) books.noteActivity();
      books.update({ isFocused });
    },
    noteActivity: () => books.noteActivity(),
    resetBackoff: () => {
      books.noteActivity();
      lists.resetBackoff();
      books.resetBackoff();
    },
    refreshThread: (id) => books.updateThread(id, { isDue: true }),
    watch: (id, endedAt) => books.watch(id, endedAt),
    unwatch: (id) => books.unwatch(id),
    readNewestPage: (id) => threads.ensureFresh(id),
    list: lists.freshness,
    readList: () => lists.readNow(),
  };
}

function runDue(context: Services, next: () => Pull | null, begin: (pull: Pull) => void): void {
  for (;;) {
    const now = context.clock.monotonic();
    const allowedAt = context.gate.nextAllowedAt('poll');
    const pull = next();
    if (pull === null || pull.at > now || allowedAt === null || allowedAt > now) return;
    begin(pull);
  }
}

function nextStart(context: Services, pull: Pull | null): number | null {
  const allowedAt = context.gate.nextAllowedAt('poll');
  return pull === null || allowedAt === null ? null : Math.max(pull.at, allowedAt);
}

function start(pull: Pull, threads: ThreadReader, lists: ListReader): Promise<void> {
  if (pull.what === 'list') return lists.poll();
  if (pull.what === 'reread') return lists.reread();
  return pull.what === 'thread' ? threads.pollOpen(pull.id) : threads.readPage(pull.id);
}

/** While a page is read in the background no other one is; the open conversation is read beside it. */
const withoutPages = (state: PollState): PollState => ({
  ...state,
  wantedPages: [],
  postponedPages: new Map(),
  againPages: new Map(),
  checks: new Map([...state.checks].filter(([id]) => id === state.thread?.id)),
});
