/** Reads JSON from outside: bounded depth, ids as numbers kept exactly, and errors that never quote the input. */

const maxDepth = 64;
/**
 * Parsed values take far more memory than their bytes, and reading 8 MB of them takes a second. The largest page that
 * is requested, 6,400 messages with a contact and a few reactions each, has some 170,000 values.
 */
const maxValues = 200_000;
/** V8 reads an object with very many different keys slowly: 90,000 of them hold a key press up for 200 ms. */
const maxFields = 20_000;
/** Numbers of no more characters than this, and without an exponent, are kept as they are. */
const alwaysSafeLength = 15;

const quote = 0x22;
const backslash = 0x5c;

/** The text is not JSON, or nested deeper than 64. The message holds nothing of the text. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
}

/** There are more than 200,000 values in the text, or more than 20,000 fields in one object; it may be JSON. */
export class TooManyValues extends JsonProblem {}

/**
 * Parses JSON. Integers beyond 2^53, and numbers that would be rounded to an integer below it, become strings of what
 * is written, so that an id sent as a number keeps its text (server-differences: Ids). A byte order mark is skipped.
 * Throws `JsonProblem`, also for more than 200,000 values (fields, items, and objects and arrays with nothing in them)
 * or more than 20,000 fields in one object.
 */
export function parseJson(text: string): unknown {
  const safe = quoteInexact(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  try {
    return JSON.parse(safe) as unknown;
  } catch {
    throw new JsonProblem('not JSON');
  }
}

/** Passes once over the text outside of strings: checks depth and number of values, quotes inexact numbers. */
function quoteInexact(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  let values = 1;
  /** How many fields the object at each depth has so far. */
  const fields = new Uint32Array(maxDepth + 1);
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (code === 0x2c || code === 0x5b || code === 0x7b) {
      values += 1;
      if (values > maxValues) throw new TooManyValues(`more than ${maxValues} values`);
    }
    if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) throw new JsonProblem(`nested deeper than ${maxDepth}`);
      fields[depth] = 0;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === 0x3a) countField(fields, depth);
    if (code !== 0x2d && !isDigit(code)) {
      at += 1;
      continue;
    }
    const end = endOfNumber(text, at);
    if (isInexact(text, at, end) && !isKey(text, end)) {
      parts.push(text.slice(copied, at), '"', text.slice(at, end), '"');
      copied = end;
    }
    at = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

function countField(fields: Uint32Array, depth: number): void {
  const count = (fields[depth] ?? 0) + 1;
  fields[depth] = count;
  if (count > maxFields) throw new TooManyValues(`an object of more than ${maxFields} fields`);
}

/** The index after the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let slashes = 0;
    while (at - slashes - 1 > start && text.charCodeAt(at - slashes - 1) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const isPart = isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d;
    if (!isPart) break;
    at += 1;
  }
  return at;
}

/** Whether JavaScript would read the number from `start` to `end` as another integer. */
function isInexact(text: string, start: number, end: number): boolean {
  let hasExponent = false;
  for (let at = start; at < end && end - start <= alwaysSafeLength; at += 1)
    hasExponent ||= (text.charCodeAt(at) | 0x20) === 0x65;
  if (end - start <= alwaysSafeLength && !hasExponent) return false;
  const token = text.slice(start, end);
  const [isNumber, fraction, exponent] = /^-?(?:0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.exec(token) ?? [];
  if (isNumber === undefined) return false;
  const value = Number(token);
  if (fraction === undefined && exponent === undefined) return !Number.isSafeInteger(value);
  return Number.isSafeInteger(value) && significant(token) !== significant(String(value));
}

/** The digits without zeros at both ends, which rounding would change. */
function significant(token: string): string {
  const digits = token.replace(/e.*/i, '').replace(/\D/g, '');
  let end = digits.length;
  // A pattern that ends in `0+$` would take the square of the time.
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end).replace(/^0+/, '');
}

/** A number before a colon is not JSON, and must not become JSON by quoting it. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return text.charAt(at) === ':';
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
