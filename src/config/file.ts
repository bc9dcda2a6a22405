/** Reads config.toml: profiles and settings. For everything that is wrong it names the line and what to write instead. */
import type { TomlError } from 'smol-toml';
import { writeAtomically } from './atomic-write.ts';
import { ConfigError, firstProblem, systemCause, systemCode } from './errors.ts';
import type { ProfileSettings } from './profile-settings.ts';
import { readRegularFile, UnfitFile } from './regular-file.ts';
import type { Problem, SettingsInFile } from './settings-in-file.ts';
import type { SettingValues } from './settings-table.ts';

export interface Config {
  readonly file: string;
  /** Null where the file sets nothing: the defaults count, and the table of settings need not be loaded. */
  readonly values: SettingValues | null;
  readonly defaultProfile: string | null;
  /** Whether new tokens may be saved in the keyring of the system. */
  readonly keyring: boolean;
  /** In the order of the file. */
  readonly profiles: ReadonlyMap<string, ProfileSettings>;
  /** One line each, for unknown keys and an unknown theme; of very many unknown keys the first ones and a count. */
  readonly warnings: readonly string[];
}

const sizeLimit = 1_000_000;

/** A missing file is an empty one. Throws `ConfigError`. */
export async function loadConfig(file: string): Promise<Config> {
  return parseConfig(file, readConfigText(file));
}

/**
 * The text of the file, empty when there is none. The byte order mark of an editor is left out, so that nothing is ever
 * inserted before it. Throws `ConfigError`.
 */
export function readConfigText(file: string): string {
  try {
    return readRegularFile(file, sizeLimit, { isTrusted: true }).replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof UnfitFile) throw new ConfigError(file, null, error.message);
    if (systemCode(error) === 'ENOENT') return '';
    // This error is not about the file.
    if (['EMFILE', 'ENFILE'].includes(systemCode(error))) throw error;
    throw new ConfigError(file, null, `the configuration cannot be read: ${systemCause(error)}`);
  }
}

/** The text that this process has written last. */
let written: string | null = null;

/** Whether this process has written the text itself, so that its user knows of the change. */
export const isOwnConfigText = (text: string): boolean => text === written;

/**
 * Replaces the text of the file. Returns false where it is no longer the one that was read, as somebody has changed it
 * meanwhile: nothing is written then. Throws `ConfigError` where it cannot be written.
 */
export function replaceConfigText(file: string, before: string, text: string): boolean {
  const isAsRead = (): boolean => readConfigText(file) === before;
  try {
    // Another program may save a setting while this one waits for the disk.
    if (!isAsRead() || !writeAtomically(file, text, 0o600, isAsRead)) return false;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(file, null, `the file cannot be written: ${systemCause(error)}`);
  }
  written = text;
  return true;
}

/** Each program that changes the file makes one change, so that this one is soon alone. */
const mostAttempts = 100;

/**
 * Changes the text of the file, and begins again where another program has written the file meanwhile, as one script may set
 * several settings at once.
 * @param to makes the new text of the present one, and may throw what is wrong with it
 * @returns whether the text was changed
 * @throws ConfigError where the file cannot be written
 */
export async function changeConfigText(file: string, to: (before: string) => Promise<string>): Promise<boolean> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const before = readConfigText(file);
    const text = await to(before);
    if (text === before) return false;
    if (replaceConfigText(file, before, text)) return true;
  }
  throw new ConfigError(file, null, 'nothing was saved: other programs change the file all the time; try again');
}

/** Throws the `firstError` of the file. */
export async function parseConfig(file: string, text: string): Promise<Config> {
  if (text.trim() === '')
    return { file, values: null, defaultProfile: null, keyring: true, profiles: new Map(), warnings: [] };
  const { values, profiles, problems } = await inspectConfig(file, text);
  const error = firstError(file, problems);
  if (error !== null) throw error;
  const warnings = problems.map((problem) => problemLine(file, problem));
  return { file, values, defaultProfile: values.default_profile, keyring: values.keyring, profiles, warnings };
}

/** The first problem that is no warning, with the number of all others in its message; null where all are warnings. */
export function firstError(file: string, problems: readonly Problem[]): ConfigError | null {
  const wrong = problems.find((problem) => !problem.isWarning);
  if (wrong === undefined) return null;
  const others = problems.filter((problem) => problem !== wrong);
  return new ConfigError(
    file,
    wrong.line,
    firstProblem([wrong, ...others].map((problem) => problem.text)) ?? wrong.text,
  );
}

/** Collects every problem. Throws `ConfigError` only for a text that is no TOML. */
export async function inspectConfig(file: string, text: string): Promise<SettingsInFile> {
  const { readSettings } = await import('./settings-in-file.ts');
  return readSettings(text, text.trim() === '' ? {} : await parseToml(file, text));
}

export const problemLine = (file: string, { line, text }: Problem): string =>
  `${file}${line === null ? '' : `:${line}`}: ${text}`;

/** Throws `ConfigError`. */
export async function parseToml(file: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ConfigError(file, error.line, `${syntaxProblem(text, error)}; correct this line`);
  }
}

/** A line whose last string goes on to its end. */
const openQuote = /^(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*(?:"(?:[^"\\]|\\.)*\\?|'[^']*)$/;

/** The library has no words of its own for a quote that is not closed: it complains of the line break. */
function syntaxProblem(text: string, { message, line, column }: TomlError): string {
  const at = text.split(/\r?\n/)[line - 1] ?? '';
  if (column > at.length && openQuote.test(at)) return 'a quote is not closed';
  const [first = ''] = message.split('\n');
  return first.replace(/^Invalid TOML document: /, '');
}
