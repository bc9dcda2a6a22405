/**
 * Reads single fields of an untrusted object: a wrong type is an unknown field, never an error (R-PARSE). Checks ids
 * (R-ID) and the names of reactions, and counts and copies the values of an object.
 */
import { parseTime } from './time.ts';
import type { JsonValue, Millis } from './types.ts';

/** The most UTF-16 units of the name of a person or of a reaction. */
export const maxName = 1024;

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own field, never one of the prototype. */
export function field(object: Fields, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns a string that is not empty, cut to `maxLength` UTF-16 units; else null. */
export function stringField(object: Fields, name: string, maxLength = 4096): string | null {
  const value = field(object, name);
  return typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : null;
}

export function idField(object: Fields, name: string): string | null {
  return parseId(field(object, name));
}

export function timeField(object: Fields, name: string, now: Millis): Millis | null {
  return parseTime(field(object, name), now).at;
}

/** Reads a boolean, also from `1`, `0`, `"true"` and `"false"`; anything else is null. */
export function nullableBooleanField(object: Fields, name: string): boolean | null {
  const value = field(object, name);
  if (value === true || value === 1 || value === 'true' || value === '1') return true;
  return value === false || value === 0 || value === 'false' || value === '0' ? false : null;
}

/** As `nullableBooleanField`; anything else is false. */
export function booleanField(object: Fields, name: string): boolean {
  return nullableBooleanField(object, name) ?? false;
}

/** A deep copy by schema, without `__proto__` keys; depth is already bounded by `parseJson`. */
function copyJson(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(copyJson);
  return isObject(value) ? copyFields(value) : null;
}

export function copyFields(object: Fields): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([name]) => name !== '__proto__')
      .map(([name, value]) => [name, copyJson(value)]),
  );
}

/** Whether the value has more fields and items than `most`, at any depth. Counts no further than that. */
export function hasMoreValues(value: unknown, most: number): boolean {
  return valuesLeft(value, most) < 0;
}

/** Subtracts the number of fields and items of the value from `left`; negative as soon as there are more. */
function valuesLeft(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return left;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let rest = left - inner.length;
  for (let at = 0; at < inner.length && rest >= 0; at += 1) rest = valuesLeft(inner[at], rest);
  return rest;
}

/** A longer id is put into no path and no request (R-ID). */
const maxAddressable = 256;
/** A row with a longer id counts as a row without an id. */
const maxKept = 8192;

/** Matches text without control characters and lone surrogates. */
const plain = /^[^\u0000-\u001f\u007f-\u009f\p{Surrogate}]*$/u;

/** Whether an id can be part of a path: 1–256 characters, not `.` or `..`, no control character, no lone surrogate. */
export function isAddressable(id: string): boolean {
  return id.length >= 1 && id.length <= maxAddressable && id !== '.' && id !== '..' && plain.test(id);
}

/** Reads an id: a string or a safe integer (larger ones come as strings from `parseJson`); else null. */
function parseId(value: unknown): string | null {
  if (typeof value === 'string') return value.length >= 1 && value.length <= maxKept ? value : null;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return null;
}

/** Whether a reaction name may be sent: brackets and control characters would break the bracket notation. */
export function isSendableReactionName(name: string): boolean {
  return name.length >= 1 && name.length <= maxAddressable && plain.test(name) && !/[[\]]/.test(name);
}
