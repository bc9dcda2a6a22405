/** Chooses the exit code for an error of the API and for a refused write. */
import { ApiError, type ApiErrorKind } from '../../api/errors.ts';
import { type ExitCode, ExitError, exitCodes } from '../process/exit.ts';

const codes: Readonly<Partial<Record<ApiErrorKind, ExitCode>>> = {
  unauthorized: exitCodes.notSignedIn,
  forbidden: exitCodes.forbidden,
  'not-found': exitCodes.notFound,
  network: exitCodes.notReached,
  timeout: exitCodes.notReached,
  tls: exitCodes.notReached,
  redirect: exitCodes.notReached,
  'not-api': exitCodes.notReached,
  'rate-limited': exitCodes.notReached,
  server: exitCodes.notReached,
  aborted: exitCodes.notReached,
};

/** Turns an `ApiError` into an `ExitError`; anything else stays as it is. */
export function asExit(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const message = error.kind === 'unauthorized' ? withNewToken(error.message) : error.message;
  return new ExitError(codes[error.kind] ?? exitCodes.failure, message);
}

/** @param reason why the server refused the token */
export const withNewToken = (reason: string): string =>
  `${reason.replace(/\.$/, '')}; give another token by msg-tui login, MSG_TUI_TOKEN or --token-file`;

/** @param evidence the status or the code of an answer that refused a write */
export function codeOfRefusal(evidence: string | null): ExitCode {
  if (evidence === '401') return exitCodes.notSignedIn;
  if (evidence === '403' || evidence === 'forbidden') return exitCodes.forbidden;
  if (evidence === '404' || evidence === '410' || evidence === 'not-found') return exitCodes.notFound;
  return exitCodes.failure;
}
