/** Builds the answers: resources with their validators, and errors in their one format. */
import { createHash } from 'node:crypto';
import type { WireError } from '../../protocol/wire.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Answer } from './exchange.ts';

export const documentationUrl = 'docs/server.md#errors';

const shared = { 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

/** `ETag` is there on the answer to a GET. */
export type JsonAnswer = Answer & { readonly headers: { readonly ETag?: string } };

const json = { ...shared, 'Content-Type': 'application/json' } as const;

/**
 * `body` is JSON text. The answer to a GET gets a strong `ETag`, and is a 304 when `ifNoneMatch` names it.
 * @param ifNoneMatch undefined for other methods
 */
export function answerJson(status: number, body: string, ifNoneMatch: string | null | undefined): JsonAnswer {
  if (ifNoneMatch === undefined) return { status, headers: json, body };
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return matches(ifNoneMatch, etag) ? notModified(etag) : { status, headers: { ...json, ETag: etag }, body };
}

export const notModified = (etag: string): JsonAnswer => ({
  status: 304,
  headers: { ...shared, ETag: etag },
  body: null,
});

export const noContent: Answer = { status: 204, headers: shared, body: null };

export function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication',
  403: 'permission',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limit',
  431: 'too_large',
  500: 'server_error',
  503: 'unavailable',
};

export function errorBody(
  status: number,
  facts: { readonly code: string; readonly message: string; readonly param: string | null },
  requestId: string,
): string {
  const body: WireError = {
    type: types[status] ?? 'invalid_request',
    message: facts.message,
    documentation_url: documentationUrl,
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
  return new Response(errorBody(status, facts, requestId), {
    status,
    headers: { ...shared, 'Content-Type': 'application/json', 'Request-Id': requestId, ...known?.headers },
  });
}
