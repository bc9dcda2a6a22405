/** Says for each status and each failure of the connection, by its code, what it means for a write (R-CLASS). */
import type { ApiErrorKind, WriteOutcome } from '../errors.ts';

export interface Verdict {
  readonly kind: ApiErrorKind;
  readonly outcome: WriteOutcome;
}

const byStatus: Readonly<Record<number, Verdict>> = {
  301: { kind: 'redirect', outcome: 'not-applied' },
  307: { kind: 'redirect', outcome: 'not-applied' },
  308: { kind: 'redirect', outcome: 'not-applied' },
  401: { kind: 'unauthorized', outcome: 'not-applied' },
  403: { kind: 'forbidden', outcome: 'not-applied' },
  404: { kind: 'not-found', outcome: 'rejected' },
  408: { kind: 'timeout', outcome: 'ambiguous' },
  409: { kind: 'invalid', outcome: 'ambiguous' },
  410: { kind: 'not-found', outcome: 'rejected' },
  413: { kind: 'too-large', outcome: 'rejected' },
  425: { kind: 'server', outcome: 'ambiguous' },
  429: { kind: 'rate-limited', outcome: 'not-applied' },
};

/** For a status other than 2xx. */
export function classifyStatus(status: number): Verdict {
  const known = byStatus[status];
  if (known !== undefined) return known;
  if (status >= 500 && status <= 599) return { kind: 'server', outcome: 'ambiguous' };
  if (status >= 400 && status <= 499) return { kind: 'invalid', outcome: 'rejected' };
  if (status >= 300 && status <= 399) return { kind: 'redirect', outcome: 'ambiguous' };
  return { kind: 'not-api', outcome: 'ambiguous' };
}

/** The `code` of a system or library error; null where it has none. Node may wrap one error for each address that it tried. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  return error instanceof AggregateError ? errorCode(error.errors[0]) : null;
}

const tlsCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'EPROTO',
]);

const timeoutCodes = new Set(['DEADLINE', 'IDLE', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** For a request without an answer: not applied where it failed before the connection was up, else ambiguous. */
export function classifyFailure(code: string | null, wasConnected: boolean): Verdict {
  return { kind: failureKind(code ?? ''), outcome: wasConnected ? 'ambiguous' : 'not-applied' };
}

function failureKind(code: string): ApiErrorKind {
  if (code === 'ABORTED') return 'aborted';
  if (timeoutCodes.has(code)) return 'timeout';
  if (tlsCodes.has(code) || code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_')) return 'tls';
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'not-api';
  return 'network';
}
