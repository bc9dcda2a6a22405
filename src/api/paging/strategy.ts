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
  /** The ids of the last two rows of the list so far. */
  readonly lastIds: readonly string[];
}

export interface PagingStrategy {
  readonly way: PagingWay;
  /** Each answer begins with the first row of the list, so that no other way is looked for. */
  readonly hasNoPages: boolean;
  /** The next page can be requested although the page before brought no new row. */
  readonly continuesWithoutNewRows: boolean;
  /** The `limit` may change from page to page: the position does not depend on it. */
  readonly allowsLargerPages: boolean;
  /** A row is left out when a row before it is removed between two requests. */
  readonly missesRowsOnRemoval: boolean;
  /** The page after `from`; the second position is for when the server refuses the first one. */
  next(from: ReachedPage): readonly PagePosition[];
  /** A page that must show rows of the page `from` before this way is believed; null when none has to be asked for. */
  controlPage(from: ReachedPage): PagePosition | null;
  /** The page that begins after the row with this id; null when this way does not go by ids. */
  readonly afterId: ((id: string, limit: number) => PagePosition) | null;
  /** A page of rows on both sides of the row of this number; null when this way cannot begin a page at any row. */
  around(number: number, rows: number, limit: number): PagePosition | null;
  /** The page with the row of this number, which is 1 for the first; null when this way does not go by counts. */
  withRow(number: number, limit: number): PagePosition | null;
}

/** Larger limits are not tried where a server has no other way to give more rows. */
const largestLimit = 10_000;

const usual = {
  hasNoPages: false,
  continuesWithoutNewRows: false,
  allowsLargerPages: false,
  missesRowsOnRemoval: false,
  next: () => [],
  controlPage: () => null,
  afterId: null,
  around: () => null,
  withRow: () => null,
} as const satisfies Omit<PagingStrategy, 'way'>;

/** Requests the next page by the cursor or URL that a page gives for its successor. */
export const hintStrategy: PagingStrategy = {
  ...usual,
  way: { kind: 'hint' },
  continuesWithoutNewRows: true,
  next: (from) => (from.page.next === null ? [] : [following(from, from.page.next)]),
};

const idParameters = ['starting_after', 'after', 'before'] as const;

/** Requests the next page by the id of the last row. If that row was deleted meanwhile, the id of the row before it is sent. */
function idStrategy(name: (typeof idParameters)[number]): PagingStrategy {
  return {
    ...usual,
    way: { kind: 'parameter', name },
    allowsLargerPages: true,
    next: (from) => from.lastIds.toReversed().map((id) => following(from, query(name, id))),
    afterId: (id, limit) => ({ ...firstPosition(limit), cursor: query(name, id) }),
  };
}

/** Requests the next page by its number, counted from 1, or by the number of rows before it. */
function countingStrategy(name: 'page' | 'offset'): PagingStrategy {
  const counted = (position: PagePosition): PagePosition => ({
    ...position,
    cursor: query(name, name === 'page' ? position.number : position.rowsBefore),
  });
  return {
    ...usual,
    way: { kind: 'parameter', name },
    continuesWithoutNewRows: true,
    allowsLargerPages: name === 'offset',
    missesRowsOnRemoval: true,
    next: (from) => [counted(following(from, undefined))],
    // Where a server counts pages from 0, `page=2` would leave one out; there, `page=1` shows no row of the first page.
    controlPage: ({ position }) => (name === 'page' && position.number === 1 ? counted(position) : null),
    around(row, rows, limit) {
      const before = row - Math.ceil(rows / 2);
      return before <= 0 || name === 'page' ? null : counted({ ...firstPosition(limit), rowsBefore: before });
    },
    withRow(row, limit) {
      const before = Math.floor((row - 1) / limit);
      return before <= 0 ? null : counted({ ...firstPosition(limit), rowsBefore: before * limit, number: before + 1 });
    },
  };
}

/** Requests the whole list again with twice the rows, where a server has no pages. */
const growingLimitStrategy: PagingStrategy = {
  ...usual,
  way: { kind: 'limit' },
  hasNoPages: true,
  next({ page, position }) {
    const limit = Math.max(position.limit, rowsOf(page)) * 2;
    return limit > largestLimit ? [] : [firstPosition(limit)];
  },
};

/** For a server on which every way was tried, and none works. */
export const noStrategy: PagingStrategy = { ...usual, way: { kind: 'none' }, hasNoPages: true };

/** The strategies to try on a server whose way is not known, the best first. */
const candidates = [
  ...idParameters.map(idStrategy),
  countingStrategy('page'),
  countingStrategy('offset'),
  growingLimitStrategy,
];

/** Where newer rows do not come first, `before` means the rows that were listed already. */
export const candidateStrategies = (isNewestFirst: boolean): readonly PagingStrategy[] =>
  candidates.filter(({ way }) => isNewestFirst || nameOf(way) !== 'before');

/** The strategy for a way that was observed before; undefined when none was. */
export const strategyOf = (known: PagingWay | undefined): PagingStrategy | undefined =>
  [hintStrategy, ...candidates, noStrategy].find(({ way }) => known !== undefined && nameOf(way) === nameOf(known));

const nameOf = (way: PagingWay): string => (way.kind === 'parameter' ? way.name : way.kind);

/** The first page of a list. */
export function firstPosition(limit: number): PagePosition {
  return { cursor: undefined, limit, rowsBefore: 0, number: 1 };
}

/** Rows that the server put on the page, those without a usable id among them. */
export function rowsOf(page: Page<unknown>): number {
  return page.items.length + page.skipped;
}

function following({ page, position }: ReachedPage, cursor: PageCursor | undefined): PagePosition {
  const { limit, rowsBefore, number } = position;
  return { cursor, limit, rowsBefore: rowsBefore + rowsOf(page), number: number + 1 };
}

function query(name: string, value: string | number): PageCursor {
  return { kind: 'query', parameters: { [name]: String(value) } };
}
