/** Reads a list answer and every hint in it about where the next page is (API document §4; api-silences: next page). */
import { field, isObject } from './fields.ts';
import type { Page, PageCursor } from './types.ts';

/** Rows beyond this are dropped and counted as skipped (R-LIMIT). */
const maxRows = 10_000;
const maxCursor = 4096;

/**
 * null when the value is no list object (`data` is not an array). `link` is the `Link` header of the answer.
 * Rows without an id are left out and counted; of rows with the same id the last one stands, in the first one's place.
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
  const hasMore = field(list.object, 'has_more');
  return {
    items: [...byId.values()],
    hasMore: typeof hasMore === 'boolean' ? hasMore : null,
    next: hasMore === false ? null : (bodyHint(list.object) ?? linkHint(link ?? null)),
    skipped,
  };
}

/** `{data: [...]}`, or one level in: `{data: {data: [...]}}`. */
function listObject(value: unknown): { object: Readonly<Record<string, unknown>>; rows: readonly unknown[] } | null {
  if (!isObject(value)) return null;
  const data = field(value, 'data');
  if (Array.isArray(data)) return { object: value, rows: data };
  const inner = isObject(data) ? field(data, 'data') : undefined;
  return isObject(data) && Array.isArray(inner) ? { object: data, rows: inner } : null;
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

/** `Link: <url>; rel="next"` (RFC 8288). */
function linkHint(header: string | null): PageCursor | null {
  if (header === null) return null;
  for (const match of header.slice(0, 16_384).matchAll(/<([^<>]{1,4096})>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:["\s;,]|$)/i.test(match[2] ?? ''))
      return { kind: 'url', url: match[1] ?? '' };
  }
  return null;
}
