/** The state of the poller: what is to be read and since when, what is under way, what failed and how often. */
import type { ConversationId } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { activeAt } from '../../state/select/listed-conversations.ts';
import { backoffMs } from '../services/backoff.ts';
import { type Services, stateOf } from '../services/services.ts';
import { PaceKeeper } from './pace.ts';
import {
  idlePolled,
  idlePolledList,
  nextCheck,
  type PolledListState,
  type PolledState,
  type PollState,
} from './schedule.ts';

/** The history of a conversation is being checked for sends of unknown outcome. Times are on the monotonic clock. */
interface Watch {
  readonly endedAt: number;
  readonly checks: number;
  readonly checkedAt: number;
}

/** Acts closer together than this count as one: the time between polls first changes 15 seconds after the last act. */
const activityEveryMs = 1_000;
/** After a failure, a page that is not shown is asked for again later than an open conversation, by this factor. */
const postponedFactor = 5;

/** Holds the state that `nextRead` decides by, and changes it. Asks for nothing itself. */
export class PollTracker {
  readonly #context: Pick<Services, 'clock' | 'random' | 'store'>;
  readonly #watches = new Map<ConversationId, Watch>();
  /** Failures in a row, by what was asked for. */
  readonly #failures = new Map<string, number>();
  /** Conversations whose newest page could not be read, and when the list said that they were last active. */
  readonly #unreadable = new Map<ConversationId, number | null>();
  readonly #pace: PaceKeeper;
  /** Conversations that the list shows, whose pages come before all others however long nothing has happened in them. */
  #shown: ReadonlySet<ConversationId> = new Set();
  #state: PollState;

  constructor(context: Pick<Services, 'clock' | 'random' | 'store'>) {
    this.#context = context;
    this.#pace = new PaceKeeper(context);
    this.#state = {
      list: idlePolledList,
      thread: null,
      listStep: null,
      wantedPages: [],
      pageAllowance: firstPagesAtStart,
      postponedPages: new Map(),
      againPages: new Map(),
      checks: new Map(),
      isFocused: true,
      lastActivity: context.clock.monotonic(),
      pace: this.#pace.paceFor(null),
    };
  }

  get state(): PollState {
    return this.#state;
  }

  update(patch: Partial<PollState>): void {
    this.#state = { ...this.#state, ...patch };
  }

  updateList(patch: Partial<PolledListState>): void {
    this.update({ list: { ...this.#state.list, ...patch } });
  }

  /** Does nothing when another conversation is open by now. */
  updateThread(id: ConversationId, patch: Partial<PolledState>): void {
    const { thread } = this.#state;
    if (thread?.id === id) this.update({ thread: { ...thread, ...patch } });
  }

  /** Polls more often for a while. True when that may bring the next poll forward. */
  noteActivity(): boolean {
    const now = this.#context.clock.monotonic();
    if (now - this.#state.lastActivity < activityEveryMs) return false;
    this.update({ lastActivity: now });
    return true;
  }

  /** A conversation had news: it is polled more often for a while if it is open, else the list is. */
  noteNews(id: ConversationId): void {
    this.#pace.noteNews(this.#state.thread?.id === id);
  }

  /** To be called when a request leaves. */
  spend(): void {
    this.#pace.spend();
  }

  /** Takes over what was spent and learned since. */
  updatePace(): void {
    this.update({ pace: this.#pace.paceFor(this.#state.thread?.id ?? null) });
  }

  /** Makes this the open conversation. If the former one could not be read, its page is wanted in the background. */
  open(id: ConversationId | null): void {
    const { thread, wantedPages } = this.#state;
    const left = thread !== null && this.#failures.has(thread.id) ? [thread.id] : [];
    const wanted = [...wantedPages, ...left].filter((other) => other !== id);
    if (id !== null) this.#setPostponed(id, null);
    this.update({ thread: id === null ? null : { ...idlePolled, id }, wantedPages: [...new Set(wanted)] });
  }

  /**
   * Wants the newest pages of these once, the open conversation's with its own next poll. One that could not be read is
   * left out until something has happened in it.
   */
  wantPages(listed: readonly ConversationId[]): void {
    const ids = listed.filter((id) => this.#unreadable.get(id) !== this.#lastActiveAt(id));
    if (ids.length === 0) return;
    const openId = this.#state.thread?.id;
    if (openId !== undefined && ids.includes(openId)) this.updateThread(openId, { isDue: true });
    const { wantedPages } = this.#state;
    const first = wantedPages.filter((id) => this.#shown.has(id) && id !== openId);
    const wanted = [...ids, ...wantedPages].filter((id) => id !== openId && !first.includes(id));
    this.update({ wantedPages: [...first, ...mostActiveFirst(stateOf(this.#context), wanted)] });
  }

  /** As `wantPages`, before all others and as many at once as after the first list: the user sees these conversations. */
  wantPagesFirst(shown: readonly ConversationId[]): void {
    const { thread, wantedPages, pageAllowance } = this.#state;
    const ids = shown.filter((id) => id !== thread?.id && this.#unreadable.get(id) !== this.#lastActiveAt(id));
    const atOnce = Math.min(firstPagesAtStart, ids.length);
    this.#shown = new Set(ids);
    this.update({
      wantedPages: [...new Set([...ids, ...wantedPages])],
      pageAllowance: Math.max(pageAllowance, atOnce),
    });
  }

  /** To be called when the server does not show the messages of this conversation. */
  refusePage(id: ConversationId): void {
    this.#unreadable.set(id, this.#lastActiveAt(id));
  }

  #lastActiveAt(id: ConversationId): number | null {
    return stateOf(this.#context).cache.conversations.get(id)?.lastActiveAt ?? null;
  }

  /** To be called when the page is asked for. */
  takePage(id: ConversationId): void {
    const { wantedPages, pageAllowance } = this.#state;
    this.update({ wantedPages: wantedPages.filter((other) => other !== id), pageAllowance: pageAllowance - 1 });
    this.#setPostponed(id, null);
  }

  /** To be called when the page could not be read. It is requested again later, without delaying other pages. */
  postponePage(id: ConversationId): void {
    const now = this.#context.clock.monotonic();
    this.refusePage(id);
    this.#setPostponed(id, now + postponedFactor * (this.recordFailure(id) - now));
  }

  /** Wants the newest page at this moment, on the monotonic clock, unless a reading begins then or later. */
  wantPageAgain(id: ConversationId, at: number): void {
    this.update({ againPages: new Map([...this.#state.againPages, [id, at]]) });
  }

  /** To be called when a reading of the conversation begins. */
  beginReading(id: ConversationId): void {
    const at = this.#state.againPages.get(id);
    if (at === undefined || at > this.#context.clock.monotonic()) return;
    this.update({ againPages: new Map([...this.#state.againPages].filter(([other]) => other !== id)) });
  }

  #setPostponed(id: ConversationId, at: number | null): void {
    const postponedPages = new Map(this.#state.postponedPages);
    if (at === null) postponedPages.delete(id);
    else postponedPages.set(id, at);
    this.update({ postponedPages });
  }

  allowMorePages(): void {
    this.update({ pageAllowance: Math.min(firstPagesAtStart, this.#state.pageAllowance + pagesPerPoll) });
  }

  /** Returns when the next try may leave, on the monotonic clock. */
  recordFailure(resource: string): number {
    const count = (this.#failures.get(resource) ?? 0) + 1;
    this.#failures.set(resource, count);
    return this.#context.clock.monotonic() + backoffMs(count, this.#context.random);
  }

  recordSuccess(resource: string): void {
    this.#failures.delete(resource);
    this.#unreadable.delete(resource);
  }

  /** Forgets all failures and makes the list and the open thread due. */
  resetBackoff(): void {
    this.#failures.clear();
    this.#unreadable.clear();
    this.update({ postponedPages: new Map([...this.#state.postponedPages.keys()].map((id) => [id, 0])) });
    this.updateList({ isDue: true, notBefore: 0 });
    const { thread } = this.#state;
    if (thread !== null) this.updateThread(thread.id, { isDue: true, notBefore: 0 });
  }

  watch(id: ConversationId, endedAt: number): void {
    this.#watches.set(id, { endedAt, checks: 0, checkedAt: endedAt });
    this.#scheduleChecks();
  }

  unwatch(id: ConversationId): void {
    if (this.#watches.delete(id)) this.#scheduleChecks();
  }

  isWatched(id: ConversationId): boolean {
    return this.#watches.has(id);
  }

  /** To be called when a reading of the conversation has ended: where it is watched, the reading was a check. */
  recordCheck(id: ConversationId): void {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    const checkedAt = this.#context.clock.monotonic();
    this.#watches.set(id, { ...watch, checks: watch.checks + 1, checkedAt });
    this.#scheduleChecks();
  }

  #scheduleChecks(): void {
    const times = [...this.#watches].map(
      ([id, { endedAt, checks, checkedAt }]) => [id, nextCheck(endedAt, checks, checkedAt)] as const,
    );
    this.update({ checks: new Map(times) });
  }
}

/** How many newest pages may be asked for after the first list, and how many more after every later one. */
const firstPagesAtStart = 30;
const pagesPerPoll = 5;

/**
 * Each conversation once, the last active first. All that were read before are kept, as they show too little until they are
 * read again; those that were never read only among the first `firstPagesAtStart`.
 */
function mostActiveFirst({ cache }: AppState, ids: readonly ConversationId[]): readonly ConversationId[] {
  const activity = (id: ConversationId): number => {
    const conversation = cache.conversations.get(id);
    return conversation === undefined ? 0 : activeAt(conversation, cache.lastMessages);
  };
  const found = [...new Set(ids)].map((id) => ({ id, at: activity(id) }));
  return found
    .sort((a, b) => b.at - a.at)
    .filter(({ id }, index) => index < firstPagesAtStart || cache.lastMessages.has(id))
    .map(({ id }) => id);
}
