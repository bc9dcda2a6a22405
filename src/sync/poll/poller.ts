/** Keeps the books of polling and starts what `nextPull` says, one request at a time for each resource. */
import type { ConversationId } from '../../protocol/types.ts';
import { setFailure, setLoading } from '../../state/view/connection.ts';
import { backoffMs } from '../services/backoff.ts';
import { showFailure } from '../services/connection-status.ts';
import type { PageObserver } from '../services/page-observer.ts';
import { apiError, type Services, stateOf, update } from '../services/services.ts';
import { createRereading } from './list/catch-up.ts';
import { createListFreshness, type ListFreshness } from './list/freshness.ts';
import { pullFirstPage, pullList } from './list/poll-list.ts';
import { emptyListPollState } from './list/poll-state.ts';
import { createPageRounds, firstPagesAtStart, mostActive, pagesPerPoll } from './newest-page-queue.ts';
import { idleResource, nextCheck, nextPull, type PollState, type Pull, type Resource } from './schedule.ts';
import { emptyThreadPollState, pullThread, type ThreadResult } from './thread/poll-thread.ts';

export interface Poller {
  run(): void;
  /** When the next poll may leave, on the monotonic clock; null = not before something else happens. */
  nextAt(): number | null;
  open(id: ConversationId | null): void;
  setFocused(isFocused: boolean): void;
  /** True when that may bring the next poll forward. */
  noteActivity(): boolean;
  /** Ask for everything wanted at once. */
  resetBackoff(): void;
  refreshThread(id: ConversationId): void;
  /** Watch for a send of unknown outcome; counted from `endedAt`. */
  watch(id: ConversationId, endedAt: number): void;
  unwatch(id: ConversationId): void;
  /** Reads the head unless it was read in the last seconds; rejects with ApiError. */
  readNewestPage(id: ConversationId): Promise<void>;
  readonly list: Pick<ListFreshness, 'underWay' | 'ensure'>;
}

interface Watch {
  readonly endedAt: number;
  readonly looked: number;
  readonly lookedAt: number;
}

const freshMs = 5_000;
/** A thread that has to be walked is read the more rarely, so that it takes no more than a request in so many milliseconds. */
const walkedPageMs = 1_000;
const freePages = 2;
/** Signs of life closer together than this are one: the cadence goes by quarters of a minute. */
const stirredMs = 1_000;

export function createPoller(
  context: Services,
  track: (task: Promise<void>) => void,
  observers: readonly PageObserver[],
): Poller {
  const listMemory = emptyListPollState();
  const threadMemory = emptyThreadPollState();
  const watches = new Map<ConversationId, Watch>();
  /** Requests for the same conversation follow one another. */
  const chains = new Map<ConversationId, Promise<unknown>>();
  const failures = new Map<string, number>();
  let poll: PollState = {
    list: idleResource,
    thread: null,
    rereading: null,
    heads: [],
    headAllowance: firstPagesAtStart,
    checks: new Map(),
    isFocused: true,
    lastActivity: context.clock.monotonic(),
  };
  /** The newest page of the open conversation is being asked for; nobody waits for it once that is left. */
  let reading: { readonly id: ConversationId; readonly abort: AbortController } | null = null;
  /** Of these somebody else waits for the request under way. */
  const awaited = new Set<ConversationId>();
  let headInFlight = false;
  let headNotBefore = 0;

  const nextRound = createPageRounds();
  const listSeen = createListFreshness(context, () => pullFirstPage(context, listMemory, wantHeads));

  const setList = (patch: Partial<Resource>): void => {
    poll = { ...poll, list: { ...poll.list, ...patch } };
  };
  const setThread = (id: ConversationId, patch: Partial<Resource>): void => {
    if (poll.thread?.id === id) poll = { ...poll, thread: { ...poll.thread, ...patch } };
  };
  const stir = (): boolean => {
    const now = context.clock.monotonic();
    if (now - poll.lastActivity < stirredMs) return false;
    poll = { ...poll, lastActivity: now };
    return true;
  };
  const scheduleChecks = (): void => {
    const checks = new Map(
      [...watches].map(([id, watch]) => [id, nextCheck(watch.endedAt, watch.looked, watch.lookedAt)]),
    );
    poll = { ...poll, checks };
  };

  const readThread = async (id: ConversationId, abort?: AbortSignal): Promise<ThreadResult> => {
    const before = chains.get(id);
    if (before !== undefined) awaited.add(id);
    const scoped = abort === undefined ? context : { ...context, signal: AbortSignal.any([context.signal, abort]) };
    const mine = (async () => {
      // What it failed with is the answer to this one too: asking again at once would only add to the trouble.
      if (before !== undefined) await before;
      return pullThread(scoped, threadMemory, id, poll.isFocused, observers);
    })();
    chains.set(id, mine);
    try {
      const result = await mine;
      if (result.hasNews) stir();
      return result;
    } finally {
      if (chains.get(id) === mine) {
        chains.delete(id);
        awaited.delete(id);
      }
      looked(id);
    }
  };

  /** Its page comes among the others of the background, so that the next one is not behind it (R-POLL). */
  const leave = (next: ConversationId | null): void => {
    if (reading === null || reading.id === next) return;
    const { id, abort } = reading;
    if (watches.has(id) || awaited.has(id)) return;
    reading = null;
    chains.delete(id);
    abort.abort();
    update(context, setLoading(id, false));
    poll = { ...poll, heads: [...poll.heads, id] };
  };

  const looked = (id: ConversationId): void => {
    const watch = watches.get(id);
    if (watch === undefined) return;
    watches.set(id, { ...watch, looked: watch.looked + 1, lookedAt: context.clock.monotonic() });
    scheduleChecks();
  };

  const failed = (resource: string): number => {
    const count = (failures.get(resource) ?? 0) + 1;
    failures.set(resource, count);
    return context.clock.monotonic() + backoffMs(count, context.random);
  };

  const askList = async (): Promise<void> => {
    setList({ isInFlight: true, isDue: false });
    let notBefore = 0;
    let isDue = false;
    const reading = listSeen.begin();
    try {
      isDue = await pullList(context, listMemory, (moved) => {
        reading.seen();
        wantHeads(moved);
      });
      reading.seen();
      failures.delete('list');
      poll = { ...poll, headAllowance: Math.min(firstPagesAtStart, poll.headAllowance + pagesPerPoll) };
      if (poll.heads.length === 0)
        wantHeads(nextRound(stateOf(context), threadMemory.readAt, context.clock.monotonic()));
    } catch (error) {
      const failure = apiError(error);
      notBefore = failed('list');
      showFailure(context, failure, notBefore, true);
    }
    reading.end();
    setList({ isInFlight: false, lastAsked: context.clock.monotonic(), notBefore, isDue: isDue || poll.list.isDue });
  };

  const wantHeads = (moved: readonly ConversationId[]): void => {
    if (moved.length === 0) return;
    const openId = poll.thread?.id;
    if (openId !== undefined && moved.includes(openId)) setThread(openId, { isDue: true });
    const wanted = [...moved, ...poll.heads].filter((id) => id !== openId);
    poll = { ...poll, heads: mostActive(stateOf(context), wanted) };
  };

  const rereading = createRereading(context, listMemory, wantHeads);
  const askReread = async (): Promise<void> => {
    setList({ isInFlight: true });
    try {
      await rereading.step(poll.isFocused);
      failures.delete('reread');
    } catch (error) {
      const notBefore = failed('reread');
      rereading.postpone(notBefore);
      showFailure(context, apiError(error), notBefore, false);
    }
    setList({ isInFlight: false });
  };

  const askThread = async (id: ConversationId): Promise<void> => {
    setThread(id, { isInFlight: true, isDue: false });
    let notBefore = 0;
    let isDue = false;
    const abort = new AbortController();
    reading = { id, abort };
    try {
      const { isStale, pages } = await readThread(id, abort.signal);
      isDue = isStale;
      failures.delete(id);
      if (pages > freePages) notBefore = context.clock.monotonic() + pages * walkedPageMs;
    } catch (error) {
      const failure = apiError(error);
      if (abort.signal.aborted) return;
      notBefore = failed(id);
      if (failure.kind !== 'aborted')
        update(context, (state) => setLoading(id, false)(setFailure(id, failure.message)(state)));
      showFailure(context, failure, notBefore, false);
    } finally {
      if (reading?.abort === abort) reading = null;
    }
    const lastAsked = context.clock.monotonic();
    setThread(id, { isInFlight: false, lastAsked, notBefore, isDue: isDue || poll.thread?.isDue === true });
  };

  const askHead = async (id: ConversationId): Promise<void> => {
    headInFlight = true;
    poll = { ...poll, heads: poll.heads.filter((head) => head !== id), headAllowance: poll.headAllowance - 1 };
    try {
      await readThread(id);
    } catch (error) {
      const failure = apiError(error);
      headNotBefore = failed('head');
      showFailure(context, failure, headNotBefore, false);
    } finally {
      headInFlight = false;
    }
  };

  /** The pull that may leave next, with the delays of heads laid over it. */
  const next = (): Pull | null => {
    const canHead = !headInFlight;
    poll = { ...poll, rereading: rereading.next() };
    const pull = nextPull(
      canHead
        ? poll
        : { ...poll, heads: [], checks: new Map([...poll.checks].filter(([id]) => id === poll.thread?.id)) },
      context.clock.monotonic(),
    );
    if (pull?.what !== 'head' || pull.at >= headNotBefore) return pull;
    const other = nextPull({ ...poll, heads: [], checks: new Map() }, context.clock.monotonic());
    return other !== null && other.at < headNotBefore ? other : { ...pull, at: headNotBefore };
  };

  const start = (pull: Pull): void => {
    if (pull.what === 'list') track(askList());
    else if (pull.what === 'reread') track(askReread());
    else if (pull.what === 'thread') track(askThread(pull.id));
    else track(askHead(pull.id));
  };

  return {
    run: () => {
      for (;;) {
        const now = context.clock.monotonic();
        const opensAt = context.gate.nextAllowedAt('poll');
        const pull = next();
        if (pull === null || pull.at > now || opensAt === null || opensAt > now) return;
        start(pull);
      }
    },
    nextAt: () => {
      const opensAt = context.gate.nextAllowedAt('poll');
      const pull = next();
      return pull === null || opensAt === null ? null : Math.max(pull.at, opensAt);
    },
    open: (id) => {
      stir();
      leave(id);
      poll = {
        ...poll,
        thread: id === null ? null : { ...idleResource, id },
        heads: poll.heads.filter((head) => head !== id),
      };
    },
    setFocused: (isFocused) => {
      if (isFocused && !poll.isFocused) stir();
      poll = { ...poll, isFocused };
    },
    noteActivity: stir,
    resetBackoff: () => {
      stir();
      failures.clear();
      headNotBefore = 0;
      setList({ isDue: true, notBefore: 0 });
      if (poll.thread !== null) setThread(poll.thread.id, { isDue: true, notBefore: 0 });
    },
    refreshThread: (id) => setThread(id, { isDue: true }),
    watch: (id, endedAt) => {
      watches.set(id, { endedAt, looked: 0, lookedAt: endedAt });
      scheduleChecks();
    },
    unwatch: (id) => {
      if (watches.delete(id)) scheduleChecks();
    },
    readNewestPage: async (id) => {
      const readAt = threadMemory.readAt.get(id);
      if (readAt !== undefined && context.clock.monotonic() - readAt < freshMs) return;
      await readThread(id);
    },
    list: listSeen,
  };
}
