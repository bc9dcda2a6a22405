/** Builds the answers: resources with their validators, and errors in their one format. */
import { createHash } from 'node:crypto';
import type { WireError } from '../../protocol/wire.ts';
import { ServiceError } from '../rules/service-error.ts';

export const documentationUrl = 'docs/server.md#errors';

const shared = { 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

/** `body` is JSON text. A GET gets a strong `ETag`, and 304 when `ifNoneMatch` names it. */
export function answer(status: number, body: string, isGet: boolean, ifNoneMatch: string | null): Response {
  const headers: Record<string, string> = { ...shared, 'Content-Type': 'application/json' };
  if (!isGet) return new Response(body, { status, headers });
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (matches(ifNoneMatch, etag)) return new Response(null, { status: 304, headers: { ...shared, ETag: etag } });
  return new Response(body, { status, headers: { ...headers, ETag: etag } });
}

export const noContent = (): Response => new Response(null, { status: 204, headers: shared });

function matches(ifNoneMatch: string | null, etag: string): boolean {
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
