/**
 * The debug log of this process, which `--debug-log FILE` opens: one line of JSON for each event, without the text of
 * messages, names or tokens; and which facts of an error may be in it. It belongs to the process and not to an account,
 * so that every command has it.
 */
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { type LedgerEntry, rowOf } from './entry.ts';

type Fields = Readonly<Record<string, unknown>>;

let file: number | null = null;
let waiting: string[] = [];

export const isDebugging = (): boolean => file !== null;

/**
 * Appends to the file from now on; it is readable by the user alone. A device keeps its mode: /dev/null belongs to everybody, and
 * root could change it. Throws the error of the file system.
 */
export function openDebugLog(path: string): void {
  closeDebugLog();
  file = openSync(path, 'a', 0o600);
  if (process.platform !== 'win32' && fstatSync(file).isFile()) fchmodSync(file, 0o600);
  process.once('exit', write);
}

/** Writes what waits. For tests; the end of the process does it by itself. */
export function closeDebugLog(): void {
  if (file === null) return;
  write();
  closeSync(file);
  file = null;
  process.removeListener('exit', write);
}

/** The line is written after the current turn of the event loop, and before the process ends. */
export function debug(event: string, fields: Fields): void {
  if (file === null) return;
  waiting.push(`${JSON.stringify({ time: new Date().toISOString(), pid: process.pid, event, ...fields })}\n`);
  if (waiting.length === 1) setImmediate(write).unref();
}

/** A line of the ledger; it began at another time than it is written. */
export function debugEntry(entry: LedgerEntry): void {
  const { time: began, kind, ...fields } = rowOf(entry);
  debug(String(kind), { began, ...fields });
}

export const debugError = (during: string, error: unknown): void => debug('error', { during, ...errorFacts(error) });

function write(): void {
  const lines = waiting.join('');
  waiting = [];
  if (file === null || lines === '') return;
  try {
    writeSync(file, lines);
  } catch {
    // A full disk must not end the program that is examined.
  }
}

const mostFrames = 40;

/**
 * The class, the code and the stack of an error. Its message is left out: it may quote a message, a name or an answer of
 * the server. Inspecting a thrown value may run code of that value, which may throw.
 */
function errorFacts(error: unknown): Fields {
  try {
    return factsOf(error);
  } catch {
    return { name: 'unreadable', stack: [] };
  }
}

function factsOf(error: unknown): Fields {
  if (!(error instanceof Error)) return { name: typeof error, stack: [] };
  const code: unknown = 'code' in error ? error.code : undefined;
  const cause = error.cause === undefined ? {} : { cause: errorFacts(error.cause) };
  const known = typeof code === 'number' || (typeof code === 'string' && isCode(code)) ? { code } : {};
  return { name: isCode(error.name) ? error.name : 'Error', ...known, stack: framesOf(String(error.stack)), ...cause };
}

/** Codes and class names are words of a program; anything longer could be content. */
export const isCode = (text: string): boolean => /^[\w.-]{1,60}$/.test(text);

/** The status or code that decided an attempt; null for anything that could be more than that. */
export const loggableEvidence = (evidence: string): string | null =>
  /^[\w.-]{1,40}( [\w.-]{1,40})?$/.test(evidence) ? evidence : null;

/** The lines of a stack that name code, with the home directory as `~`. */
export function framesOf(stack: string): readonly string[] {
  const home = homedir();
  const frames = stack
    .split('\n')
    .filter((line) => /^\s+at (?:async |new )?[\w$.<>#[\] ]*\(?[^()]*:\d+:\d+\)?$/.test(line));
  return frames.slice(0, mostFrames).map((line) => (home.length > 1 ? line.trim().replaceAll(home, '~') : line.trim()));
}
