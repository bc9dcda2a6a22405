/** Explains why an address and a token could not be used, and what to do about it. */
import { ApiError, type ApiErrorKind } from '../../api/errors.ts';
import { messageOf } from '../process/exit.ts';

const remedies: Readonly<Partial<Record<ApiErrorKind, string>>> = {
  unauthorized: 'the server does not accept this token; check it or ask for a new one',
  forbidden: 'this token is not allowed to read conversations; check it or ask for a new one',
  'not-api': 'what answers at this address is not the Messaging Service; check the address',
  'not-found': 'what answers at this address is not the Messaging Service; check the address',
  redirect: 'the service is somewhere else; check the address',
  'rate-limited': 'the server takes no more requests for now; try again in a while',
  server: 'the server has a problem of its own; try again in a while',
};

/** Returns one line of raw text that begins with a small letter: the remedy first, then what happened. */
export function accountProblem(error: unknown): string {
  const message = `${messageOf(error)}${requestOf(error)}`;
  const remedy = error instanceof ApiError ? remedies[error.kind] : undefined;
  return remedy === undefined ? message : `${remedy} (${message})`;
}

/** The id of the request, by which those who run the server find it in their log. */
const requestOf = (error: unknown): string =>
  error instanceof ApiError && error.facts.request !== null ? ` [${error.facts.request}]` : '';
