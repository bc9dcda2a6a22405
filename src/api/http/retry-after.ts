/** Reads how long an answer asks to wait (server-differences: Rate limits; R-RETRY). */
import { field, isObject } from '../../protocol/fields.ts';
import { parseHttpDate } from '../../protocol/time.ts';

const minWaitMs = 1000;
/** In milliseconds. A server that asks for a longer wait is asked again after this, and the status line says so. */
export const maxWaitMs = 5 * 60 * 1000;

/**
 * The wait in milliseconds, 1 s to 5 min, the largest of all that is said; null when nothing readable is said.
 * `isLimited`: the status is 429, so that the rate-limit headers speak of now. Dates are read against the server's
 * clock.
 */
export function retryAfterMs(
  headers: ReadonlyMap<string, string>,
  body: unknown,
  isLimited: boolean,
  serverNow: number,
): number | null {
  const waits = [
    ...splitHeader(headers.get('retry-after')).map((text) => secondsOrDate(text, serverNow)),
    ...(isLimited ? [...bodyWaits(body), ...rateLimitWaits(headers, serverNow)] : []),
  ].filter((wait) => wait !== null);
  if (waits.length === 0) return null;
  return Math.min(maxWaitMs, Math.max(minWaitMs, ...waits));
}

/** Splits a repeated header, whose values arrive joined by commas, but not at the comma in a date. */
function splitHeader(value: string | undefined): string[] {
  return value === undefined
    ? []
    : value
        .slice(0, 1000)
        .split(/,(?! \d{2} [A-Z])/)
        .map((part) => part.trim());
}

function secondsOrDate(text: string, serverNow: number): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = parseHttpDate(text);
  return date === null ? null : date - serverNow;
}

function bodyWaits(body: unknown): (number | null)[] {
  if (!isObject(body)) return [];
  const parameters = field(body, 'parameters');
  return [
    nonNegative(field(body, 'retry_after'), 1000),
    isObject(parameters) ? nonNegative(field(parameters, 'retry_after'), 1000) : null,
    nonNegative(field(body, 'retry_after_ms'), 1),
  ];
}

function rateLimitWaits(headers: ReadonlyMap<string, string>, serverNow: number): (number | null)[] {
  const reset = nonNegative(headers.get('x-ratelimit-reset'), 1000);
  return [
    nonNegative(headers.get('x-ratelimit-reset-after'), 1000),
    nonNegative(headers.get('ratelimit-reset'), 1000),
    // A number below 1e9 counts seconds from now; a larger one is a time.
    reset === null || reset < 1e12 ? reset : reset - serverNow,
  ];
}

function nonNegative(value: unknown, factor: number): number | null {
  const number = typeof value === 'string' && /^\d{1,12}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number * factor : null;
}
