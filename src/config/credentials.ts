/**
 * Reads and writes credentials.json, which holds by exact origin and profile the token, or its name in the keyring of the
 * system. The user alone can read it (R-TOK-1, R-ORIGIN). Also checks tokens, and reads the file of `--token-file`.
 */
import { chmodSync, closeSync, fstatSync, lstatSync, readSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from './atomic-write.ts';
import { ConfigError, systemCause, systemCode, UnusableToken } from './errors.ts';
import { openAtOnce, readRegularFile, UnfitFile } from './regular-file.ts';

/** The token itself, or the name of its entry in the keyring. */
export type SavedToken = { readonly token: string } | { readonly entry: string };

/** Origin → profile → a text, which is a token, or an object with the name in the keyring; anything else is damaged and stays. */
type Tokens = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The file is in the data directory and not beside config.toml, which people publish. */
export function credentialsFile(paths: { readonly data: string }): string {
  return join(paths.data, 'credentials.json');
}

const longestToken = 4096;
/** A shorter token could not be distinguished from ordinary words when it is removed from texts. */
const shortestToken = 8;
const mostBytes = 10_000_000;

/** The problem never quotes the token. */
export function checkToken(text: string): { readonly token: string } | { readonly problem: string } {
  const token = text.trim();
  if (token === '') return { problem: 'the token is empty' };
  if (token.length > longestToken) return { problem: `the token is longer than ${longestToken} characters` };
  if (!/^[\x21-\x7e]+$/.test(token)) return { problem: 'the token has spaces, line breaks or non-ASCII characters' };
  if (token.length < shortestToken) return { problem: `the token is shorter than ${shortestToken} characters` };
  return { token };
}

/**
 * Reads the file of `--token-file`. Where it is a pipe, its writer has half a minute, to unlock a password store. Throws
 * `ConfigError`.
 */
export function readTokenFile(file: string): string {
  let text: string;
  try {
    text = readBeginning(file, 2 * longestToken);
  } catch (error) {
    if (error instanceof UnfitFile) throw new ConfigError(file, null, error.message);
    throw new ConfigError(file, null, `the token file cannot be read: ${systemCause(error)}`);
  }
  return requireUsable(file, text);
}

/** Returns a warning when others can read the file; null for a pipe, and where the system has no modes. */
export function tokenFileWarning(file: string): string | null {
  if (process.platform === 'win32') return null;
  const stats = statsOf(file);
  if (stats?.isFile() !== true || (stats.mode & 0o044) === 0) return null;
  return `other users of this machine can read the token in ${file}: chmod 600 it`;
}

/** Null where the system refuses to look: reading the file says why. */
function statsOf(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

function readBeginning(path: string, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  const file = openAtOnce(path);
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes; length += read)
      read = readPatiently(() => readSync(file, buffer, length, bytes - length, null));
    if (length === 0 && fstatSync(file).isFIFO()) throw new UnfitFile(emptyPipe);
    return buffer.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

const longestWaitMs = 30_000;
const emptyPipe = 'nothing was written to this pipe';

/** The end of messages about a credentials file that cannot be used. */
const howToBeginAnew = 'delete the file and start msg-tui, which asks for the token';

/** @throws UnfitFile when a pipe has a writer, and it writes nothing */
function readPatiently(read: () => number): number {
  const until = performance.now() + longestWaitMs;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return read();
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') throw error;
      if (performance.now() > until) throw new UnfitFile(emptyPipe);
      Atomics.wait(pause, 0, 0, 20);
    }
  }
}

/**
 * Returns null when no token is saved. Throws `ConfigError` when the file is not ours or not what it should be, and
 * `UnusableToken` when only this token is not. `asItIs` leaves a wrong mode as it is.
 */
export function readSavedToken(
  file: string,
  origin: string,
  profile: string,
  { asItIs = false }: { readonly asItIs?: boolean } = {},
): SavedToken | null {
  const line = own(own(readTokens(file, asItIs), origin), profile);
  if (line === undefined) return null;
  if (isRecord(line) && typeof line.keyring === 'string') return { entry: line.keyring };
  const checked = typeof line === 'string' ? checkToken(line) : { problem: 'it is no text' };
  if ('token' in checked) return checked;
  const problem = `the token of the profile "${profile}" cannot be used: ${checked.problem}`;
  throw new UnusableToken(file, null, `${problem}; msg-tui login --profile ${profile} saves a new one`);
}

/** Throws `ConfigError`, also for a token that no header could carry. */
export function writeSavedToken(file: string, origin: string, profile: string, kept: SavedToken): void {
  change(file, 'saved', (tokens) => {
    const line = 'entry' in kept ? { keyring: kept.entry } : requireUsable(file, kept.token);
    return { ...tokens, [origin]: { ...own(tokens, origin), [profile]: line } };
  });
}

/** Does nothing when no token is saved. Throws `ConfigError`. */
export function removeSavedToken(file: string, origin: string, profile: string): void {
  change(file, 'removed', (tokens) => {
    const ofOrigin = own(tokens, origin);
    if (ofOrigin === undefined || own(ofOrigin, profile) === undefined) return null;
    const { [profile]: _, ...others } = ofOrigin;
    const { [origin]: __, ...elsewhere } = tokens;
    return Object.keys(others).length === 0 ? elsewhere : { ...tokens, [origin]: others };
  });
}

/** Throws `ConfigError` for a token that no header could carry. */
export function requireUsable(file: string, token: string): string {
  const checked = checkToken(token);
  if ('problem' in checked) throw new ConfigError(file, null, checked.problem);
  return checked.token;
}

/** Another program that signs in makes one change, so that this one is soon alone. */
const mostAttempts = 100;

/**
 * Begins again where another program has written the file meanwhile, whose token would be lost.
 * @param to returns null for no change
 */
function change(file: string, what: 'saved' | 'removed', to: (tokens: Tokens) => Tokens | null): void {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const before = readText(file);
    const tokens = to(tokensOf(file, before));
    if (tokens === null || write(file, tokens, what, () => readText(file) === before)) return;
  }
  throw new ConfigError(file, null, `the token was not ${what}: the file was changed at the same time`);
}

function write(file: string, tokens: Tokens, what: 'saved' | 'removed', mayReplace: () => boolean): boolean {
  try {
    return writeAtomically(file, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`, 0o600, mayReplace);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(file, null, `the token was not ${what}: ${systemCause(error)}`);
  }
}

const readTokens = (file: string, asItIs = false): Tokens => tokensOf(file, readText(file, asItIs));

/** Null where there is no file. */
function readText(file: string, asItIs = false): string | null {
  try {
    makePrivate(file, asItIs);
    return readRegularFile(file, mostBytes);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (error instanceof ConfigError) throw error;
    if (error instanceof UnfitFile) throw new ConfigError(file, null, error.message);
    throw new ConfigError(file, null, `the tokens cannot be read: ${systemCause(error)}`);
  }
}

function tokensOf(file: string, text: string | null): Tokens {
  const tokens = text === null ? {} : parseTokens(text);
  if (tokens === null) throw new ConfigError(file, null, `this is not a credentials file; ${howToBeginAnew}`);
  return tokens;
}

/** Repairs the mode; refuses links and files of other users (R-PERM). */
function makePrivate(file: string, asItIs: boolean): void {
  const stats = lstatSync(file);
  if (stats.isSymbolicLink()) throw new ConfigError(file, null, 'this is a symbolic link; replace it by a real file');
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid) {
    throw new ConfigError(file, null, `this belongs to another user (uid ${stats.uid}); move it away`);
  }
  const isOpen = process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
  if (isOpen && !asItIs) chmodSync(file, 0o600);
}

function parseTokens(text: string): Tokens | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error of JSON.parse quotes the text, and so perhaps a token.
    return null;
  }
  const tokens = isRecord(value) ? value.tokens : null;
  if (!isRecord(tokens)) return null;
  return Object.values(tokens).every(isRecord) ? (tokens as Tokens) : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own property only, since a profile may be called `constructor`. */
function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
