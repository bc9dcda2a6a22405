/** Reads the newest pages of conversations: the open one's at its own pace, others' once each in the background. */
import type { ApiError } from '../../../api/errors.ts';
import type { ConversationId, MessageId, Millis } from '../../../protocol/types.ts';
import { opsOf } from '../../../state/local/outbox.ts';
import { isToRepeat } from '../../../state/model/op-state.ts';
import { setLoading, setUnreadable } from '../../../state/view/connection.ts';
import { isYoungConversation } from '../../read/read-conversation.ts';
import { showFailure } from '../../services/connection-status.ts';
import type { PageObserver } from '../../services/page-observer.ts';
import { apiError } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import type { PollTracker } from '../poll-tracker.ts';
import type { Viewing } from './arrived-messages.ts';
import { reportOpened } from './open-conversation.ts';
import { loadPinned, mayTellRead, missingPinned, retrievePinned } from './pinned-message.ts';
import { emptyThreadPollState, readThread, type ThreadResult } from './poll-thread.ts';

/** A conversation read within this time is not read again before a message is sent to it. */
const freshMs = 5_000;
/** A thread whose reading takes more than `freePages` pages is read once in so many milliseconds for each of them. */
const perPageMs = 1_000;
const freePages = 2;

/**
 * How old the newest message of a page may be for the page to be read again: another message in the same second leaves the
 * list as it is, since its times are whole seconds (API document §2.2). One second more for the way, and for clocks that differ.
 */
const recentMs = 2_000;
/** A page whose newest message is that recent is read again after this time, when its second is over. */
const againAfterMs = 1_100;

const goneText = 'the server finds nothing here (404): the conversation may be gone, or you may have left it';

/** Starts readings and keeps those of one conversation in order. */
export class ThreadReader {
  readonly #context: Services;
  readonly #tracker: PollTracker;
  readonly #observers: readonly PageObserver[];
  readonly #memory = emptyThreadPollState();
  /** The last reading of each conversation that is under way: the next one waits for it. */
  readonly #chains = new Map<ConversationId, Promise<unknown>>();
  /** Conversations whose reading under way another reading waits for. */
  readonly #awaited = new Set<ConversationId>();
  /** The reading of the open conversation. It is abandoned when the user leaves that conversation. */
  #openRead: { readonly id: ConversationId; readonly abort: AbortController } | null = null;
  /** The open conversation, once its newest page has been read since it was opened. */
  #caughtUp: ConversationId | null = null;
  /** The pinned messages that the server was asked for. */
  readonly #askedPinned = new Map<ConversationId, MessageId>();
  #isReadingPage = false;

  constructor(context: Services, tracker: PollTracker, observers: readonly PageObserver[]) {
    this.#context = context;
    this.#tracker = tracker;
    this.#observers = observers;
  }

  /** One page is read in the background at a time. */
  get isReadingPage(): boolean {
    return this.#isReadingPage;
  }

  /** Polls the open conversation once. Failures are reported in the state. */
  async pollOpen(id: ConversationId): Promise<void> {
    const { clock } = this.#context;
    this.#tracker.updateThread(id, { isInFlight: true, isDue: false });
    let notBefore = 0;
    let isDue = false;
    /** Null while the server has not answered. */
    let isReadNow: boolean | null = null;
    const abort = new AbortController();
    this.#openRead = { id, abort };
    try {
      const { isRead, isStale, pages } = await this.#read(id, abort.signal);
      isDue = isStale;
      isReadNow = isRead;
      if (pages > freePages) notBefore = clock.monotonic() + pages * perPageMs;
    } catch (error) {
      // An error that is not one of the API is a bug, and is thrown again here.
      apiError(error);
      if (abort.signal.aborted) return;
      notBefore = this.#showThreadFailure(id, error);
    } finally {
      if (this.#openRead?.abort === abort) this.#openRead = null;
    }
    isDue ||= this.#tracker.state.thread?.isDue === true;
    this.#tracker.updateThread(id, { isInFlight: false, lastAsked: clock.monotonic(), notBefore, isDue });
    if (isReadNow === null) return;
    await this.#report(id, isReadNow);
    await this.#readPinned(id);
  }

  /** Asks for the pinned message once, where neither the thread nor the disk has it. */
  async #readPinned(id: ConversationId): Promise<void> {
    loadPinned(this.#context, id);
    const state = stateOf(this.#context);
    const pinned = missingPinned(state, id);
    if (pinned === null || this.#askedPinned.get(id) === pinned || !mayTellRead(state, id)) return;
    this.#askedPinned.set(id, pinned);
    this.#tracker.spend();
    await retrievePinned(this.#context, id, pinned);
  }

  /** Tells the server what was read just now, and what was read while it could not be reached. */
  async #report(id: ConversationId, isReadNow: boolean): Promise<void> {
    const { view, cache, settings } = stateOf(this.#context);
    const isOwed = view.unreported === id && view.openId === id && view.isPeeking !== true && !cache.unread.has(id);
    if (!settings.revealReading || !(isReadNow || isOwed)) return;
    this.#tracker.spend();
    await reportOpened(this.#context, id);
  }

  /** Reads a page that the queue of newest pages, or a check of the history, wants. Failures are reported in the state. */
  async readPage(id: ConversationId): Promise<void> {
    const { clock } = this.#context;
    this.#isReadingPage = true;
    this.#tracker.takePage(id);
    try {
      await this.#read(id);
    } catch (error) {
      const failure = apiError(error);
      if (failure.kind === 'not-found' || failure.kind === 'forbidden') {
        // Reads may not show a conversation yet that was created a moment ago.
        if (isYoungConversation(this.#context, id)) this.#tracker.postponePage(id);
        else this.#tracker.refusePage(id);
        return;
      }
      this.#tracker.postponePage(id);
      this.#showInHeader(failure, clock.monotonic());
    } finally {
      this.#isReadingPage = false;
    }
  }

  /**
   * Whether another message may follow within the same second as the newest one, by the clock here or by that of the
   * server, which may be behind.
   */
  #mayHaveMore(id: ConversationId, serverDate: Millis | null): boolean {
    const newestAt = stateOf(this.#context).cache.lastMessages.get(id)?.createdAt ?? 0;
    const now = this.#context.clock.now();
    return Math.min(now, serverDate ?? now) - newestAt < recentMs;
  }

  /**
   * Reads the newest page unless it was read in the last seconds. It is always read before a message is sent once more, which
   * may have arrived since. Rejects with ApiError.
   */
  async ensureFresh(id: ConversationId): Promise<void> {
    const began = this.#memory.lastReadingAt.get(id);
    const isFresh = began !== undefined && this.#context.clock.monotonic() - began < freshMs;
    if (!isFresh || opsOf(stateOf(this.#context), id).some(isToRepeat)) await this.#read(id);
  }

  /**
   * The user goes to another conversation, or to none: the request for the one that was open must not delay the next
   * one (R-POLL). Its page is wanted in the background instead.
   */
  abandon(next: ConversationId | null): void {
    if (next !== this.#caughtUp) this.#caughtUp = null;
    const read = this.#openRead;
    if (read === null || read.id === next) return;
    const { id, abort } = read;
    if (this.#tracker.isWatched(id) || this.#awaited.has(id)) return;
    this.#openRead = null;
    this.#chains.delete(id);
    abort.abort();
    update(this.#context, setLoading(id, false));
    this.#tracker.update({ wantedPages: [...this.#tracker.state.wantedPages, id] });
  }

  async #read(id: ConversationId, abort?: AbortSignal): Promise<ThreadResult> {
    const before = this.#chains.get(id);
    if (before !== undefined) this.#awaited.add(id);
    this.#tracker.beginReading(id);
    const mine = this.#readAfter(before, id, abort);
    this.#chains.set(id, mine);
    try {
      const result = await mine;
      this.#tracker.recordSuccess(id);
      if (result.hasNews) {
        this.#tracker.noteNews(id);
        if (this.#mayHaveMore(id, result.serverDate))
          this.#tracker.wantPageAgain(id, (this.#memory.lastReadingAt.get(id) ?? 0) + againAfterMs);
      }
      return result;
    } finally {
      if (this.#chains.get(id) === mine) {
        this.#chains.delete(id);
        this.#awaited.delete(id);
      }
      this.#tracker.recordCheck(id);
    }
  }

  /** A failure of the reading before is the answer to this one too: asking again at once would add to the trouble. */
  async #readAfter(
    before: Promise<unknown> | undefined,
    id: ConversationId,
    abort: AbortSignal | undefined,
  ): Promise<ThreadResult> {
    const context = this.#context;
    const scoped = abort === undefined ? context : { ...context, signal: AbortSignal.any([context.signal, abort]) };
    if (before !== undefined) await before;
    const isOpen = (): boolean => this.#tracker.state.thread?.id === id;
    const wasOpen = isOpen();
    const viewing = (): Viewing => ({
      isFocused: this.#tracker.state.isFocused,
      isOpening: isOpen() && this.#caughtUp !== id,
    });
    const result = await readThread(scoped, this.#memory, id, viewing, this.#observers);
    if (wasOpen && isOpen()) this.#caughtUp = id;
    return result;
  }

  /** Returns when the next poll may leave. */
  #showThreadFailure(id: ConversationId, error: unknown): number {
    const failure = apiError(error);
    if (failure.kind === 'aborted') return 0;
    const notBefore = this.#tracker.recordFailure(id);
    const isGone = failure.kind === 'not-found' && !isYoungConversation(this.#context, id);
    const text = isGone ? goneText : failure.message;
    const { clock } = this.#context;
    const began = this.#memory.lastReadingAt.get(id) ?? null;
    const lastReadAt = began === null ? null : clock.now() - (clock.monotonic() - began);
    update(this.#context, (state) => setLoading(id, false)(setUnreadable(id, text, lastReadAt)(state)));
    this.#showInHeader(failure, notBefore);
    return notBefore;
  }

  /** Reports the failure. The header shows it until the list was read, so the list is asked for as soon as possible. */
  #showInHeader(failure: ApiError, notBefore: number): void {
    showFailure(this.#context, failure, { notBefore, isList: false });
    if (stateOf(this.#context).view.connection.status === 'offline') this.#tracker.updateList({ isDue: true });
  }
}
