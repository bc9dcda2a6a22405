/**
 * Errors in files of the user, each as one line that says what to do, and the causes of failed system calls in words.
 */
import { constants } from 'node:os';

/** `message` is one line with the file, the line in it, and the problem. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly file: string;
  /** From 1; null when the whole file is meant. */
  readonly line: number | null;
  constructor(file: string, line: number | null, problem: string) {
    super(`${file}${line === null ? '' : `:${line}`}: ${problem}`);
    this.file = file;
    this.line = line;
  }
}

/** The user named a profile that config.toml does not have. */
export class UnknownProfile extends ConfigError {
  override readonly name = 'UnknownProfile';
}

/** One token of credentials.json cannot be used; those of other profiles can. */
export class UnusableToken extends ConfigError {
  override readonly name = 'UnusableToken';
}

/** The first of several problems, and how many more there are, as one line; null for none. */
export function firstProblem([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null;
  return others.length === 0 ? first : `${first} (and ${others.length} more: see msg-tui config check)`;
}

/** The code of a failed system call (`ENOENT`), or the empty string. */
export function systemCode(error: unknown): string {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  // Node has no name for this one.
  if (code === `Unknown system error -${constants.errno.EDQUOT}`) return 'EDQUOT';
  return typeof code === 'string' ? code : '';
}

const causes: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EFBIG: 'the file would be larger than allowed',
  EROFS: 'the file system is read-only; make it writable',
  EACCES: 'you have no permission; check its owner and mode',
  EPERM: 'you have no permission; check its owner and mode',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'the symbolic link leads back to itself',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'no more files can be opened; raise the limit (ulimit -n) and start again',
  ENFILE: 'no more files can be opened on this machine',
};

/** Why a file cannot be read or written, as the end of a sentence: `the disk is full; free some space (ENOSPC)`. */
export function systemCause(error: unknown): string {
  const code = systemCode(error);
  const cause = causes[code];
  if (cause !== undefined) return `${cause} (${code})`;
  return code !== '' ? code : String(error instanceof Error ? error.message : error);
}
