/** Creates the `ApiError` for every failure: its kind, what it means for a write, and one line for people. */

import { bodyRequestId, errorMessage, oneLine } from '../../protocol/error-body.ts';
import { parseHttpDate } from '../../protocol/time.ts';
import { parseUrl } from '../../protocol/web-address.ts';
import { ApiError } from '../errors.ts';
import { BodyProblem } from './body.ts';
import { classifyFailure, classifyStatus, errorCode } from './classify.ts';
import { otherOwnerCode } from './listener-owner.ts';
import type { Redact } from './redact.ts';
import { maxWaitMs, retryAfterMs } from './retry-after.ts';
import { type WireAnswer, WireFailure } from './transport.ts';

const maxMessage = 400;

/** How much of a 2xx answer is redacted and shortened to show its beginning, in UTF-16 units. */
const maxExcerpt = 16_384;

/** Names the request in messages: `GET /v1/messages`. */
export type Label = string;

function apiError(facts: ConstructorParameters<typeof ApiError>[0], redact: Redact): ApiError {
  return new ApiError({ ...facts, message: oneLine(redact(facts.message), maxMessage) });
}

/** For an answer whose status is not 2xx. `body` is the parsed text, undefined when it is not JSON. */
export function statusError(label: Label, answer: WireAnswer, body: unknown, redact: Redact): ApiError {
  const verdict = classifyStatus(answer.status);
  const { status } = answer;
  const serverNow = parseHttpDate(answer.headers.get('date')) ?? Date.now();
  const wait = status >= 400 ? retryAfterMs(answer.headers, body, status === 429, serverNow) : null;
  const said =
    verdict.kind === 'redirect' ? redirectText(answer, redact) : errorMessage(body, answer.text, status, redact);
  const capped = wait === maxWaitMs ? ' (asked for a long wait; trying again after 5 minutes)' : '';
  const requestId = requestIdOf(answer, body, redact);
  const request = requestName(label, requestId);
  const what = status >= 500 ? `the server has a fault (${status})` : `the server answered ${status}`;
  const message = `${what}: ${said}${capped}`;
  const code = answer.problem === null ? null : (errorCode(answer.problem) ?? 'CUT_OFF');
  return apiError({ ...verdict, status, message, requestId, request, retryAfterMs: wait, code }, redact);
}

/**
 * The error for a 2xx answer that lacks what the API document requires.
 *
 * @param hint says what is missing, as the end of a line
 * @param code one of the codes in `errors.ts`, where one of them fits
 */
export function notApiError(label: Label, answer: WireAnswer, hint: string, redact: Redact, code?: string): ApiError {
  const { status } = answer;
  const text = answer.text === '' ? '' : `: ${oneLine(redact(answer.text.slice(0, maxExcerpt)))}`;
  const requestId = requestIdOf(answer, undefined, redact);
  const message = `the server said OK (${status}), but ${hint}${text}`;
  const source = { requestId, request: requestName(label, requestId) };
  return apiError({ kind: 'not-api', outcome: 'ambiguous', status, message, ...source, code: code ?? null }, redact);
}

/** For a 2xx whose body broke off or could not be read. The write may have been applied. */
export function brokenAnswerError(label: Label, answer: WireAnswer, redact: Redact): ApiError {
  const { status, problem } = answer;
  const code = errorCode(problem);
  // A body with a problem of its own, such as its size, may be complete.
  const isUnusable = problem instanceof BodyProblem;
  const kind = isUnusable ? 'not-api' : classifyFailure(code, true).kind;
  const why = plainDescription(code) ?? (problem instanceof Error ? problem.message : 'unreadable');
  const requestId = requestIdOf(answer, undefined, redact);
  const hint = isUnusable ? why : `its answer is incomplete: ${why}`;
  const message = `the server said OK (${status}), but ${hint}`;
  const source = { requestId, request: requestName(label, requestId) };
  return apiError({ kind, outcome: 'ambiguous', status, message, ...source, code }, redact);
}

/**
 * Plain descriptions of the usual network failures. They need no request label, as every request would fail the same, and
 * no code: it is in the ledger.
 */
const plainDescriptions: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the address of the server',
  ENOTFOUND: 'the name of the server is not known',
  EAI_AGAIN: 'the name of the server could not be looked up',
  ENETUNREACH: 'the network is not reachable',
  EHOSTUNREACH: 'the server is not reachable',
  ETIMEDOUT: 'the server did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection to the server came about in time',
  ECONNRESET: 'the connection was broken off',
  EPIPE: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_HEADERS_OVERFLOW: 'the header of the answer is longer than is read',
  // An answer in plain http; which of the two it is depends on the version of OpenSSL.
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS at this port; its address may begin with http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not use TLS at this port; its address may begin with http://',
  EMFILE: 'no more files can be opened; raise the limit with ulimit -n',
  ENFILE: 'no more files can be opened on this machine',
};

const plainDescription = (code: string | null): string | undefined =>
  code === null ? undefined : plainDescriptions[code];

const unknownAuthority =
  "the certificate of the server is from an unknown authority; to trust it, set NODE_EXTRA_CA_CERTS to a file with the authority's certificate";

/** What is wrong with a certificate, and what can be done about it. */
const certificateProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_HAS_EXPIRED: 'the certificate of the server has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another name than that in the address',
};

/** Codes of this program whose message needs no code beside it. */
const selfExplainingCodes: ReadonlySet<string> = new Set(['ABORTED', 'DEADLINE', 'IDLE', otherOwnerCode]);

/** What is said before the message of an error: the code where people look it up, as for TLS and the system. */
function beforeMessage(code: string | null): string {
  if (code === null || selfExplainingCodes.has(code) || code.startsWith('UND_ERR_')) return '';
  // The parser of HTTP says what it has expected.
  return code.startsWith('HPE_') ? 'the answer is not HTTP: ' : `${code} `;
}

/** For a request that got no answer, and for anything else that was thrown on the way. */
export function failureError(label: Label, thrown: unknown, redact: Redact): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const cause = thrown instanceof WireFailure ? thrown.cause : thrown;
  const code = errorCode(cause);
  const wasConnected = !(thrown instanceof WireFailure) || thrown.wasConnected;
  const verdict = classifyFailure(code, wasConnected);
  const plain = plainDescription(code);
  if (plain !== undefined) return apiError({ ...verdict, message: plain, code }, redact);
  const text = cause instanceof Error && cause.message !== '' ? cause.message : 'no connection';
  // An alert of TLS may also end a connection on which the request has left.
  const sent = wasConnected ? '' : ', nothing was sent';
  const hint = verdict.kind === 'tls' ? `the connection is not secure${sent}: ` : '';
  const certificate = code === null ? undefined : certificateProblems[code];
  const what = certificate === undefined ? `${beforeMessage(code)}${text}` : `${certificate} (${code})`;
  return apiError({ ...verdict, message: `${hint}${what}`, request: label, code }, redact);
}

/** The request id is redacted before it is cut to 200 characters, since a part of a token would not be recognised. */
function requestIdOf(answer: WireAnswer, body: unknown, redact: Redact): string | null {
  const id = answer.headers.get('request-id') ?? answer.headers.get('x-request-id') ?? bodyRequestId(body);
  return id === null || id === '' ? null : redact(id).slice(0, 200);
}

const requestName = (label: Label, requestId: string | null): string =>
  requestId === null ? label : `${label}, request ${requestId}`;

/** Names origin and path of `Location`, without the query, which may hold secrets. */
function redirectText(answer: WireAnswer, redact: Redact): string {
  const location = redact(answer.headers.get('location') ?? '');
  const parsed = parseUrl(location);
  const place = parsed === null ? location.split(/[?#]/)[0] : `${parsed.origin}${parsed.pathname}`;
  return place === undefined || place === '' ? 'the server points elsewhere' : `the server has moved to ${place}`;
}
