/** Reads a list answer and its hints at the next page (API document §4; server-differences: Next page). */
import { type Fields, field, isObject, nullableBooleanField } from './fields.ts';
import type { Page, PageCursor } from './types.ts';

/** Rows beyond this are dropped and counted as skipped (R-LIMIT). */
const maxRows = 10_000;
const maxCursor = 4096;

/** The names under which servers give the rows, the document's first. */
const rowNames = ['data', 'messages', 'conversations', 'items', 'results'] as const;

/**
 * Returns null when the value is no list: it neither holds rows nor says that there are none. `link` is the `Link`
 * header of the answer. Rows without an id are left out and counted as skipped. Of rows with the same id the last one
 * is kept, in the place of the first.
 */
export function parsePage<T extends { readonly id: string }>(
  value: unknown,
  parseItem: (row: unknown) => T | null,
  link?: string | null,
): Page<T> | null {
  const list = listObject(value);
  if (list === null) return null;
  const byId = new Map<string, T>();
  let skipped = Math.max(0, list.rows.length - maxRows);
  for (const row of list.rows.slice(0, maxRows)) {
    const item = parseItem(row);
    if (item === null) skipped += 1;
    else byId.set(item.id, item);
  }
  const hasMore = hasMoreOf(list.object);
  return {
    items: [...byId.values()],
    hasMore,
    next: hasMore === false ? null : (bodyHint(list.object) ?? linkHint(link ?? null)),
    skipped,
  };
}

interface ListObject {
  readonly object: Fields;
  readonly rows: readonly unknown[];
}

/** Finds the rows: `{data: [...]}`, an array, another name, or any of these one level down (`{data: {data: []}}`). */
function listObject(value: unknown): ListObject | null {
  if (Array.isArray(value)) return { object: {}, rows: value };
  if (!isObject(value)) return null;
  const inner = field(value, 'data');
  const isErrorBody = isObject(inner) && isEmpty(inner) && complains(value);
  return rowsIn(value) ?? (isObject(inner) && !isErrorBody ? rowsIn(inner) : null);
}

const isEmpty = (object: Fields): boolean => Object.keys(object).length === 0;

function rowsIn(object: Fields): ListObject | null {
  const rows = rowNames.map((name) => field(object, name)).find((item) => Array.isArray(item));
  return Array.isArray(rows) ? { object, rows } : emptyList(object);
}

/**
 * Whether the object is a list without rows: they are null beside no error, or they are left out and the object
 * says whether there are more, or it is empty.
 */
function emptyList(object: Fields): ListObject | null {
  const isNull = rowNames.some((name) => field(object, name) === null);
  const isReported = (field(object, 'data') ?? null) === null && hasMoreOf(object) !== null;
  return isEmpty(object) || isReported || (isNull && !complains(object)) ? { object, rows: [] } : null;
}

const complains = (object: Fields): boolean => complaints.some((name) => (field(object, name) ?? null) !== null);

/** The names under which servers describe an error (server-differences: Errors). */
const complaints = [
  'error',
  'errors',
  'message',
  'detail',
  'error_description',
  'description',
  'msg',
  'title',
] as const;

function hasMoreOf(object: Fields): boolean | null {
  const places = [object, ...['pagination', 'meta', 'paging'].map((name) => field(object, name))];
  return (
    places
      .map((place) => (isObject(place) ? nullableBooleanField(place, 'has_more') : null))
      .find((it) => it !== null) ?? null
  );
}

function bodyHint(object: Readonly<Record<string, unknown>>): PageCursor | null {
  const places = [object, ...['pagination', 'response_metadata', 'meta', 'paging'].map((name) => field(object, name))];
  for (const place of places) {
    const cursor = isObject(place) ? field(place, 'next_cursor') : undefined;
    if (isCursor(cursor)) return { kind: 'query', parameters: { cursor: String(cursor) } };
  }
  const links = field(object, 'links');
  const meta = field(object, 'meta');
  const next = isObject(links) ? field(links, 'next') : undefined;
  const urls = [
    next,
    isObject(next) ? field(next, 'href') : undefined,
    isObject(meta) ? field(meta, 'next_page_url') : undefined,
    field(object, 'next_page_url'),
  ];
  const url = urls.find((item) => typeof item === 'string' && item !== '' && item.length <= maxCursor);
  return typeof url === 'string' ? { kind: 'url', url } : null;
}

function isCursor(value: unknown): value is string | number {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'string' && value !== '' && value.length <= maxCursor;
}

/** Further parameters of one link are ignored. */
const maxLinkParameters = 100;

/** `Link: <url>; rel="next"` (RFC 8288). */
function linkHint(header: string | null): PageCursor | null {
  if (header === null) return null;
  for (const match of header.slice(0, 16_384).matchAll(/<([^<>]{1,4096})>([^<]*)/g)) {
    const parameters = (match[2] ?? '').split(';', maxLinkParameters + 1).slice(1);
    if (parameters.some(isNext)) return { kind: 'url', url: match[1] ?? '' };
  }
  return null;
}

/** Whether the words of `rel` include `next`, quoted or not. It uses no pattern, which would be slow on many blanks. */
function isNext(parameter: string): boolean {
  const equals = parameter.indexOf('=');
  if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== 'rel') return false;
  const words = parameter.slice(equals + 1).split(/["\s,]/);
  return words.some((word) => word.toLowerCase() === 'next');
}
