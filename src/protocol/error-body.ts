/** Finds the sentence for people, and the request id, in the body of an error, whatever its shape. */

const maxLength = 200;

/** How much of an answer is searched for the sentence, in UTF-16 units. */
const mostRead = 16_384;

const phrases: Readonly<Record<number, string>> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  408: 'request timeout',
  409: 'conflict',
  410: 'gone',
  413: 'too large',
  415: 'unsupported media type',
  422: 'unprocessable',
  425: 'too early',
  429: 'too many requests',
  431: 'header too large',
  500: 'internal server error',
  501: 'not implemented',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
};

function statusPhrase(status: number): string {
  return phrases[status] ?? `status ${status}`;
}

/**
 * First string of the known places (server-differences: Errors), else the text without tags, else the status phrase;
 * one line of at most 200 characters. `body` is the parsed answer, or undefined when it is not JSON. Raw text, not
 * sanitised.
 * @param redact is applied before the text is shortened, as it would not find a token of which a part is missing
 */
export function errorMessage(
  body: unknown,
  text: string,
  status: number,
  redact: (raw: string) => string = (raw) => raw,
): string {
  const found = candidates(body).find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof found === 'string') return oneLine(redact(found.slice(0, mostRead)));
  const bare = body === undefined ? oneLine(withoutTags(redact(text.slice(0, mostRead)))) : '';
  // The error pages of proxies begin with the status: `502 Bad Gateway`.
  const rest = bare.startsWith(`${status} `) ? bare.slice(String(status).length + 1) : bare;
  return rest === '' ? statusPhrase(status) : rest;
}

/** Returns the text as one line of at most `length` characters, never cut inside a surrogate pair. */
export function oneLine(text: string, length = maxLength): string {
  const flat = text
    .slice(0, length * 8)
    .replace(/\s+/g, ' ')
    .trim();
  return flat.length <= length ? flat : `${flat.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The `request_id` of an error body (server-differences: Errors); null when it has none. */
export function bodyRequestId(body: unknown): string | null {
  const id = field(body, 'request_id');
  return typeof id === 'string' && id.length <= 200 && id !== '' ? id : null;
}

function candidates(body: unknown): unknown[] {
  if (typeof body === 'string') return [body];
  const error = field(body, 'error');
  const errors = field(body, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return [
    field(body, 'message'),
    field(error, 'message'),
    error,
    field(first, 'message'),
    first,
    ...['detail', 'error_description', 'description', 'msg', 'title'].map((name) => field(body, name)),
    complaint(errors) ?? complaint(error) ?? complaint(body),
  ];
}

/** Reads the first of the fields and their problems: `{"reactions": ["is required"]}`. */
function complaint(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (const [name, list] of Object.entries(value)) {
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    if (typeof first === 'string' && first.trim() !== '') return `${name}: ${first}`;
  }
  return undefined;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function withoutTags(text: string): string {
  return text.replace(/<(script|style)\b[^<]*<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ');
}
