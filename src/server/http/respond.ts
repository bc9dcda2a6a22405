/** Builds the answers: resources with their validators, and errors in their one format. */
import { hash } from 'node:crypto';
import type { WireError } from '../../protocol/wire.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Answer } from './exchange.ts';

const shared = { 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

const json = { ...shared, 'Content-Type': 'application/json' } as const;

/** The answer to a write. `body` is JSON text. */
export const answerJson = (status: number, body: string): Answer => ({ status, headers: json, body });

/** The strong validator of a JSON text (RFC 9110 §8.8.3), with its quotation marks. */
export const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/** The answer to a read: 200, or 304 where `ifNoneMatch` names the validator. `body` is JSON text. */
export const answerRead = (body: string, etag: string, ifNoneMatch: string | null): Answer =>
  matches(ifNoneMatch, etag) ? notModified(etag) : { status: 200, headers: { ...json, ETag: etag }, body };

export const notModified = (etag: string): Answer => ({
  status: 304,
  headers: { ...shared, ETag: etag },
  body: null,
});

export const noContent: Answer = { status: 204, headers: shared, body: null };

/**
 * The response with its length as a header: @hono/node-server otherwise passes the length to Node apart from the headers,
 * where `observeRequests` does not find it.
 */
export function responseOf({ status, headers, body }: Answer): Response {
  const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Response(body, { status, headers: { ...headers, ...length } });
}

export function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** The type of the error by its status, and where that status is defined. */
const kinds: Readonly<Record<number, readonly [type: string, section: string]>> = {
  400: ['invalid_request', 'rfc9110#section-15.5.1'],
  401: ['authentication', 'rfc9110#section-15.5.2'],
  403: ['permission', 'rfc9110#section-15.5.4'],
  404: ['not_found', 'rfc9110#section-15.5.5'],
  405: ['method_not_allowed', 'rfc9110#section-15.5.6'],
  408: ['timeout', 'rfc9110#section-15.5.9'],
  413: ['too_large', 'rfc9110#section-15.5.14'],
  415: ['unsupported_media_type', 'rfc9110#section-15.5.16'],
  429: ['rate_limit', 'rfc6585#section-4'],
  431: ['too_large', 'rfc6585#section-5'],
  500: ['server_error', 'rfc9110#section-15.6.1'],
  503: ['unavailable', 'rfc9110#section-15.6.4'],
};

export function errorBody(
  status: number,
  facts: { readonly code: string; readonly message: string; readonly param: string | null },
  requestId: string,
): string {
  const [type, section] = kinds[status] ?? ['invalid_request', 'rfc9110#section-15'];
  const body: WireError = {
    type,
    message: facts.message,
    documentation_url: `https://www.rfc-editor.org/rfc/${section}`,
    code: facts.code,
    param: facts.param,
    request_id: requestId,
  };
  return JSON.stringify(body);
}

/** Anything but a `ServiceError` becomes a 500 without details of the failure. */
export function errorAnswer(error: unknown, requestId: string): Response {
  const known = error instanceof ServiceError ? error : null;
  const status = known?.status ?? 500;
  const facts = known ?? {
    code: 'internal',
    message: 'The server failed; the request may or may not have been carried out.',
    param: null,
  };
  return responseOf({
    status,
    headers: { ...shared, 'Content-Type': 'application/json', 'Request-Id': requestId, ...known?.headers },
    body: errorBody(status, facts, requestId),
  });
}
