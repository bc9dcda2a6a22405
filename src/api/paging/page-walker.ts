/** Goes through a list page by page, and finds out by GETs alone how this server gives the next page (R-PAGE). */
import type { PagingWay } from '../../protocol/capabilities.ts';
import type { Page } from '../../protocol/types.ts';
import { defaultLimit, type ListSource, pageUnlessRefused } from './list-source.ts';
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
  /** The server has more rows and offers no way to get them. */
  | { readonly kind: 'stuck' }
  /** The walk has had its share of pages or of time. */
  | { readonly kind: 'cut' };

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
  readonly maxPages?: number | undefined;
}

/**
 * The decisions of a walk:
 *
 *     first page ──► hint in it? ──► known way ──► probe: starting_after, after, before, page, offset, larger limit
 *                        │               │              │ new rows last: the way is known    │ none works
 *                        └─── page ◄─────┴──────────────┘                                    └► stuck
 *
 * In a long list, a way that allows it is followed in pages of twice the rows for as long as the server gives them.
 * When the known way is refused or repeats its rows, every way is probed once more. The walk stops after two pages in
 * a row without a new id, after 1000 pages, and after five minutes.
 */
export class PageWalker<T extends { readonly id: string }> implements ReachedPage {
  readonly #options: WalkOptions<T>;
  readonly #startedAt = performance.now();
  /** The ids of all rows that were listed so far. */
  readonly ids: Set<string>;
  /** The strategy that works; undefined while none had to be found. */
  strategy: PagingStrategy | undefined;
  /** The page that was reached last, and its position. */
  page: Page<T>;
  position: PagePosition;
  /** The position of the page before that one; null at the first page of the walk. */
  before: PagePosition | null = null;
  lastIds: readonly string[];
  /** The number of pages that were read, and of their unreadable rows; the first page is included. */
  pages = 1;
  skipped: number;
  /** The largest limit that brought more rows than a smaller one; null when none did. */
  grownTo: number | null = null;
  #hasRepeated = false;
  #hasProbed = false;
  #mayGrow: boolean;

  constructor(options: WalkOptions<T>) {
    const { first, position, way, mostRows } = options;
    this.#options = options;
    const ids = first.items.map((item) => item.id);
    this.ids = new Set(ids);
    this.strategy = first.next === null ? strategyOf(way) : hintStrategy;
    this.page = first;
    this.position = position;
    this.lastIds = ids.slice(-2);
    this.skipped = first.skipped;
    this.#mayGrow = mostRows !== undefined;
  }

  /** Reads the next page. Rejects with `ApiError` when the server cannot be asked. */
  async next(): Promise<Step<T>> {
    const finished = this.finished();
    if (finished !== null) return finished;
    const strategy = this.page.next === null ? this.strategy : hintStrategy;
    const positions = strategy?.next(this) ?? [];
    if (strategy === undefined || positions.length === 0) return this.#probe();
    return (await this.#growLarger(strategy, positions)) ?? (await this.#follow(strategy, positions));
  }

  /** The last step of the walk, when it is known without asking the server; else null. */
  finished(): Exclude<Step<T>, { kind: 'page' }> | null {
    const { hasMore, next } = this.page;
    if (hasMore === false || (next === null && hasMore === null && rowsOf(this.page) < defaultLimit)) {
      return { kind: 'end', isSure: true };
    }
    // The pages before led to the next one, and this one to none: the server has said that it is the last.
    if (hasMore === null && next === null && this.pages > 1 && this.strategy === hintStrategy) {
      return { kind: 'end', isSure: true };
    }
    const isOver = this.pages >= (this.#options.maxPages ?? maxPages);
    return isOver || performance.now() - this.#startedAt > maxDurationMs ? { kind: 'cut' } : null;
  }

  async #follow(strategy: PagingStrategy, positions: readonly PagePosition[]): Promise<Step<T>> {
    for (const position of positions) {
      const page = await this.#request(position);
      if (page === null) continue;
      const fresh = this.#unseen(page);
      if (fresh.length > 0) return this.#advance(page, position, fresh);
      const isEmpty = page.items.length === 0 && page.next === null;
      if (isEmpty && page.hasMore !== true) return { kind: 'end', isSure: true };
      if (!this.#hasRepeated && strategy.continuesWithoutNewRows) {
        this.#hasRepeated = true;
        this.#move(page, position);
        return this.next();
      }
      // The server understood the parameter and has no row left, even if it keeps saying that there are more.
      return isEmpty ? { kind: 'end', isSure: false } : this.#probe();
    }
    return this.#probe();
  }

  /** Tries the next page with twice the rows, in a long list; null when it has to be requested as usual. */
  async #growLarger(strategy: PagingStrategy, [usual]: readonly PagePosition[]): Promise<Step<T> | null> {
    if (usual === undefined || !this.#mayGrow || !strategy.allowsLargerPages || this.pages < manyPages) return null;
    const limit = Math.min(this.#options.mostRows ?? 0, usual.limit * 2);
    if (limit <= usual.limit) return null;
    const larger = { ...usual, limit };
    const page = await this.#request(larger);
    this.#mayGrow = page !== null && rowsOf(page) > usual.limit;
    const fresh = page === null ? [] : this.#unseen(page);
    if (page === null || fresh.length === 0) return null;
    return this.#advance(page, this.#mayGrow ? larger : usual, fresh);
  }

  /** Tries every way, at most once in a walk; when none works the walk is over. */
  async #probe(): Promise<Step<T>> {
    const { page: reached, strategy: known } = this;
    const mayProbe = !this.#hasProbed && reached.next === null && known?.hasNoPages !== true;
    this.#hasProbed = true;
    let isUnderstood = false;
    for (const strategy of mayProbe ? candidateStrategies(this.#options.isNewestFirst) : []) {
      const [position] = strategy.next(this);
      const page = position === undefined ? null : await this.#request(position);
      if (position === undefined || page === null) continue;
      // A server that ignores the parameter repeats its rows; one that answers with no rows has understood it.
      if (page.items.length === 0 && reached.hasMore !== true) return { kind: 'end', isSure: true };
      isUnderstood ||= page.items.length === 0;
      const fresh = this.#unseen(page);
      if (!this.#isNext(page, fresh.length, strategy) || !(await this.#passesControl(strategy))) continue;
      this.strategy = strategy;
      return this.#advance(page, position, fresh);
    }
    if (reached.hasMore === null && reached.next === null) {
      // The server does not say whether there is more. A round number of rows may be a limit that it applies by itself.
      const rows = rowsOf(reached);
      return { kind: 'end', isSure: rows < this.position.limit && rows % 10 !== 0 };
    }
    // A list that always says that there are more may have ended: that shows nothing about the ways.
    if (isUnderstood) return { kind: 'end', isSure: false };
    if (mayProbe) this.strategy = noStrategy;
    return { kind: 'stuck' };
  }

  /**
   * Whether the answer is the next page, and not the first one again. Rows that have come since stand at the beginning of the
   * first page. They push as many known rows to the beginning of a next page that is counted from the top; at most half of it.
   */
  #isNext({ items }: Page<T>, fresh: number, { hasNoPages }: PagingStrategy): boolean {
    const isKnown = ({ id }: T): boolean => this.ids.has(id);
    if (fresh === 0 || items.slice(-1).some(isKnown)) return false;
    return hasNoPages || (!items.slice(-fresh).some(isKnown) && fresh >= items.length - fresh);
  }

  async #passesControl(strategy: PagingStrategy): Promise<boolean> {
    const position = strategy.controlPage(this);
    if (position === null) return true;
    const page = await this.#request(position);
    return page?.items.some((item) => this.ids.has(item.id)) ?? false;
  }

  #request(position: PagePosition): Promise<Page<T> | null> {
    return pageUnlessRefused(this.#options.source, position);
  }

  #unseen(page: Page<T>): readonly T[] {
    return page.items.filter((item) => !this.ids.has(item.id));
  }

  #advance(page: Page<T>, position: PagePosition, fresh: readonly T[]): Step<T> {
    for (const item of fresh) this.ids.add(item.id);
    if (position.limit > this.position.limit) this.grownTo = position.limit;
    this.#hasRepeated = false;
    this.#move(page, position);
    if (page.next !== null) this.strategy = hintStrategy;
    return { kind: 'page', page, fresh };
  }

  #move(page: Page<T>, position: PagePosition): void {
    this.lastIds = [...this.lastIds, ...page.items.slice(-2).map((item) => item.id)].slice(-2);
    this.page = page;
    this.before = this.position;
    this.position = position;
    this.pages += 1;
    this.skipped += page.skipped;
  }
}
