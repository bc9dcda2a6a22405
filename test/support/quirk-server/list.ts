/** One page of a list: filtered and ordered rows, cut and continued in this server's way. */
import { toText } from './present.ts';
import type { Quirks } from './quirks.ts';
import { Refusal, type Reply } from './reply.ts';

interface Row {
  readonly id: string;
  readonly seq: number;
}

export interface ListRequest<T extends Row> {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly filters: readonly string[];
  readonly rows: readonly T[];
  readonly timeOf: (row: T) => number;
  readonly origin: string;
}

export interface ListPage<T> {
  readonly rows: readonly T[];
  /** Fields of the answer besides `data`. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

const maxLimit = 100;
const parameterWays: readonly string[] = ['starting_after', 'after', 'before', 'page', 'offset'];
let shuffle = 0;

export function listPage<T extends Row>(quirks: Quirks, request: ListRequest<T>): ListPage<T> {
  const { query, filters } = request;
  const parameter = parameterWays.includes(quirks.paging) ? quirks.paging : 'cursor';
  const known = new Set(['limit', parameter, ...filters]);
  for (const name of query.keys())
    if (quirks.parameters === 'refused' && !known.has(name)) throw new Refusal(400, `unknown parameter ${name}`);
  const limit = limitOf(quirks, query.get('limit'));
  const rows = ordered(quirks, request);
  const isBackwards = parameter === 'before' && query.has('before') && quirks.order === 'old-first';
  const start = startOf(rows, parameter, query.get(parameter), limit);
  const end = isBackwards ? start - 1 : start + limit;
  const page = rows.slice(isBackwards ? Math.max(0, end - limit) : start, end);
  const isMore = isBackwards ? end > limit : end < rows.length;
  const hint = isMore ? hintOf(quirks, request, page.at(-1)?.id ?? '') : { extra: {}, headers: {} };
  return { rows: page, extra: { ...moreFields(quirks, isMore), ...hint.extra }, headers: hint.headers };
}

function moreFields({ hasMore }: Quirks, isMore: boolean): Readonly<Record<string, unknown>> {
  if (hasMore === 'missing') return {};
  if (hasMore === 'meta') return { meta: { has_more: isMore } };
  return { has_more: hasMore === 'string' ? String(isMore) : hasMore === 'always' || isMore };
}

/** The rows and what is said of them as one body, in this server's shape. */
export function listReply(quirks: Quirks, name: string, data: readonly unknown[], page: ListPage<unknown>): Reply {
  const { headers, extra } = page;
  const { listShape, emptyList } = quirks;
  if (data.length === 0 && emptyList === '404') throw new Refusal(404, `no ${name}`);
  if (data.length === 0 && emptyList === '204') return { status: 204, headers };
  const ofRows = (key: string): Readonly<Record<string, unknown>> =>
    data.length > 0 || emptyList === 'array' ? { [key]: data } : emptyList === 'null' ? { [key]: null } : {};
  const shapes: Record<Quirks['listShape'], () => unknown> = {
    data: () => ({ ...extra, ...ofRows('data') }),
    resource: () => ({ ...extra, ...ofRows(name) }),
    bare: () => data,
    wrapped: () => ({ status: 'success', data: { ...extra, ...ofRows(name) } }),
  };
  return { status: 200, body: toText(shapes[listShape]() as never), headers };
}

function limitOf({ paging }: Quirks, text: string | null): number {
  if (text === null) return 10;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new Refusal(400, 'limit');
  if (paging === 'limit') return limit;
  if (paging === 'none-cap' && limit > maxLimit) throw new Refusal(400, 'limit is at most 100');
  return Math.min(limit, maxLimit);
}

function ordered<T extends Row>({ order }: Quirks, { rows, timeOf }: ListRequest<T>): readonly T[] {
  shuffle += 1;
  const turn = shuffle;
  const scatter = (row: T): number => (row.seq * 31 + turn * 17) % 97;
  const byTime = (a: T, b: T): number => Math.floor(timeOf(b) / 1000) - Math.floor(timeOf(a) / 1000);
  const compare: Record<Quirks['order'], (a: T, b: T) => number> = {
    'new-first': (a, b) => byTime(a, b) || b.seq - a.seq,
    'old-first': (a, b) => byTime(b, a) || a.seq - b.seq,
    'by-id': (a, b) => (a.id < b.id ? -1 : 1),
    'unstable-ties': (a, b) => byTime(a, b) || scatter(a) - scatter(b),
  };
  return [...rows].sort(compare[order]);
}

function startOf(rows: readonly Row[], parameter: string, value: string | null, limit: number): number {
  if (value === null) return 0;
  if (parameter === 'page') return (positive(value) - 1) * limit;
  if (parameter === 'offset') return positive(value);
  const at = rows.findIndex((row) => row.id === value);
  if (at < 0) throw new Refusal(400, `no such ${parameter}`);
  return at + 1;
}

function positive(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new Refusal(400, 'not a number');
  return Number(value);
}

function hintOf<T extends Row>(
  { paging }: Quirks,
  { path, query, origin }: ListRequest<T>,
  cursor: string,
): Pick<ListPage<T>, 'extra' | 'headers'> {
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  const url = `${path}?${next}`;
  const extra = (fields: Readonly<Record<string, unknown>>) => ({ extra: fields, headers: {} });
  switch (paging) {
    case 'next_cursor':
      return extra({ next_cursor: cursor });
    case 'pagination.next_cursor':
      return extra({ pagination: { next_cursor: cursor } });
    case 'response_metadata.next_cursor':
      return extra({ response_metadata: { next_cursor: cursor } });
    case 'links.next':
      return extra({ links: { next: origin + url } });
    case 'meta.next_page_url':
      return extra({ meta: { next_page_url: origin + url } });
    case 'relative-url':
      return extra({ links: { next: { href: url } } });
    case 'cross-origin-url':
      return extra({ links: { next: `https://internal.example:8443${url}` } });
    case 'link-header':
      return { extra: {}, headers: { link: `<${origin}${path}>; rel="first", <${origin}${url}>; rel="next"` } };
    default:
      return extra({});
  }
}
