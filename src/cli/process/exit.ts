/** The exit codes of all commands, and the error that carries one to `main.ts`. */
import { systemCode } from '../../config/errors.ts';

/** The exit codes; 130 and 143 are those of SIGINT and SIGTERM. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notSignedIn: 3,
  notReached: 4,
  notFound: 5,
  forbidden: 6,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The message with which a command without an account ends. */
export const notSignedInText = 'not signed in: run msg-tui login, or set MSG_TUI_SERVER and MSG_TUI_TOKEN';

/** The details of an error besides its exit code and its line, as raw text. */
export interface ErrorDetails {
  /** The `code` in JSON, where it says more than the exit code. */
  readonly name?: string;
  /** The meanings of an ambiguous name, or similar names. */
  readonly candidates?: readonly { readonly id: string; readonly name: string }[];
  /** Whether the change is in the outbox and will be sent. */
  readonly queued?: boolean;
  /** What else went wrong while the change was tried. */
  readonly warnings?: readonly string[];
}

/** Ends the program with one line on stderr: what is wrong and how to correct it. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code: ExitCode;
  readonly details: ErrorDetails;
  constructor(code: ExitCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Whether the command ends because something that was named was not found. */
export const isNotFound = (error: unknown): boolean => error instanceof ExitError && error.code === exitCodes.notFound;

/** Whether the server refuses one thing alone, which may be gone or not for this user: others may be asked for. */
export const isRefusedAlone = (error: unknown): error is ExitError =>
  error instanceof ExitError && (error.code === exitCodes.notFound || error.code === exitCodes.forbidden);

/** The message of a thrown value as raw text, with a remedy where too many files are open. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error && 'syscall' in error && /^E[MN]FILE$/.test(systemCode(error)))
      return 'no more files can be opened; raise the limit (ulimit -n) and start again';
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'something was thrown that has no text';
  }
}
