/** Exit codes of every command, and the error that carries one to `main.ts`. */
import { systemCode } from '../config/errors.ts';

/** 130 and 143 are those of SIGINT and SIGTERM. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notSignedIn: 3,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the program with one line on stderr: what is wrong and how to correct it. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code: ExitCode;
  constructor(code: ExitCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The text of whatever was thrown, and the remedy where all files are taken; raw: it is cleaned where it is printed. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error && 'syscall' in error && /^E[MN]FILE$/.test(systemCode(error)))
      return 'no more files can be opened; raise the limit (ulimit -n) and start again';
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'something was thrown that has no text';
  }
}
