/**
 * Decides what of a long list is read besides its newest page: news below that page at once, all the rest in sweeps.
 */
import { usualLimit } from '../../../api/paging/observe.ts';
import type { Services } from '../../services/services.ts';
import { applyRows } from './apply-rows.ts';
import { createSweep, type ListPage, pagesOf, type Sweep } from './background-sweep.ts';
import type { OnMoved } from './poll-list.ts';
import { isLong, type ListPollState, walkDueAt, walkedPageMs } from './poll-state.ts';

/** Pages with news leave no faster than servers and keys can take. */
const catchUpPageMs = 60;
const slowerUnfocused = 3;

export class Rereading {
  readonly #context: Services;
  readonly #memory: ListPollState;
  readonly #onMoved: OnMoved;
  /** The pages of a catch-up that has begun. */
  #pages: ReturnType<typeof pagesOf> | null = null;
  #sweep: Sweep | null = null;
  /** When the next step may leave, on the monotonic clock. */
  #catchUpAt = 0;
  #sweepAt = 0;

  constructor(context: Services, memory: ListPollState, onMoved: OnMoved) {
    this.#context = context;
    this.#memory = memory;
    this.#onMoved = onMoved;
  }

  /** What the next step is and when it is due, on the monotonic clock; null: there is none. */
  next(): { readonly at: number; readonly isCatchUp: boolean } | null {
    if (this.#isCatchingUp()) return { at: this.#catchUpAt, isCatchUp: true };
    if (this.#sweep !== null) return { at: this.#sweepAt, isCatchUp: false };
    if (!isLong(this.#memory) || this.#memory.rest !== null) return null;
    return { at: Math.max(this.#sweepAt, walkDueAt(this.#context, this.#memory)), isCatchUp: false };
  }

  /** Reads one page. Rejects with ApiError. */
  async step(isFocused: boolean): Promise<void> {
    const { monotonic } = this.#context.clock;
    if (this.#isCatchingUp()) {
      await this.#readNews();
      this.#catchUpAt = monotonic() + catchUpPageMs;
      return;
    }
    this.#sweep ??= createSweep(this.#context, this.#memory, this.#onMoved);
    await this.#sweep.step();
    if (this.#sweep.isOver()) this.#sweep = null;
    this.#sweepAt = monotonic() + walkedPageMs * (isFocused ? 1 : slowerUnfocused);
  }

  postpone(until: number): void {
    this.#catchUpAt = Math.max(this.#catchUpAt, until);
    this.#sweepAt = Math.max(this.#sweepAt, until);
  }

  #isCatchingUp(): boolean {
    return this.#pages !== null || this.#memory.hasGap;
  }

  /** The list is newest first: below a row without news there is no news either. */
  async #readNews(): Promise<void> {
    const mark = this.#context.writes.mark();
    if (this.#pages === null) this.#memory.hasGap = false;
    this.#pages ??= pagesOf(this.#context, {}, null);
    try {
      const step = await this.#pages();
      if ('result' in step || !this.#takePage(step.page, mark)) this.#pages = null;
    } catch (error) {
      this.#pages = null;
      this.#memory.hasGap = true;
      throw error;
    }
  }

  /** True when the page below it may bring news, too. */
  #takePage({ rows, place }: ListPage, mark: number): boolean {
    const { moved, neverRead, endsInNews } = applyRows(this.#context, rows, mark);
    this.#onMoved([...moved, ...neverRead]);
    // The newest page has been taken already.
    return endsInNews || place.rowsBefore + rows.length <= usualLimit;
  }
}
