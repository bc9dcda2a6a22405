/**
 * Reads the conversation list, a page a step. Between two steps no request is under way.
 *
 *     plain list, in walks of at most 5 minutes (R-PAGE) ──► archived ones, if it shows none ──► absent ones (sweep)
 *         └── the place to go on from is refused: the reading is over, and the next one begins at the start
 *
 * A sweep does not prove that a conversation is absent, because rows move while it goes on. The server is asked about
 * each conversation that was on no page.
 */
import { usualLimit } from '../../../api/paging/observe.ts';
import type { ListPage, WalkedConversations } from '../../../api/paging/paging.ts';
import { isAddressable } from '../../../protocol/fields.ts';
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import { opsOf } from '../../../state/local/outbox.ts';
import { countUnsent } from '../../../state/local/unsent-text.ts';
import { setListRest } from '../../../state/view/connection.ts';
import { isConfirmed } from '../../read/absent-items.ts';
import { isUnknownFilter, pagesOf } from '../../read/full-list.ts';
import { isConversationGone } from '../../read/read-conversation.ts';
import { asOnline } from '../../services/connection-status.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { applyRows } from './apply-rows.ts';
import { removeGoneConversation } from './detect-removed.ts';
import { applyReading, type OnNews } from './newest-page.ts';
import { type ListPollState, mostListRows, rememberReading } from './poll-state.ts';

/**
 * - `first`: the whole list, when little or nothing is known of it in this run.
 * - `catch-up`: the newest pages, until one ends in a row without news.
 * - `sweep`: the whole of a long list that was read before. Only this finds changes that others made to it without
 *   activity: archiving, pinning, deleting.
 */
export type ReadingMode = 'first' | 'catch-up' | 'sweep';

/** After this many pages the list says that it is still being read, and a reading that fails goes on where it was. */
const resumedPages = 5;
const comparedInStep = 2_000;
const askedInSweep = 100;
/** A conversation that still existed is not asked about again within this time. */
const confirmedForMs = 24 * 3_600_000;

export class ListReading {
  readonly mode: ReadingMode;
  /** Pages that were read, of both lists. */
  pages = 0;
  readonly #context: Services;
  readonly #memory: ListPollState;
  readonly #onNews: OnNews;
  /** From the write tracker, before the first request. */
  readonly #mark: number;
  /** The conversations that were known when the reading began, and those of them not yet looked for in `seen`. */
  readonly #known: ReadonlyMap<ConversationId, Conversation>;
  readonly #unchecked: Iterator<ConversationId>;
  readonly #seen = new Set<ConversationId>();
  #stage: 'plain' | 'archived' | 'absent' | 'over' = 'plain';
  /** Pages of the plain list, once that was read. */
  #plainPages = 0;
  #walk: ReturnType<typeof pagesOf> | null = null;
  /** Where the reading continues after a failure or at the end of a walk. */
  #rest: ListPage['position'] | null = null;
  /** Whether the plain list has the archived conversations too: it shows some, or a check in this run found none missing. */
  #isPlainAll: boolean;
  /** The plain list was read to its end. */
  #isEnd = false;
  #isComplete = true;
  /** A walk went on where another one had stopped, so rows may have been left out between the two. */
  #isResumed = false;
  /** Whether no row was left out between the pages, as far as the pages show. */
  #isGapless = true;
  #asked = 0;

  constructor(mode: ReadingMode, context: Services, memory: ListPollState, onNews: OnNews) {
    this.mode = mode;
    this.#context = context;
    this.#memory = memory;
    this.#onNews = onNews;
    this.#mark = context.writes.mark();
    this.#known = stateOf(context).cache.conversations;
    this.#unchecked = this.#known.keys();
    this.#isPlainAll =
      mode === 'first' && memory.readingEndedAt !== null && memory.hasEndedReading && !memory.leavesOutArchived;
  }

  /** The plain list was read from its beginning to its end, in one go; rows may have moved between its pages meanwhile. */
  get #isReadThrough(): boolean {
    return this.#isEnd && !this.#isResumed;
  }

  get isOver(): boolean {
    return this.#stage === 'over';
  }

  /**
   * Makes one request as a rule, or none; a few where the server's paging has to be found out, or where a first reading ends
   * and conversations are missing from the list. Rejects with ApiError.
   */
  async step(): Promise<void> {
    if (this.#stage === 'absent') return this.#askAboutAbsent();
    const mark = this.#context.writes.mark();
    this.#isResumed ||= this.#walk === null && this.#rest !== null;
    this.#walk ??= pagesOf(this.#context, this.#stage === 'archived' ? { archived: true } : {}, this.#rest);
    let step: IteratorResult<ListPage, WalkedConversations>;
    try {
      step = await this.#walk.next();
    } catch (error) {
      this.#walk = null;
      return this.#fail(error);
    }
    if (step.done === true) return this.#endWalk(step.value);
    const isIgnoringFilter =
      this.#stage === 'archived' && step.value.rows.some(({ archivedAt }) => archivedAt === null);
    // This is the plain list again, which was read just now.
    return isIgnoringFilter ? this.#endList() : this.#take(step.value, mark);
  }

  async #fail(error: unknown): Promise<void> {
    const [memory, mode] = [this.#memory, this.mode];
    const isRefused = isUnknownFilter(error);
    const isPlaceRefused = this.#rest !== null && isRefused;
    if (this.#stage === 'archived' && isRefused) {
      // The server does not know the filter, or the rest of the list cannot be read.
      if (isPlaceRefused) this.#isEnd = this.#isComplete = this.#isGapless = false;
      return this.#endList();
    }
    const startsOver = mode === 'catch-up' || (mode === 'first' && this.pages < resumedPages);
    if (isPlaceRefused || startsOver) this.#stage = 'over';
    if (mode === 'catch-up') memory.hasGap = true;
    else if (startsOver) memory.readingEndedAt = null;
    // A server that never lets a walk go on must not be read from the start without end.
    else if (isPlaceRefused && memory.readingEndedAt !== null) memory.readingEndedAt = this.#context.clock.monotonic();
    if (startsOver || !isPlaceRefused) throw error;
  }

  #take({ rows, position }: ListPage, mark: number): void {
    const { mode } = this;
    this.#rest = position;
    if (this.#stage === 'archived') this.#memory.leavesOutArchived ||= rows.some(({ id }) => !this.#seen.has(id));
    else this.#isPlainAll ||= rows.some(({ archivedAt }) => archivedAt !== null);
    if (rows.length > 0) this.pages = this.#plainPages + position.number;
    const { moved, outdated, neverRead, endsInNews } = applyRows(this.#context, rows, mark);
    const { conversations } = stateOf(this.#context).cache;
    // The ids are the strings of the state, because a second copy of every id would take some megabytes.
    for (const { id } of rows) this.#seen.add(conversations.get(id)?.id ?? id);
    this.#onNews(
      mode === 'sweep' ? moved : [...moved, ...(this.#memory.hasEndedReading ? [] : outdated), ...neverRead],
    );
    this.#memory.isAnswered = true;
    // The list is newest first: below a row without news there is none. The newest page has been taken already.
    if (mode === 'catch-up' && !endsInNews && position.rowsBefore + rows.length > usualLimit) this.#stage = 'over';
    if (mode !== 'first' || this.pages < resumedPages) return;
    const online = asOnline(this.#context);
    update(this.#context, (state) => setListRest('coming')(online(state)));
  }

  /** A walk ended: at the end of a list, or where the next walk goes on. */
  async #endWalk({ resumeAt, isEnd, isGapless, complete }: WalkedConversations): Promise<void> {
    this.#walk = null;
    this.#isComplete &&= complete;
    this.#isGapless &&= isGapless && (isEnd || resumeAt !== null);
    if (this.#stage === 'plain') this.#isEnd = isEnd;
    this.#rest = resumeAt !== null && resumeAt.rowsBefore < mostListRows ? resumeAt : null;
    if (this.#rest === null) return this.#endList();
    if (this.mode === 'catch-up') return;
    rememberReading(this.#context, this.#memory, Math.max(this.pages, this.#memory.pagesRead), false);
  }

  async #endList(): Promise<void> {
    const [context, memory, mode] = [this.#context, this.#memory, this.mode];
    this.#walk = null;
    this.#rest = null;
    if (mode === 'catch-up' || (this.#stage === 'plain' && !this.#isPlainAll)) {
      this.#stage = mode === 'catch-up' ? 'over' : 'archived';
      this.#plainPages = this.pages;
      return;
    }
    rememberReading(context, memory, this.pages, this.#isEnd);
    this.#stage = mode === 'sweep' && (this.#isGapless || this.#isReadThrough) ? 'absent' : 'over';
    if (mode === 'sweep') return;
    const [isComplete, isEnd] = [this.#isComplete, this.#isComplete || this.#isReadThrough];
    if (!isComplete) update(context, setListRest(this.#isEnd ? 'none' : 'missing'));
    await applyReading(context, memory, {
      ids: this.#seen,
      isComplete,
      isEnd,
      mark: this.#mark,
      includesArchived: true,
    });
  }

  /** Asks about one conversation that was known before the reading and was on no page, if there is any. */
  async #askAboutAbsent(): Promise<void> {
    const context = this.#context;
    for (let compared = 0; compared < comparedInStep; compared++) {
      const { value: id, done } = this.#unchecked.next();
      if (done === true || this.#asked >= askedInSweep) {
        this.#stage = 'over';
        return;
      }
      if (!this.#isSuspect(id)) continue;
      this.#asked += 1;
      const now = context.clock.monotonic();
      if (await isConversationGone(context, id)) removeGoneConversation(context, this.#memory, id);
      else this.#memory.confirmed.set(id, now);
      return;
    }
  }

  #isSuspect(id: ConversationId): boolean {
    const state = stateOf(this.#context);
    return (
      !this.#seen.has(id) &&
      isAddressable(id) &&
      // Otherwise another answer has shown it meanwhile.
      state.cache.conversations.get(id) === this.#known.get(id) &&
      (opsOf(state, id).length === 0 || countUnsent(state, id) > 0) &&
      !isConfirmed(this.#memory.confirmed, id, this.#context.clock.monotonic(), confirmedForMs)
    );
  }
}
