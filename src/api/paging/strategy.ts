/**
 * How the next page of a list is requested: one `PagingStrategy` for each way in which servers page (`PagingWay`). The
 * walk through a list and the searches in it ask the strategy and never look at the way itself.
 */
import type { PagingWay } from '../../protocol/capabilities.ts';
import type { Page, PageCursor } from '../../protocol/types.ts';

/** One page of a list, described so that it can be requested again. */
export interface PagePosition {
  readonly cursor: PageCursor | undefined;
  readonly limit: number;
  /** Rows of the list before the page. */
  readonly rowsBefore: number;
  /** The number of the page; the first is 1. */
  readonly number: number;
}

/** The page that a walk has reached, from which the next one is requested. */
export interface ReachedPage {
  readonly page: Page<unknown>;
  readonly position: PagePosition;
  /** The ids of the last two rows of the list so far, the last one first. */
  readonly lastIds: readonly string[];
}

type Parameter = Extract<PagingWay, { kind: 'parameter' }>['name'];
type CountingParameter = 'page' | 'offset';
export type IdParameter = Exclude<Parameter, CountingParameter>;

export interface PagingStrategy {
  readonly way: PagingWay;
  /** The way is a query parameter. A server may ignore it, or answer it with an empty page after the last row. */
  readonly isParameter: boolean;
  /** The parameter is the id of a row, so that a walk can begin after any row. */
  readonly goesByIds: boolean;
  /** The next page can be requested although the page before brought no new row. */
  readonly continuesWithoutNewRows: boolean;
  /** The `limit` may change from page to page: the position does not depend on it. */
  readonly allowsLargerPages: boolean;
  /** A row is left out when a row before it is removed between two requests. */
  readonly missesRowsOnRemoval: boolean;
  /** Each answer holds the rows of the pages before, too. */
  readonly repeatsEarlierRows: boolean;
  /** A page can be requested only with what the page before it says, so that it is worth a bookmark. */
  readonly needsPreviousPage: boolean;
  /** The page after `from`; null when this way cannot name one. */
  next(from: ReachedPage): PagePosition | null;
  /** Another request for the page after `from`, for when the first one is refused; null when there is none. */
  alternative(from: ReachedPage): PagePosition | null;
  /** A page that must show rows of the page `from` before this way is believed; null when none has to be asked for. */
  controlPage(from: ReachedPage): PagePosition | null;
  /** The page that begins after the row with this id; null when this way does not go by ids. */
  afterId(id: string, limit: number): PagePosition | null;
  /**
   * A page that continues a list of which the first `count` rows are known, and that shows the last of these, so that
   * the join can be checked. null when this way does not go by counts.
   */
  afterRows(count: number, limit: number): PagePosition | null;
}

/** Larger limits are not tried where a server has no other way to give more rows. */
const largestLimit = 10_000;

const usual = {
  isParameter: false,
  goesByIds: false,
  continuesWithoutNewRows: false,
  allowsLargerPages: false,
  missesRowsOnRemoval: false,
  repeatsEarlierRows: false,
  needsPreviousPage: false,
  next: () => null,
  alternative: () => null,
  controlPage: () => null,
  afterId: () => null,
  afterRows: () => null,
} as const satisfies Omit<PagingStrategy, 'way'>;

/** By the cursor or URL that a page gives for its successor. */
export const hintStrategy: PagingStrategy = {
  ...usual,
  way: { kind: 'hint' },
  continuesWithoutNewRows: true,
  needsPreviousPage: true,
  next: (from) => (from.page.next === null ? null : { ...following(from), cursor: from.page.next }),
};

/** By a parameter with the id of the last row. */
function idStrategy(name: IdParameter): PagingStrategy {
  const request = (from: ReachedPage, id: string | undefined): PagePosition | null =>
    id === undefined ? null : { ...following(from), cursor: query(name, id) };
  return {
    ...usual,
    way: { kind: 'parameter', name },
    isParameter: true,
    goesByIds: true,
    allowsLargerPages: true,
    next: (from) => request(from, from.lastIds[0]),
    // The row that the cursor names may have been deleted: the row before it serves as well.
    alternative: (from) => request(from, from.lastIds[1]),
    afterId: (id, limit) => ({ ...firstPosition(limit), cursor: query(name, id) }),
  };
}

/** By the number of the page, counted from 1. */
const pageNumberStrategy: PagingStrategy = {
  ...usual,
  way: { kind: 'parameter', name: 'page' },
  isParameter: true,
  continuesWithoutNewRows: true,
  missesRowsOnRemoval: true,
  next: (from) => ({ ...following(from), cursor: query('page', from.position.number + 1) }),
  // Where a server counts pages from 0, `page=2` would leave one out; there, `page=1` shows no row of the first page.
  controlPage: ({ position }) => (position.number === 1 ? { ...position, cursor: query('page', 1) } : null),
  afterRows(count, limit) {
    const number = Math.floor(Math.max(0, count - 1) / limit) + 1;
    if (number === 1) return null;
    return { cursor: query('page', number), limit, rowsBefore: (number - 1) * limit, number };
  },
};

/** By the number of rows before the page. */
const offsetStrategy: PagingStrategy = {
  ...usual,
  way: { kind: 'parameter', name: 'offset' },
  isParameter: true,
  continuesWithoutNewRows: true,
  allowsLargerPages: true,
  missesRowsOnRemoval: true,
  next(from) {
    const position = following(from);
    return { ...position, cursor: query('offset', position.rowsBefore) };
  },
  afterRows(count, limit) {
    const rowsBefore = count - 1;
    if (rowsBefore <= 0) return null;
    return { cursor: query('offset', rowsBefore), limit, rowsBefore, number: Math.floor(rowsBefore / limit) + 1 };
  },
};

/** By the whole list again with twice the rows, where a server has no pages. */
const growingLimitStrategy: PagingStrategy = {
  ...usual,
  way: { kind: 'limit' },
  repeatsEarlierRows: true,
  next({ page, position }) {
    const limit = Math.max(position.limit, rowsOf(page)) * 2;
    return limit > largestLimit ? null : firstPosition(limit);
  },
  afterRows(count, limit) {
    let larger = limit;
    while (larger <= count) larger *= 2;
    return firstPosition(larger);
  },
};

/** Every way was tried before, and none works. */
export const noStrategy: PagingStrategy = { ...usual, way: { kind: 'none' } };

export function strategyOf(way: PagingWay): PagingStrategy {
  switch (way.kind) {
    case 'hint':
      return hintStrategy;
    case 'limit':
      return growingLimitStrategy;
    case 'none':
      return noStrategy;
    case 'parameter':
      if (way.name === 'page') return pageNumberStrategy;
      return way.name === 'offset' ? offsetStrategy : idStrategy(way.name);
  }
}

/**
 * The strategies to try on a server whose way is not known, the best first. `before` is among them only where newer
 * rows come first: elsewhere it means the rows that were listed already.
 */
export function candidateStrategies(isNewestFirst: boolean): readonly PagingStrategy[] {
  const byId = isNewestFirst ? idParameters : idParameters.filter((name) => name !== 'before');
  return [...byId.map(idStrategy), pageNumberStrategy, offsetStrategy, growingLimitStrategy];
}

const idParameters: readonly IdParameter[] = ['starting_after', 'after', 'before'];

/** The strategies that can begin at a given row: the known one if it goes by ids, all of these if none is known. */
export function idStrategies(way: PagingWay | undefined): readonly PagingStrategy[] {
  if (way === undefined) return idParameters.map(idStrategy);
  const strategy = strategyOf(way);
  return strategy.goesByIds ? [strategy] : [];
}

/** The first page of a list. */
export function firstPosition(limit: number): PagePosition {
  return { cursor: undefined, limit, rowsBefore: 0, number: 1 };
}

/** Rows that the server put on the page, those without a usable id among them. */
export function rowsOf(page: Page<unknown>): number {
  return page.items.length + page.skipped;
}

function following({ page, position }: ReachedPage): PagePosition {
  const { limit, rowsBefore, number } = position;
  return { cursor: undefined, limit, rowsBefore: rowsBefore + rowsOf(page), number: number + 1 };
}

function query(name: Parameter, value: string | number): PageCursor {
  return { kind: 'query', parameters: { [name]: String(value) } };
}
