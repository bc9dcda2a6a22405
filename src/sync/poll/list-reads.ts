/** Reads the conversation list: the poll of the list itself, and the background reading of a long one. */
import type { ConversationId } from '../../protocol/types.ts';
import { showFailure } from '../services/connection-status.ts';
import { apiError } from '../services/request.ts';
import { type Services, stateOf } from '../services/services.ts';
import { Rereading } from './list/catch-up.ts';
import { ListFreshness } from './list/freshness.ts';
import { pullFirstPage, pullList } from './list/poll-list.ts';
import { emptyListPollState } from './list/poll-state.ts';
import { createPageRounds } from './newest-page-queue.ts';
import type { PollBooks } from './poll-books.ts';

/** Starts readings of the list. Conversations with news are handed to the queue of newest pages. */
export class ListReads {
  readonly freshness: ListFreshness;
  readonly #context: Services;
  readonly #books: PollBooks;
  /** When each conversation was last read, on the monotonic clock. */
  readonly #readAt: ReadonlyMap<ConversationId, number>;
  readonly #memory = emptyListPollState();
  readonly #rereading: Rereading;
  readonly #nextRound = createPageRounds();

  constructor(context: Services, books: PollBooks, readAt: ReadonlyMap<ConversationId, number>) {
    this.#context = context;
    this.#books = books;
    this.#readAt = readAt;
    this.freshness = new ListFreshness(context, () => pullFirstPage(context, this.#memory, this.#onMoved));
    this.#rereading = new Rereading(context, this.#memory, this.#onMoved);
  }

  /** What the background reading wants next; null when it wants nothing. */
  nextReread(): ReturnType<Rereading['next']> {
    return this.#rereading.next();
  }

  /** Polls the list once. Failures stand in the state. */
  async poll(): Promise<void> {
    const books = this.#books;
    books.updateList({ isInFlight: true, isDue: false });
    let notBefore = 0;
    let isDue = false;
    const reading = this.freshness.begin();
    try {
      isDue = await pullList(this.#context, this.#memory, (moved) => {
        reading.seen();
        this.#onMoved(moved);
      });
      reading.seen();
      books.recordSuccess('list');
      books.allowMorePages();
      if (books.state.wantedPages.length === 0) this.#wantNextRound();
    } catch (error) {
      const failure = apiError(error);
      notBefore = books.recordFailure('list');
      showFailure(this.#context, failure, notBefore, true);
    }
    reading.end();
    isDue ||= books.state.list.isDue;
    books.updateList({ isInFlight: false, lastAsked: this.#context.clock.monotonic(), notBefore, isDue });
  }

  /** Takes one step of the background reading. Failures stand in the state. */
  async reread(): Promise<void> {
    const books = this.#books;
    books.updateList({ isInFlight: true });
    try {
      await this.#rereading.step(books.state.isFocused);
      books.recordSuccess('reread');
    } catch (error) {
      const failure = apiError(error);
      const notBefore = books.recordFailure('reread');
      this.#rereading.postpone(notBefore);
      showFailure(this.#context, failure, notBefore, false);
    }
    books.updateList({ isInFlight: false });
  }

  readonly #onMoved = (moved: readonly ConversationId[]): void => this.#books.wantPages(moved);

  #wantNextRound(): void {
    this.#onMoved(this.#nextRound(stateOf(this.#context), this.#readAt, this.#context.clock.monotonic()));
  }
}
