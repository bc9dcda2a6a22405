/** Goes through a list page by page, and finds out by GETs alone how this server gives the next page (R-PAGE). */
import type { PagingWay } from '../../protocol/capabilities.ts';
import type { Page } from '../../protocol/types.ts';
import { ApiError } from '../errors.ts';
import { defaultLimit, isRefusal, type ListSource, pageOf } from './list-source.ts';
import {
  candidateStrategies,
  hintStrategy,
  noStrategy,
  type PagePosition,
  type PagingStrategy,
  type ReachedPage,
  rowsOf,
  strategyOf,
} from './strategy.ts';

const maxPages = 1000;
const maxDurationMs = 5 * 60 * 1000;
/** A list that has more after this many pages counts as long, and is asked for in larger pages. */
const manyPages = 4;

export type Step<T> =
  /** `fresh`: the rows of the page that no page before had. */
  | { readonly kind: 'page'; readonly page: Page<T>; readonly fresh: readonly T[] }
  /** `isSure`: the server said that there is no more, or its page was clearly not full. */
  | { readonly kind: 'end'; readonly isSure: boolean }
  | { readonly kind: 'stopped'; readonly reason: 'no-way' | 'no-progress' | 'page-limit' | 'time-limit' };

export interface WalkOptions<T> {
  readonly source: ListSource<T>;
  /** The way that was observed before; undefined when none was. */
  readonly way: PagingWay | undefined;
  /** The first page of the walk, which the caller has read, and its position. */
  readonly first: Page<T>;
  readonly position: PagePosition;
  readonly isNewestFirst: boolean;
  /** The largest `limit` to ask for in a long list; by default the limit of the first page. */
  readonly mostRows?: number;
  readonly maxPages?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/**
 * The decisions of a walk:
 *
 *     first page ──► hint in it? ──► known way ──► probe: starting_after, after, before, page, offset, larger limit
 *                        │               │              │ all ids new: the way is known      │ none works
 *                        └─── page ◄─────┴──────────────┘                                    └► stopped: no-way
 *
 * In a long list, a way that allows it is followed in pages of twice the rows for as long as the server gives them.
 * When the known way is refused or repeats its rows, every way is probed once more. The walk stops after two pages in
 * a row without a new id, after 1000 pages, and after five minutes.
 */
export class PageWalker<T extends { readonly id: string }> {
  readonly #options: WalkOptions<T>;
  readonly #clock: () => number;
  readonly #startedAt: number;
  readonly #seen: Set<string>;
  #strategy: PagingStrategy | undefined;
  #page: Page<T>;
  #position: PagePosition;
  #lastIds: readonly string[];
  #pages = 1;
  /** Pages in a row that brought no new row. */
  #repeatedPages = 0;
  #hasProbed = false;
  #mayGrow = true;
  #grownTo: number | null = null;

  constructor(options: WalkOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#startedAt = this.#clock();
    this.#seen = new Set(options.first.items.map((item) => item.id));
    const known = options.way === undefined ? undefined : strategyOf(options.way);
    this.#strategy = options.first.next === null ? known : hintStrategy;
    this.#page = options.first;
    this.#position = options.position;
    this.#lastIds = lastIdsOf(options.first.items, []);
  }

  /** The strategy that works; undefined while none had to be found. */
  get strategy(): PagingStrategy | undefined {
    return this.#strategy;
  }
  /** The way of `strategy`, as it is written down as a capability. */
  get way(): PagingWay | undefined {
    return this.#strategy?.way;
  }
  /** The page that was reached last, and its position. */
  get page(): Page<T> {
    return this.#page;
  }
  get position(): PagePosition {
    return this.#position;
  }
  /** The ids of all rows that were listed so far. */
  get ids(): ReadonlySet<string> {
    return this.#seen;
  }
  /** The number of pages that were read, the first one included. */
  get pages(): number {
    return this.#pages;
  }
  /** The largest limit that brought more rows than a smaller one; null when none did. */
  get grownTo(): number | null {
    return this.#grownTo;
  }

  /** False when `next` would ask the server nothing. */
  get mayHaveMore(): boolean {
    return this.#finished() === null;
  }

  /** Reads the next page. Rejects with `ApiError` when the server cannot be asked. */
  async next(): Promise<Step<T>> {
    const finished = this.#finished();
    if (finished !== null) return finished;
    if (this.#page.next !== null) return this.#follow(hintStrategy);
    const strategy = this.#strategy;
    return strategy === undefined || strategy.needsPreviousPage ? this.#probe() : this.#follow(strategy);
  }

  #finished(): Step<T> | null {
    const { hasMore, next } = this.#page;
    if (hasMore === false || (next === null && hasMore === null && rowsOf(this.#page) < defaultLimit)) {
      return { kind: 'end', isSure: true };
    }
    if (this.#pages >= (this.#options.maxPages ?? maxPages)) return { kind: 'stopped', reason: 'page-limit' };
    return this.#clock() - this.#startedAt > maxDurationMs ? { kind: 'stopped', reason: 'time-limit' } : null;
  }

  async #follow(strategy: PagingStrategy): Promise<Step<T>> {
    const larger = await this.#followLarger(strategy);
    if (larger !== null) return larger;
    const position = strategy.next(this.#reached);
    const page = position === null ? null : await this.#requestNext(strategy, position);
    if (position === null || page === null) return this.#giveUpOrProbe();
    const fresh = this.#unseen(page);
    if (fresh.length > 0) return this.#advance(page, position, fresh);
    if (page.items.length === 0 && page.hasMore !== true && page.next === null) return { kind: 'end', isSure: true };
    return this.#passOver(strategy, page, position);
  }

  /** Goes on after a page without a new row, once, and only where the next request does not depend on its rows. */
  async #passOver(strategy: PagingStrategy, page: Page<T>, position: PagePosition): Promise<Step<T>> {
    this.#repeatedPages += 1;
    if (this.#repeatedPages < 2 && strategy.continuesWithoutNewRows) {
      this.#move(page, position);
      return this.next();
    }
    // The server understood the parameter and has no row left, even if it keeps saying that there are more.
    if (page.items.length === 0 && page.next === null && strategy.isParameter) return { kind: 'end', isSure: false };
    return this.#giveUpOrProbe();
  }

  /** Tries the next page with twice the rows, in a long list; null when it has to be requested as usual. */
  async #followLarger(strategy: PagingStrategy): Promise<Step<T> | null> {
    const limit = Math.min(this.#options.mostRows ?? 0, this.#position.limit * 2);
    if (!strategy.allowsLargerPages || !this.#mayGrow || this.#pages < manyPages) return null;
    const usual = strategy.next(this.#reached);
    if (usual === null || limit <= usual.limit) return null;
    const larger = { ...usual, limit };
    const page = await this.#request(larger);
    this.#mayGrow = page !== null && rowsOf(page) > usual.limit;
    const fresh = page === null ? [] : this.#unseen(page);
    if (page === null || fresh.length === 0) return null;
    return this.#advance(page, this.#mayGrow ? larger : usual, fresh);
  }

  /** The known way fails: every way is probed, at most once in a walk; then the walk is over. */
  async #giveUpOrProbe(): Promise<Step<T>> {
    const strategy = this.#strategy;
    if (!this.#hasProbed && strategy?.isParameter === true) return this.#probe();
    if (this.#page.hasMore === null && this.#page.next === null) return this.#inferEnd();
    return { kind: 'stopped', reason: strategy === noStrategy ? 'no-way' : 'no-progress' };
  }

  async #probe(): Promise<Step<T>> {
    this.#hasProbed = true;
    for (const strategy of candidateStrategies(this.#options.isNewestFirst)) {
      const position = strategy.next(this.#reached);
      const page = position === null ? null : await this.#request(position);
      if (position === null || page === null) continue;
      // A server that ignores the parameter repeats its rows; one that answers with no rows has understood it.
      if (page.items.length === 0 && this.#page.hasMore !== true) return { kind: 'end', isSure: true };
      const fresh = this.#unseen(page);
      const isNext = fresh.length > 0 && (strategy.repeatsEarlierRows || fresh.length === page.items.length);
      if (!isNext || !(await this.#passesControl(strategy))) continue;
      this.#strategy = strategy;
      return this.#advance(page, position, fresh);
    }
    if (this.#page.hasMore === null) return this.#inferEnd();
    this.#strategy = noStrategy;
    return { kind: 'stopped', reason: 'no-way' };
  }

  async #passesControl(strategy: PagingStrategy): Promise<boolean> {
    const position = strategy.controlPage(this.#reached);
    if (position === null) return true;
    const page = await this.#request(position);
    return page?.items.some((item) => this.#seen.has(item.id)) ?? false;
  }

  async #requestNext(strategy: PagingStrategy, position: PagePosition): Promise<Page<T> | null> {
    const page = await this.#request(position);
    if (page !== null) return page;
    const other = strategy.alternative(this.#reached);
    return other === null ? null : this.#request(other);
  }

  /** null: the server refuses this request, so that another way may work. */
  async #request(position: PagePosition): Promise<Page<T> | null> {
    try {
      return await pageOf(this.#options.source, position);
    } catch (error) {
      const hasNoCursor = position.cursor === undefined;
      // Without a cursor in the request, "not found" is about the list itself.
      if (isRefusal(error) && !(hasNoCursor && error.kind === 'not-found')) return null;
      if (hasNoCursor && error instanceof ApiError && error.facts.code === 'BODY_TOO_LARGE') return null;
      throw error;
    }
  }

  get #reached(): ReachedPage {
    return { page: this.#page, position: this.#position, lastIds: this.#lastIds };
  }

  #unseen(page: Page<T>): readonly T[] {
    return page.items.filter((item) => !this.#seen.has(item.id));
  }

  #advance(page: Page<T>, position: PagePosition, fresh: readonly T[]): Step<T> {
    for (const item of fresh) this.#seen.add(item.id);
    if (position.limit > this.#position.limit) this.#grownTo = position.limit;
    this.#repeatedPages = 0;
    this.#move(page, position);
    if (page.next !== null) this.#strategy = hintStrategy;
    return { kind: 'page', page, fresh };
  }

  #move(page: Page<T>, position: PagePosition): void {
    this.#lastIds = lastIdsOf(page.items, this.#lastIds);
    this.#page = page;
    this.#position = position;
    this.#pages += 1;
  }

  /** The server does not say whether there is more. A round number of rows may be a limit that it applies by itself. */
  #inferEnd(): Step<T> {
    const rows = rowsOf(this.#page);
    return { kind: 'end', isSure: rows < this.#position.limit && rows % 10 !== 0 };
  }
}

/**
 * The list ended after a round number of rows, and the server did not say whether there is more: it may apply a limit
 * that it does not tell.
 */
export const isEndInferred = (step: Step<unknown>, walk: { readonly page: Page<unknown> }): boolean =>
  step.kind === 'end' && !step.isSure && walk.page.hasMore === null;

/** The last two ids, the last one first; `before` fills up where the page has fewer. */
function lastIdsOf(items: readonly { readonly id: string }[], before: readonly string[]): readonly string[] {
  const ids = items.slice(-2).map((item) => item.id);
  return [...ids.reverse(), ...before].slice(0, 2);
}
