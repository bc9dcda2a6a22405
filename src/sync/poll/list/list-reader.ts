/**
 * Reads the conversation list: its newest page with every poll, the whole of it or the news below that page in readings
 * of a page a step. Conversations with news are handed to the queue of newest pages.
 */
import type { ConversationId } from '../../../protocol/types.ts';
import { showFailure } from '../../services/connection-status.ts';
import { apiError } from '../../services/request.ts';
import type { Services } from '../../services/services.ts';
import type { PollTracker } from '../poll-tracker.ts';
import { stillMs } from '../schedule.ts';
import { ListFreshness } from './freshness.ts';
import { HeldRequest } from './held-request.ts';
import { ListReading, type ReadingMode } from './list-reading.ts';
import { type OnNews, readNewestListPage, takeNewestPage } from './newest-page.ts';
import { emptyListPollState, isLongList, longListPages, perPageMs, readingDueAt, recallReading } from './poll-state.ts';

/** The time between two pages of a long list, for the sake of servers and keys; the first pages leave without it. */
const pageEveryMs = 60;
/** The time between two pages while the user types, so that one key in a hundred waits for a page. */
const pageBesideKeysEveryMs = 500;
/** While the terminal does not have the focus, a sweep is slower by this factor. */
const slowerUnfocused = 3;

export class ListReader {
  readonly freshness: ListFreshness;
  readonly #context: Services;
  readonly #tracker: PollTracker;
  readonly #memory = emptyListPollState();
  readonly #held: HeldRequest;
  /** The reading of the whole list that has begun. */
  #whole: ListReading | null = null;
  /** The reading of the news below the newest page that has begun. */
  #catchUp: ListReading | null = null;
  /** When the last step ended, and when the next may leave after a failure, on the monotonic clock. */
  #steppedAt = Number.NEGATIVE_INFINITY;
  #notBefore = 0;

  constructor(context: Services, tracker: PollTracker) {
    this.#context = context;
    this.#tracker = tracker;
    this.#held = new HeldRequest(context, tracker, this.#memory);
    this.freshness = new ListFreshness(context, () => readNewestListPage(context, this.#memory, this.#onNews));
  }

  /** When the next step of a reading is due, on the monotonic clock; null: there is none. */
  nextStep(): { readonly at: number; readonly isUrgent: boolean } | null {
    const memory = this.#memory;
    const isUrgent = this.#catchUp !== null || memory.hasGap || this.#whole?.mode === 'first';
    const isBegun = isUrgent || this.#whole !== null;
    if (!isBegun && (memory.readingEndedAt === null || !isLongList(memory))) return null;
    const sweepPaceMs = perPageMs * (this.#tracker.state.isFocused ? 1 : slowerUnfocused);
    const at = Math.max(this.#notBefore, this.#steppedAt + (isUrgent ? this.#urgentPaceMs() : sweepPaceMs));
    return { at: isBegun ? at : Math.max(at, readingDueAt(this.#context, memory)), isUrgent };
  }

  /** Polls the list once. Failures are reported in the state. */
  async poll(): Promise<void> {
    const tracker = this.#tracker;
    const mayWait = !tracker.state.list.isDue && !this.#held.isUnderWay && this.#isNewestPageNext();
    this.#held.cancel();
    if (mayWait && this.#held.isPossible()) return this.#waitForNews();
    tracker.updateList({ isDue: false });
    const askedAt = this.#context.clock.monotonic();
    const asking = this.freshness.begin();
    const notBefore = await this.#ask('list', true, async () => {
      await this.#readNews((ids) => {
        asking.seen();
        this.#onNews(ids);
      });
      asking.seen();
      tracker.allowMorePages();
    });
    asking.end();
    this.#endPoll(notBefore, askedAt);
  }

  /** Polls the list with a request that the server may hold until there is news. */
  async #waitForNews(): Promise<void> {
    const [context, tracker] = [this.#context, this.#tracker];
    const held = await this.#held.ask();
    if (held === null) return;
    if (tracker.state.list.isInFlight) {
      // The page that is being read may be older than this answer.
      tracker.updateList({ isDue: !('notModified' in held.answer) });
      return;
    }
    const notBefore = await this.#ask('list', true, () =>
      takeNewestPage(context, this.#memory, held.answer, held.mark, (ids) => {
        this.#onNews(ids);
        context.wake();
      }),
    );
    tracker.allowMorePages();
    this.#endPoll(notBefore, held.askedAt);
  }

  #endPoll(notBefore: number, askedAt: number): void {
    const heldFrom = this.#held.isHolding() ? askedAt : null;
    this.#tracker.updateList({ lastAsked: this.#context.clock.monotonic(), notBefore, heldFrom });
  }

  resetBackoff(): void {
    this.#notBefore = 0;
  }

  /**
   * Reads the list at once: all of it, or, where it is long and was read before, its newest pages up to the first that
   * brings no news. For programs that do not poll. Rejects with ApiError.
   */
  async readNow(): Promise<void> {
    const [context, memory] = [this.#context, this.#memory];
    recallReading(context, memory);
    const isKnown = memory.readingEndedAt !== null && (isLongList(memory) || memory.isWholeList);
    if (isKnown) await readNewestListPage(context, memory, this.#onNews);
    if (memory.isWholeList) return;
    if (!isKnown || !isLongList(memory)) return this.#takeAllSteps(this.#begin('first'));
    if (!memory.hasGap) return;
    memory.hasGap = false;
    await this.#takeAllSteps(this.#begin('catch-up'));
  }

  async #takeAllSteps(reading: ListReading): Promise<void> {
    while (!reading.isOver) await reading.step();
  }

  /** Takes one step of a reading. Failures are reported in the state. */
  async takeStep(): Promise<void> {
    const reading = this.#current();
    this.#notBefore = await this.#ask('list-step', reading.mode === 'first', () => this.#step(reading));
  }

  /** Makes a request for the list. Resolves to when it may be repeated after a failure, on the monotonic clock. */
  async #ask(resource: string, isList: boolean, ask: () => Promise<void>): Promise<number> {
    const tracker = this.#tracker;
    tracker.updateList({ isInFlight: true });
    let notBefore = 0;
    let isFailed = false;
    try {
      await ask();
      tracker.recordSuccess(resource);
    } catch (error) {
      const failure = apiError(error);
      if (failure.kind !== 'aborted') notBefore = tracker.recordFailure(resource);
      // The header shows the failure until the list was read, so the list is asked for again sooner than at rest.
      isFailed = resource === 'list';
      showFailure(this.#context, failure, { notBefore, isList });
    }
    const isDue = tracker.state.list.isDue || this.#memory.isStale || isFailed;
    this.#memory.isStale = false;
    tracker.updateList({ isInFlight: false, isDue });
    return notBefore;
  }

  /** Reads the newest page, or the first one of the whole list when that is due. */
  async #readNews(onNews: OnNews): Promise<void> {
    const [context, memory] = [this.#context, this.#memory];
    recallReading(context, memory);
    const isNewestPage = this.#isNewestPageNext() || memory.recalled !== null || this.#whole?.mode === 'first';
    if (isNewestPage) return readNewestListPage(context, memory, onNews);
    this.#whole = this.#begin('first');
    return this.#step(this.#whole);
  }

  /** Whether the next poll reads the newest page, and not the first one of the whole list. */
  #isNewestPageNext(): boolean {
    const [context, memory] = [this.#context, this.#memory];
    return (
      memory.readingEndedAt !== null &&
      (isLongList(memory) || context.clock.monotonic() < readingDueAt(context, memory))
    );
  }

  /** The reading whose turn it is. News come first. */
  #current(): ListReading {
    if (this.#catchUp === null && this.#memory.hasGap) {
      this.#memory.hasGap = false;
      this.#catchUp = this.#begin('catch-up');
    }
    if (this.#catchUp !== null) return this.#catchUp;
    this.#whole ??= this.#begin('sweep');
    return this.#whole;
  }

  async #step(reading: ListReading): Promise<void> {
    try {
      await reading.step();
    } finally {
      this.#steppedAt = this.#context.clock.monotonic();
      if (this.#catchUp?.isOver === true) this.#catchUp = null;
      if (this.#whole?.isOver === true) this.#whole = null;
    }
  }

  #begin(mode: ReadingMode): ListReading {
    return new ListReading(mode, this.#context, this.#memory, this.#onNews);
  }

  #urgentPaceMs(): number {
    if (this.#catchUp === null && (this.#whole?.pages ?? 0) <= longListPages) return 0;
    return this.#context.quietForMs() < stillMs ? pageBesideKeysEveryMs : pageEveryMs;
  }

  readonly #onNews = (ids: readonly ConversationId[]): void => this.#tracker.wantPages(ids);
}
