/** Makes one call: builds URL and headers, sends it, checks status and JSON. Every failure becomes an `ApiError`. */

import { field, isObject } from '../../protocol/fields.ts';
import { JsonProblem, parseJson, TooManyValues } from '../../protocol/json.ts';
import type { Method } from '../../protocol/routes.ts';
import { parseHttpDate } from '../../protocol/time.ts';
import type { Millis, PageCursor } from '../../protocol/types.ts';
import { parseUrl } from '../../protocol/web-address.ts';
import { ApiError, bodySaysNoCode, foreignBodyCode } from '../errors.ts';
import { BodyProblem } from './body.ts';
import { bodyMark, isBodyMark } from './body-mark.ts';
import { brokenAnswerError, failureError, notApiError, statusError } from './failure.ts';
import type { Redact } from './redact.ts';
import type { Transport, WireAnswer } from './transport.ts';
import { sliceSize, yieldToEventLoop } from './yield-to-event-loop.ts';

export interface Call {
  readonly method: Method;
  /** `/v1/…`, already encoded. */
  readonly path: string;
  /** What the request is for, in a few words; reported with it. */
  readonly reason: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly cursor?: PageCursor | undefined;
  readonly form?: string;
  readonly idempotencyKey?: string;
  readonly ifNoneMatch?: string | undefined;
  /** The answer may take so much longer (RFC 7240, `Prefer: wait`). */
  readonly waitSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly wire: WireAnswer;
  /** Parsed JSON; undefined when the body is empty, or `isUnchanged`. */
  readonly body: unknown;
  /** The server's clock when it answered (`Date` header), in milliseconds; null when it gave none. */
  readonly serverDate: number | null;
  readonly etag: string | null;
  /** The resource is as it was when the validator of the call was given. There is no body then. */
  readonly isUnchanged: boolean;
  readonly isWaitApplied: boolean;
  /** The error for an answer that lacks what the API document requires. `hint` says what is missing. */
  problem(hint: string, code?: string): ApiError;
}

/** Headers of an answer that concern more than the call itself. */
export interface ResponseFacts {
  readonly method: Method;
  readonly path: string;
  readonly serverDate: number | null;
  readonly deprecation?: string;
  readonly sunset?: string;
}

export interface Caller {
  /** Resolves for a 2xx, and for a 304 when the call has `ifNoneMatch`; anything else rejects with `ApiError`. */
  call(call: Call): Promise<Reply>;
  readonly origin: string;
  readonly onSkippedRows: ((count: number, path: string) => void) | undefined;
}

export interface CallerSettings {
  /** As `normaliseBaseUrl` returns it, without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly userAgent: string;
  readonly redact: Redact;
  /** The reason of every request, where they all have the same. */
  readonly reason?: string | undefined;
  readonly onResponse?: ((facts: ResponseFacts) => void) | undefined;
  readonly onSkippedRows?: ((count: number, path: string) => void) | undefined;
}

export function createCaller(transport: Transport, settings: CallerSettings): Caller {
  const { redact } = settings;
  return {
    origin: new URL(settings.baseUrl).origin,
    onSkippedRows: settings.onSkippedRows,
    async call(call) {
      const label = `${call.method} ${call.path}`;
      try {
        const { method, signal, form = null } = call;
        const reason = settings.reason ?? call.reason;
        const headers = headersOf(settings, call);
        const url = addressOf(settings, call);
        const waitMs = 1_000 * (call.waitSeconds ?? 0);
        const received = await transport.send({ method, url, headers, body: form, signal, reason, waitMs });
        const isUnchanged = isSameAgain(call, received);
        const isLarge = received.text.length > sliceSize;
        if (isLarge) await yieldToEventLoop();
        const { wire, body, fault } = isUnchanged ? { wire: received, body: undefined } : readJson(received);
        if (isLarge) await yieldToEventLoop();
        const serverDate = parseHttpDate(wire.headers.get('date'));
        settings.onResponse?.(factsOf(call, wire, serverDate, redact));
        if ((wire.status < 200 || wire.status > 299) && !isUnchanged) throw statusError(label, wire, body, redact);
        if (wire.problem !== null) throw brokenAnswerError(label, wire, redact);
        const problem: Reply['problem'] = (hint, code) => notApiError(label, wire, hint, redact, code);
        if (fault !== undefined) throw problem(`its answer is ${fault}`, foreignBodyCode);
        if (bodySaysNo(body, method)) throw problem('its body says that it failed', bodySaysNoCode);
        const isWaitApplied = call.waitSeconds !== undefined && appliesWait(wire);
        return { wire, body, serverDate, etag: etagOf(wire), isUnchanged, isWaitApplied, problem };
      } catch (error) {
        throw failureError(label, error, redact);
      }
    },
  };
}

/**
 * The URL must be the base plus the encoded path after parsing as well (R-ID), and a page URL of the server's must be
 * on the same origin (R-ORIGIN), or the token would go where a name in an answer sends it.
 */
function addressOf({ baseUrl }: CallerSettings, call: Call): URL {
  const expected = baseUrl + call.path;
  const url = new URL(expected);
  if (url.href !== expected) {
    throw new ApiError({ kind: 'unusable-id', outcome: 'not-applied', message: unusableId });
  }
  if (call.cursor?.kind === 'url') return pageAddress(call.cursor.url, url);
  for (const [name, value] of Object.entries({ ...call.query, ...call.cursor?.parameters })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

const unusableId = 'this id cannot be put into an address';

function pageAddress(text: string, from: URL): URL {
  const url = parseUrl(text, from.href);
  if (url !== null && url.origin === from.origin && url.username === '' && url.password === '') {
    url.hash = '';
    return url;
  }
  const message = 'the server names a next page on another server; the token stays here';
  throw new ApiError({ kind: 'redirect', outcome: 'not-applied', message });
}

function headersOf(settings: CallerSettings, call: Call): Record<string, string> {
  return {
    authorization: `Bearer ${settings.token}`,
    accept: 'application/json',
    'user-agent': settings.userAgent,
    'accept-encoding': call.method === 'GET' ? 'gzip' : 'identity',
    ...(call.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
    ...(call.ifNoneMatch === undefined || isBodyMark(call.ifNoneMatch) ? {} : { 'if-none-match': call.ifNoneMatch }),
    ...(call.waitSeconds === undefined ? {} : { prefer: `wait=${call.waitSeconds}` }),
  };
}

/** Whether the server says that nothing has changed, or answers with the same text as before, which is not parsed again. */
function isSameAgain({ ifNoneMatch }: Call, wire: WireAnswer): boolean {
  if (ifNoneMatch === undefined || wire.problem !== null) return false;
  return isBodyMark(ifNoneMatch) ? wire.status === 200 && bodyMark(wire) === ifNoneMatch : wire.status === 304;
}

const appliesWait = ({ headers }: WireAnswer): boolean =>
  /(?:^|[,;\s])wait\s*=/i.test(headers.get('preference-applied') ?? '');

const isBlank = (text: string): boolean => !/\S/.test(text);

/**
 * `body` is undefined when it is empty or cannot be read; `fault` says why it cannot. An answer with too many values is
 * treated as too large.
 */
function readJson(wire: WireAnswer): Pick<Reply, 'wire' | 'body'> & { readonly fault?: string } {
  if (isBlank(wire.text)) return { wire, body: undefined };
  try {
    return { wire, body: parseJson(wire.text) };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    if (!(error instanceof TooManyValues)) return { wire, body: undefined, fault: error.message };
    const problem = new BodyProblem('BODY_TOO_LARGE', `the answer has ${error.message}`);
    return { wire: { ...wire, problem }, body: undefined };
  }
}

/** Whether a 2xx says that nothing was done: `ok: false`, `success: false`, or `deleted: false` after DELETE. */
function bodySaysNo(body: unknown, method: Method): boolean {
  const isNo = (name: string) => isObject(body) && field(body, name) === false;
  return isNo('ok') || isNo('success') || (method === 'DELETE' && isNo('deleted'));
}

function factsOf(call: Call, wire: WireAnswer, serverDate: Millis | null, redact: Redact): ResponseFacts {
  const deprecation = wire.headers.get('deprecation');
  const sunset = wire.headers.get('sunset');
  return {
    method: call.method,
    path: call.path,
    serverDate,
    ...(deprecation === undefined ? {} : { deprecation: redact(deprecation) }),
    ...(sunset === undefined ? {} : { sunset: redact(sunset) }),
  };
}

/** The validator, only when it is safe to send back in a header. */
function etagOf(wire: WireAnswer): string | null {
  const etag = wire.headers.get('etag');
  return etag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e]{0,256}"$/.test(etag) ? etag : null;
}
