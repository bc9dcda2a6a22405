/** Tells apart errors of the PostgreSQL driver after which a transaction runs again, and those of an unavailable database. */
import { DatabaseUnavailable } from '../sql.ts';

/** A serialization failure and a deadlock: other transactions were in the way. */
const collisions = new Set(['40001', '40P01']);

/**
 * A unique key and a foreign key. Another transaction may have inserted or deleted a row between the read and the write;
 * a second run sees what it has committed.
 */
const violations = new Set(['23505', '23503']);

/** Codes of Node for a server that cannot be reached. */
const unreachable = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;

/**
 * Codes of PostgreSQL after which a later attempt can succeed: a lost connection (08), a server that starts or stops (57P),
 * one without places, memory or disk space (53), a standby that takes no writes (25006), a statement or a lock that took
 * too long (57014, 55P03), and a transaction that waited too long (25P03).
 */
const temporary = /^(08...|53...|57P0[1-5]|25006|57014|55P03|25P03)$/;

/** The driver gives these errors no code. */
const withoutCode =
  /^(Connection terminated|timeout exceeded|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout)/;

const codeOf = (error: unknown): string => {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
};

export const isConflict = (error: unknown): boolean =>
  error instanceof Error && (collisions.has(codeOf(error)) || violations.has(codeOf(error)));

/** True for a statement that was not carried out since an earlier one of its transaction had failed. */
export const isAborted = (error: unknown): boolean => error instanceof Error && codeOf(error) === '25P02';

/** True when the connection is lost, so that it is not known what became of a COMMIT. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === '' ? withoutCode.test(error.message) : unreachable.test(code) || /^(08|57P0)/.test(code);
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isConnectionLost(error) || temporary.test(codeOf(error)) || collisions.has(codeOf(error));
}

/** The error to throw for one that the driver has thrown before a COMMIT: nothing was carried out. */
export function asFailure(error: unknown): unknown {
  return error instanceof Error && isTemporary(error) ? unavailable(error) : error;
}

/**
 * A server that runs could connect when it was started. Whatever is the reason that it cannot now (an operator may have
 * withdrawn the database or the role), nothing was carried out, and it may be able to later.
 */
export const asNotConnected = (error: unknown): unknown => (error instanceof Error ? unavailable(error) : error);

function unavailable(error: Error): DatabaseUnavailable {
  // Node reports several addresses of one host that refuse by an error without a text.
  const reason = error.message === '' ? codeOf(error) : error.message;
  return new DatabaseUnavailable(`the database cannot be used: ${reason}`, { cause: error });
}
