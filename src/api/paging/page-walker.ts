/** Goes through a list page by page, finding out by GETs alone how this server gives the next page (R-PAGE). */
import type { PagingWay } from '../../protocol/capabilities.ts';
import type { Page, PageCursor } from '../../protocol/types.ts';
import { ApiError } from '../errors.ts';
import { defaultLimit, isRefusal, type ListSource, pageOf } from './list-source.ts';

const maxPages = 1000;
const maxDurationMs = 5 * 60 * 1000;
const largestLimit = 10_000;
/** A list that goes on after so many pages is a long one. */
const manyPages = 4;

/** A page and where in the list it stands; enough to ask for it, or to go on from it, again. */
export interface PagePosition {
  readonly cursor: PageCursor | undefined;
  readonly limit: number;
  /** Rows of the list before the page. */
  readonly rowsBefore: number;
  /** Its number; the first is 1. */
  readonly number: number;
}

export type Step<T> =
  | { readonly kind: 'page'; readonly page: Page<T>; readonly fresh: readonly T[] }
  /** `isSure`: the server said that there is no more, or its page was clearly not full. */
  | { readonly kind: 'end'; readonly isSure: boolean }
  | { readonly kind: 'stopped'; readonly reason: 'no-way' | 'no-progress' | 'page-limit' | 'time-limit' };

export interface WalkOptions<T> {
  readonly source: ListSource<T>;
  /** As learned before. */
  readonly way: PagingWay | undefined;
  readonly first: Page<T>;
  readonly place: PagePosition;
  /** `before` means older only where newer come first. */
  readonly isNewestFirst: boolean;
  /** A long list may be asked for with up to so many rows a page; by default with as many as the first. */
  readonly mostRows?: number;
  readonly maxPages?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

type Parameter = Extract<PagingWay, { kind: 'parameter' }>['name'];

/**
 *     first page ──► hint in it? ──► learned way ──► probe: starting_after, after, before, page, offset, larger limit
 *                        │                │              │ all ids new: learned      │ none works
 *                        └── page ◄───────┴──────────────┘                           └► stopped: no-way
 *     a long list by ids or offset: pages of twice the rows, while the server gives them
 *     refused or same ids again: probe once more;  no new id twice running, 1000 pages, 5 min: stopped
 */
export class PageWalker<T extends { readonly id: string }> {
  readonly #options: WalkOptions<T>;
  readonly #clock: () => number;
  readonly #startedAt: number;
  readonly #seen: Set<string>;
  #way: PagingWay | undefined;
  #page: Page<T>;
  #place: PagePosition;
  /** The last two ids of the list so far, last one first. */
  #tail: readonly string[];
  #pages = 1;
  #barren = 0;
  #hasProbed = false;
  #mayGrow = true;
  #grownTo: number | null = null;

  constructor(options: WalkOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#startedAt = this.#clock();
    this.#seen = new Set(options.first.items.map((item) => item.id));
    this.#way = options.first.next === null ? options.way : { kind: 'hint' };
    this.#page = options.first;
    this.#place = options.place;
    this.#tail = tailOf(options.first.items, []);
  }

  /** The way that works; undefined while none had to be found. */
  get way(): PagingWay | undefined {
    return this.#way;
  }
  /** Of the page reached last. */
  get place(): PagePosition {
    return this.#place;
  }
  get page(): Page<T> {
    return this.#page;
  }
  /** Of everything listed so far. */
  get ids(): ReadonlySet<string> {
    return this.#seen;
  }
  get pages(): number {
    return this.#pages;
  }
  /** A limit that brought more rows than a smaller one. */
  get grownTo(): number | null {
    return this.#grownTo;
  }

  /** False when `next` has nothing to ask. */
  get mayHaveMore(): boolean {
    return this.#over() === null;
  }

  /** The next page; rejects with `ApiError` when the server cannot be asked. */
  async next(): Promise<Step<T>> {
    const over = this.#over();
    if (over !== null) return over;
    if (this.#page.next !== null) return this.#follow({ kind: 'hint' });
    const way = this.#way;
    return way === undefined || way.kind === 'hint' ? this.#probe() : this.#follow(way);
  }

  #over(): Step<T> | null {
    const { hasMore, next } = this.#page;
    if (hasMore === false || (next === null && hasMore === null && rowsOf(this.#page) < defaultLimit)) {
      return { kind: 'end', isSure: true };
    }
    if (this.#pages >= (this.#options.maxPages ?? maxPages)) return { kind: 'stopped', reason: 'page-limit' };
    return this.#clock() - this.#startedAt > maxDurationMs ? { kind: 'stopped', reason: 'time-limit' } : null;
  }

  async #follow(way: PagingWay): Promise<Step<T>> {
    const grown = await this.#followLarger(way);
    if (grown !== null) return grown;
    const asked = this.#ask(way, 0);
    const page = asked === null ? null : ((await this.#try(asked)) ?? (await this.#retry(way)));
    if (asked === null || page === null) return this.#lose();
    const fresh = this.#unseen(page);
    if (fresh.length > 0) return this.#advance(page, asked, fresh);
    if (page.items.length === 0 && page.hasMore !== true && page.next === null) return { kind: 'end', isSure: true };
    this.#barren += 1;
    const canMoveOn = way.kind === 'hint' || isParameter(way, 'page') || isParameter(way, 'offset');
    const isLast = this.#barren >= 2 || !canMoveOn;
    // Understood, and nothing there: some servers say for ever that there is more.
    if (isLast && page.items.length === 0 && page.next === null && way.kind === 'parameter') {
      return { kind: 'end', isSure: false };
    }
    if (isLast) return this.#lose();
    this.#move(page, asked);
    return this.next();
  }

  /** null: the page is to be asked for as usual. */
  async #followLarger(way: PagingWay): Promise<Step<T> | null> {
    const asked = this.#ask(way, 0);
    const limit = Math.min(this.#options.mostRows ?? 0, this.#place.limit * 2);
    // Where pages are counted, or a hint may count them, the next page of another size begins elsewhere.
    const isFree = way.kind === 'parameter' && way.name !== 'page';
    if (asked === null || !isFree || !this.#mayGrow || this.#pages < manyPages || limit <= asked.limit) return null;
    const larger = { ...asked, limit };
    const page = await this.#try(larger);
    this.#mayGrow = page !== null && rowsOf(page) > asked.limit;
    const fresh = page === null ? [] : this.#unseen(page);
    if (page === null || fresh.length === 0) return null;
    return this.#advance(page, this.#mayGrow ? larger : asked, fresh);
  }

  /** The learned way fails: every way is tried once more, then the walk is over. */
  async #lose(): Promise<Step<T>> {
    if (!this.#hasProbed && this.#way?.kind === 'parameter') return this.#probe();
    if (this.#page.hasMore === null && this.#page.next === null) return this.#guessEnd();
    return { kind: 'stopped', reason: this.#way?.kind === 'none' ? 'no-way' : 'no-progress' };
  }

  async #probe(): Promise<Step<T>> {
    this.#hasProbed = true;
    for (const way of this.#candidates()) {
      const asked = this.#ask(way, 0);
      const page = asked === null ? null : await this.#try(asked);
      if (asked === null || page === null) continue;
      // A server that ignores a cursor repeats its rows; one that answers nothing has understood it.
      if (page.items.length === 0 && this.#page.hasMore !== true) return { kind: 'end', isSure: true };
      const fresh = this.#unseen(page);
      const isNext = fresh.length > 0 && (way.kind === 'limit' || fresh.length === page.items.length);
      if (!isNext || (isParameter(way, 'page') && !(await this.#countsFromOne()))) continue;
      this.#way = way;
      return this.#advance(page, asked, fresh);
    }
    if (this.#page.hasMore === null) return this.#guessEnd();
    this.#way = { kind: 'none' };
    return { kind: 'stopped', reason: 'no-way' };
  }

  #candidates(): PagingWay[] {
    const names: readonly Parameter[] = ['starting_after', 'after', 'before', 'page', 'offset'];
    return [
      ...names
        .filter((name) => name !== 'before' || this.#options.isNewestFirst)
        .map((name): PagingWay => ({ kind: 'parameter', name })),
      { kind: 'limit' },
    ];
  }

  /** Where pages count from 0, `page=2` would leave one out. */
  async #countsFromOne(): Promise<boolean> {
    if (this.#place.number !== 1) return true;
    const cursor: PageCursor = { kind: 'query', parameters: { page: '1' } };
    const page = await this.#try({ ...this.#place, cursor });
    return page?.items.some((item) => this.#seen.has(item.id)) ?? false;
  }

  /** `back`: how many rows before the last one an id cursor names. */
  #ask(way: PagingWay, back: number): PagePosition | null {
    const after = {
      limit: this.#place.limit,
      rowsBefore: this.#place.rowsBefore + rowsOf(this.#page),
      number: this.#place.number + 1,
    };
    const query = (name: string, value: string | undefined): PagePosition | null =>
      value === undefined ? null : { ...after, cursor: { kind: 'query', parameters: { [name]: value } } };
    if (way.kind === 'hint') return this.#page.next === null ? null : { ...after, cursor: this.#page.next };
    if (way.kind === 'limit') return this.#larger();
    if (way.kind === 'none') return null;
    if (way.name === 'page') return query('page', String(after.number));
    if (way.name === 'offset') return query('offset', String(after.rowsBefore));
    return query(way.name, this.#tail[back]);
  }

  /** The whole list again, with twice the rows. */
  #larger(): PagePosition | null {
    const limit = Math.max(this.#place.limit, rowsOf(this.#page)) * 2;
    return limit > largestLimit ? null : { cursor: undefined, limit, rowsBefore: 0, number: 1 };
  }

  async #try(asked: PagePosition): Promise<Page<T> | null> {
    try {
      return await pageOf(this.#options.source, asked);
    } catch (error) {
      const isPlain = asked.cursor === undefined;
      // Without any cursor in it, "not found" speaks of the list itself.
      if (isRefusal(error) && !(isPlain && error.kind === 'not-found')) return null;
      if (isPlain && error instanceof ApiError && error.facts.code === 'BODY_TOO_LARGE') return null;
      throw error;
    }
  }

  /** The message that a cursor names may be gone: the one before it serves as well. */
  async #retry(way: PagingWay): Promise<Page<T> | null> {
    const isId = way.kind === 'parameter' && way.name !== 'page' && way.name !== 'offset';
    const asked = isId ? this.#ask(way, 1) : null;
    return asked === null ? null : this.#try(asked);
  }

  #unseen(page: Page<T>): readonly T[] {
    return page.items.filter((item) => !this.#seen.has(item.id));
  }

  #advance(page: Page<T>, asked: PagePosition, fresh: readonly T[]): Step<T> {
    for (const item of fresh) this.#seen.add(item.id);
    if (asked.limit > this.#place.limit) this.#grownTo = asked.limit;
    this.#barren = 0;
    this.#move(page, asked);
    if (page.next !== null) this.#way = { kind: 'hint' };
    return { kind: 'page', page, fresh };
  }

  #move(page: Page<T>, asked: PagePosition): void {
    this.#tail = tailOf(page.items, this.#tail);
    this.#page = page;
    this.#place = asked;
    this.#pages += 1;
  }

  /** Nothing says that there is more; a round number of rows looks like a cap all the same. */
  #guessEnd(): Step<T> {
    const rows = rowsOf(this.#page);
    return { kind: 'end', isSure: rows < this.#place.limit && rows % 10 !== 0 };
  }
}

function rowsOf(page: Page<unknown>): number {
  return page.items.length + page.skipped;
}

function tailOf(items: readonly { readonly id: string }[], before: readonly string[]): readonly string[] {
  return [
    ...items
      .slice(-2)
      .map((item) => item.id)
      .reverse(),
    ...before,
  ].slice(0, 2);
}

function isParameter(way: PagingWay, name: Parameter): boolean {
  return way.kind === 'parameter' && way.name === name;
}
