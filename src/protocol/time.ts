/**
 * Reads times in the formats that servers use (numbers, ISO 8601, HTTP dates in headers), writes them in the same format,
 * and says when two cannot be the same message's.
 */
import type { Millis, TimeFormat } from './types.ts';

export interface ReadTime {
  /** null: no time (0, negative, unreadable, or not between 1990 and two days from now). */
  readonly at: Millis | null;
  /** The format; null when it could not be read. */
  readonly format: TimeFormat | null;
}

type Unit = 's' | 'ms' | 'us' | 'ns';

const noTime: ReadTime = { at: null, format: null };
const earliest = Date.UTC(1990, 0, 1);
const twoDaysMs = 2 * 24 * 60 * 60 * 1000;
const millisPerUnit: Readonly<Record<Unit, number>> = { s: 1000, ms: 1, us: 1e-3, ns: 1e-6 };

const iso = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Decides per value (server-differences: Timestamp unit): number < 1e11 seconds, < 1e14 ms, < 1e17 µs, else ns; a
 * string of digits as a number, any other as ISO 8601, taken as UTC when it names no zone.
 * `now` bounds what is believed.
 */
export function parseTime(value: unknown, now: Millis = Number.POSITIVE_INFINITY): ReadTime {
  if (typeof value === 'number') return fromNumber(value, 'number', now);
  if (typeof value !== 'string' || value.length > 64) return noTime;
  if (/^\d{1,20}(\.\d{1,9})?$/.test(value)) return fromNumber(Number(value), 'digits', now);
  const match = iso.exec(value);
  if (match === null) return noTime;
  const [, date, clock = '00:00', zone = 'Z'] = match;
  const at = Date.parse(`${date}T${clock}${normaliseZone(zone)}`);
  return Number.isNaN(at) ? noTime : bounded(at, { kind: 'iso' }, now);
}

/** Writes `at` for a request, in the format of the server. */
export function formatTime(at: Millis, format: TimeFormat): string {
  const whole = Math.trunc(at);
  if (format.kind === 'iso') return Math.abs(whole) > 8.64e15 ? '' : new Date(whole).toISOString();
  if (format.unit === 's') return String(Math.floor(whole / 1000));
  const zeros: Readonly<Record<'ms' | 'us' | 'ns', string>> = { ms: '', us: '000', ns: '000000' };
  return `${whole}${zeros[format.unit]}`;
}

function fromNumber(value: number, kind: 'number' | 'digits', now: Millis): ReadTime {
  if (!Number.isFinite(value) || value <= 0) return noTime;
  const unit: Unit = value < 1e11 ? 's' : value < 1e14 ? 'ms' : value < 1e17 ? 'us' : 'ns';
  return bounded(Math.round(value * millisPerUnit[unit]), { kind, unit }, now);
}

function bounded(at: number, format: TimeFormat, now: Millis): ReadTime {
  return { at: at >= earliest && at <= now + twoDaysMs ? at : null, format };
}

function normaliseZone(zone: string): string {
  if (zone === 'Z' || zone === 'z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** Milliseconds since the epoch of an HTTP date in its preferred form (RFC 9110 §5.6.7), else null. */
export function parseHttpDate(text: string | null | undefined): number | null {
  const match = imfFixdate.exec(text ?? '');
  const month = months.indexOf(match?.[2] ?? '?') / 3;
  if (match === null || !Number.isInteger(month) || month < 0) return null;
  return Date.UTC(Number(match[3]), month, Number(match[1]), Number(match[4]), Number(match[5]), Number(match[6]));
}

/** In milliseconds: two answers may round the same time differently, by as much as this. */
export const roundingMs = 2_000;

/** True when both times are known and cannot be the same message's. */
export const isOfAnotherTime = (one: Millis | null, other: Millis | null): boolean =>
  one !== null && other !== null && Math.abs(one - other) > roundingMs;
