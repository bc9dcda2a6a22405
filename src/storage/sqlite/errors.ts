/** The one error class of storage: a line that says what is wrong with the disk and what to do. */

/**
 * `full`: no space or quota; `read-only`; `corrupt`: not readable as a database; `newer`: written by a later version;
 * `in-use`: a process of an earlier version may have it open; `no-sqlite`: no SQLite in this Node; `permission`;
 * `gone`: the record is no longer there; `replaced`: the open file is no longer the one at its path; `no-files`: this
 * process, or the system, may open no more; `no-locks`: the file system has none; `io`: anything else.
 */
export type StorageErrorKind =
  | 'full'
  | 'read-only'
  | 'corrupt'
  | 'newer'
  | 'in-use'
  | 'no-sqlite'
  | 'permission'
  | 'gone'
  | 'replaced'
  | 'no-files'
  | 'no-locks'
  | 'io';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly kind: StorageErrorKind;
  constructor(kind: StorageErrorKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

export const remedies: Readonly<Record<StorageErrorKind, string>> = {
  full: 'the disk or quota is full; free some space and try again',
  'read-only':
    'the file, its directory or the file system is read-only; make it writable or set XDG_DATA_HOME and XDG_CACHE_HOME elsewhere',
  corrupt: 'the file is damaged; run `msg-tui doctor`',
  newer: 'it was written by a newer msg-tui; update msg-tui',
  'in-use': 'an earlier msg-tui may have it open; quit that one first',
  'no-sqlite': 'no SQLite found; reinstall msg-tui with its optional dependencies, or use Node 22.13 or later',
  permission: 'access denied; check the owner and the mode of the directory',
  gone: 'it was removed by another msg-tui',
  replaced: 'it was deleted or replaced; quit and start msg-tui again',
  'no-files': 'no more files can be opened; raise the limit (ulimit -n) and start again',
  'no-locks':
    'files cannot be locked there, as on some network file systems; set XDG_DATA_HOME to a directory on a disk of this machine',
  io: 'the disk did not take it; check the disk and try again',
};

/** Primary result codes, https://www.sqlite.org/rescode.html. An error of the system call beneath takes precedence. */
const sqliteKinds: Readonly<Record<number, StorageErrorKind>> = {
  3: 'permission',
  8: 'read-only',
  11: 'corrupt',
  13: 'full',
  23: 'permission',
  26: 'corrupt',
};

/** Extended result codes of damage: a file that ends too early (522), one damaged for its file system (8458). */
const extendedKinds: Readonly<Record<number, StorageErrorKind>> = { 522: 'corrupt', 8458: 'corrupt' };

/** `all` and `iterate` of @photostructure/sqlite give the text of the result code without its number. */
const sqliteTexts: Readonly<Record<string, StorageErrorKind>> = {
  'database disk image is malformed': 'corrupt',
  'file is not a database': 'corrupt',
  'unsupported file format': 'corrupt',
  'database or disk is full': 'full',
  'attempt to write a readonly database': 'read-only',
};

const errnoKinds: Readonly<Record<string, StorageErrorKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EACCES: 'permission',
  EPERM: 'permission',
  EMFILE: 'no-files',
  ENFILE: 'no-files',
};

/** The numbers of these names on Linux: the SQLite driver reports numbers only, and Node has no name for EDQUOT. */
const errnoNames: Readonly<Record<number, string>> = {
  1: 'EPERM',
  13: 'EACCES',
  23: 'ENFILE',
  24: 'EMFILE',
  27: 'EFBIG',
  28: 'ENOSPC',
  30: 'EROFS',
  122: 'EDQUOT',
};

/** Wraps an error of SQLite or of the file system; `what` begins the line: `The outbox was not saved`. */
export function toStorageError(error: unknown, what: string): StorageError {
  if (error instanceof StorageError) return error;
  const kind = kindOf(error);
  return new StorageError(kind, `${what}: ${remedies[kind]}${detail(error)}.`, { cause: error });
}

function kindOf(error: unknown): StorageErrorKind {
  if (typeof error !== 'object' || error === null) return 'io';
  const { errcode, systemErrno, errno, code, message } = error as Readonly<Record<string, unknown>>;
  // Node negates the number.
  const bySystem = errnoKinds[errnoNames[Number(systemErrno ?? -Number(errno))] ?? String(code)];
  if (bySystem !== undefined) return bySystem;
  // Extended result codes hold the primary one in their low byte.
  const byCode = typeof errcode === 'number' ? (extendedKinds[errcode] ?? sqliteKinds[errcode & 0xff]) : undefined;
  // A number that msg-tui never writes is damage; the other rows can still be read.
  if (/too large to be represented as a JavaScript number/.test(String(message))) return 'corrupt';
  // A missing table or column is damage as well: the file was emptied, or its schema or version was changed.
  if (
    /^(no such (table|column)|table \S+ (already exists|has)|no such index|index \S+ already exists)/.test(
      String(message),
    )
  )
    return 'corrupt';
  const byResult = byCode ?? sqliteTexts[String(message)];
  return byResult ?? 'io';
}

/** The cause in brackets, without line breaks and without the path that fs errors quote. */
function detail(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as { readonly code?: unknown };
  const isSystem = typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
  const cause = isSystem ? code : error.message.replaceAll(/\s+/g, ' ').slice(0, 120);
  return cause === '' ? '' : ` (${cause})`;
}

/** What the read returns; null where it throws. */
export function nullOnError<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
