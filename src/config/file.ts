/** Reads config.toml: profiles and settings. For everything that is wrong it names the line and what to write instead. */
import { ConfigError, systemCode } from './errors.ts';
import { readRegularFile, UnfitFile } from './regular-file.ts';
import { noSuchTheme, type ThemeChoice, themeOf } from './theme.ts';
import { indexLines, type LineOf } from './toml-lines.ts';

export interface ProfileSettings {
  readonly name: string;
  /** As written; `normaliseBaseUrl` judges it. */
  readonly server: string;
}

export interface Config {
  readonly file: string;
  readonly defaultProfile: string | null;
  /** Null: the theme follows the terminal. */
  readonly theme: ThemeChoice | null;
  /** How long a message waits before it leaves, so that it can be taken back: 0 (not at all) to 10. */
  readonly undoSendSeconds: number;
  /** Opening a conversation may tell the server so. */
  readonly revealReading: boolean;
  /** `auto-after-check`: a message that the server failed at with 500 or 503 is sent again once by itself. */
  readonly resend: (typeof resendRules)[number];
  /** New tokens may be kept in the keyring of the system. */
  readonly keyring: boolean;
  /** Clicks, drags and the wheel belong to the program; otherwise to the terminal. */
  readonly mouse: boolean;
  readonly notify: NotifyTable;
  /** From which hosts pictures in messages are fetched. */
  readonly pictures: (typeof pictureRules)[number];
  /** In the order of the file. */
  readonly profiles: ReadonlyMap<string, ProfileSettings>;
  /** One line each, for unknown keys and an unknown theme; of very many unknown keys the first ones and a count. */
  readonly warnings: readonly string[];
}

/** The table [notify]. */
export interface NotifyTable {
  readonly method: (typeof notifyMethods)[number];
  readonly privacy: (typeof privacyLevels)[number];
  /** Minutes of the day. */
  readonly quietHours: { readonly from: number; readonly to: number } | null;
  /** A program and its arguments; empty: none. */
  readonly command: readonly string[];
  readonly whileFocused: boolean;
  readonly title: boolean;
}

const globalKeys = [
  'default_profile',
  'theme',
  'undo_send_seconds',
  'reveal_reading',
  'resend',
  'keyring',
  'mouse',
  'notify',
  'pictures',
  'profiles',
];
const notifyKeys = ['method', 'privacy', 'quiet_hours', 'command', 'while_focused', 'title'];
const notifyMethods = ['auto', 'osc99', 'osc777', 'osc9', 'bell', 'command', 'none'] as const;
const privacyLevels = ['full', 'sender', 'none'] as const;
const resendRules = ['ask', 'auto-after-check'] as const;
const pictureRules = ['ask', 'never', 'same-host', 'always'] as const;
const longestUndoSeconds = 10;
const profileKeys = ['server'];
const sizeLimit = 1_000_000;
const mostWarnings = 20;
const mostNames = 10;

/** A missing file is an empty one. Throws `ConfigError`. */
export async function loadConfig(file: string): Promise<Config> {
  return parseConfig(file, readConfigText(file));
}

/** The text of the file, empty when there is none. Throws `ConfigError`. */
export function readConfigText(file: string): string {
  try {
    return readRegularFile(file, sizeLimit, { isTrusted: true });
  } catch (error) {
    if (error instanceof UnfitFile) throw new ConfigError(file, null, error.message);
    if (systemCode(error) === 'ENOENT') return '';
    // This is not about the file.
    if (['EMFILE', 'ENFILE'].includes(systemCode(error))) throw error;
    throw new ConfigError(
      file,
      null,
      `the configuration cannot be read (${systemCode(error)}); check its owner and mode`,
    );
  }
}

/** Throws `ConfigError`. */
export async function parseConfig(file: string, text: string): Promise<Config> {
  const table = text.trim() === '' ? {} : await parseToml(file, text);
  const reader = new Reader(file, text);
  reader.warnUnknown([], table, globalKeys);
  const profiles = readProfiles(reader, table.profiles);
  const defaultProfile = reader.text(['default_profile'], table.default_profile);
  if (defaultProfile !== null && !profiles.has(defaultProfile)) {
    reader.fail(['default_profile'], `there is no profile ${quoted(defaultProfile)}${among(profiles)}`);
  }
  return {
    file,
    defaultProfile,
    theme: reader.theme(['theme'], table.theme),
    undoSendSeconds: reader.number(['undo_send_seconds'], table.undo_send_seconds, 0, longestUndoSeconds) ?? 0,
    revealReading: reader.flag(['reveal_reading'], table.reveal_reading) ?? true,
    resend: reader.oneOf(['resend'], table.resend, resendRules) ?? 'ask',
    keyring: reader.flag(['keyring'], table.keyring) ?? true,
    mouse: reader.flag(['mouse'], table.mouse) ?? true,
    notify: readNotify(reader, table.notify ?? {}),
    pictures: reader.oneOf(['pictures'], table.pictures, pictureRules) ?? 'ask',
    profiles,
    warnings: reader.warnings(),
  };
}

function readProfiles(reader: Reader, listed: unknown): ReadonlyMap<string, ProfileSettings> {
  const profiles = new Map<string, ProfileSettings>();
  if (listed === undefined) return profiles;
  if (!isTable(listed)) return reader.fail(['profiles'], 'write profiles as tables, as in [profiles.work]');
  for (const [name, found] of Object.entries(listed)) {
    const path = ['profiles', name];
    if (!isTable(found)) return reader.fail(path, `write the profile as a table: [profiles.${name}]`);
    reader.warnUnknown(path, found, profileKeys);
    const server = reader.text([...path, 'server'], found.server);
    if (server === null) return reader.fail(path, `profile ${quoted(name)} has no server; add server = "https://…"`);
    profiles.set(name, { name, server });
  }
  return profiles;
}

function readNotify(reader: Reader, table: unknown): NotifyTable {
  const path = (key: string): readonly string[] => ['notify', key];
  if (!isTable(table)) return reader.fail(['notify'], 'write notify as a table: [notify]');
  reader.warnUnknown(['notify'], table, notifyKeys);
  const command = reader.argv(path('command'), table.command) ?? [];
  const method = reader.oneOf(path('method'), table.method, notifyMethods) ?? 'auto';
  if (method === 'command' && command.length === 0)
    return reader.fail(path('method'), 'the method "command" needs command = ["program", "argument"] in [notify]');
  return {
    method,
    command,
    privacy: reader.oneOf(path('privacy'), table.privacy, privacyLevels) ?? 'full',
    quietHours: reader.timeSpan(path('quiet_hours'), table.quiet_hours),
    whileFocused: reader.flag(path('while_focused'), table.while_focused) ?? false,
    title: reader.flag(path('title'), table.title) ?? true,
  };
}

/** Reads values by their path in the file, and names the line of a wrong one. */
class Reader {
  readonly #warnings: string[] = [];
  #moreWarnings = 0;
  readonly #file: string;
  readonly #text: string;
  #lineOf: LineOf | null = null;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  fail(path: readonly string[], problem: string): never {
    throw new ConfigError(this.#file, this.#line(path), problem);
  }

  warnings(): readonly string[] {
    const more = this.#moreWarnings;
    return more === 0 ? this.#warnings : [...this.#warnings, `${this.#file}: ${more} more keys are unknown`];
  }

  /** An unknown theme is a warning only, since the chat can be drawn without it. */
  theme(path: readonly string[], value: unknown): ThemeChoice | null {
    const name = this.text(path, value);
    const theme = themeOf(name);
    if (name !== null && theme === null) this.#warn(path, noSuchTheme(name));
    return theme;
  }

  text(path: readonly string[], value: unknown): string | null {
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    return this.#absent(path, value, 'a text in quotes', '"…"');
  }

  number(path: readonly string[], value: unknown, least: number, most: number): number | null {
    if (typeof value === 'number' && value >= least && value <= most) return value;
    return this.#absent(path, value, `a number from ${least} to ${most}`, String(most));
  }

  oneOf<T extends string>(path: readonly string[], value: unknown, allowed: readonly T[]): T | null {
    const found = allowed.find((one) => one === value);
    return found ?? this.#absent(path, value, allowed.map(quoted).join(' or '), `"${allowed[0]}"`);
  }

  flag(path: readonly string[], value: unknown): boolean | null {
    if (typeof value === 'boolean') return value;
    return this.#absent(path, value, 'true or false', 'false');
  }

  /** `22:00-07:00`, as minutes of the day. */
  timeSpan(path: readonly string[], value: unknown): { readonly from: number; readonly to: number } | null {
    const match = typeof value === 'string' ? /^(\d\d?):(\d\d)\s*[-–]\s*(\d\d?):(\d\d)$/.exec(value.trim()) : null;
    const [fromHour = 99, fromMinute = 99, toHour = 99, toMinute = 99] = (match ?? []).slice(1).map(Number);
    const isTime = fromHour < 24 && fromMinute < 60 && toHour < 24 && toMinute < 60;
    const span = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
    if (isTime && span.from !== span.to) return span;
    return this.#absent(path, value, 'two different times of the day', '"22:00-07:00"');
  }

  /**
   * A program and its arguments, without a shell. `{title}` and `{body}` stand for words of other people, so they may
   * not be a part of an argument, where they could become code of a script.
   */
  argv(path: readonly string[], value: unknown): readonly string[] | null {
    const words: readonly unknown[] = Array.isArray(value) ? value : [];
    const [program = '', ...rest] = words.filter((word) => typeof word === 'string');
    if (
      program.trim() === '' ||
      rest.length + 1 < words.length ||
      [program, ...rest].some((word) => word.includes('\0'))
    )
      return this.#absent(path, value, 'a program and its arguments', '["notify-send", "--", "{title}", "{body}"]');
    const isMixed = (word: string): boolean => /\{(title|body)\}/.test(word) && !/^\{(title|body)\}$/.test(word);
    if (/\{(title|body)\}/.test(program) || rest.some(isMixed))
      return this.fail(path, 'write "{title}" and "{body}" as arguments of their own, as in ["say", "{title}"]');
    return [program, ...rest];
  }

  /** Null for a key that is not in the file; a value that is there is of the wrong kind. */
  #absent(path: readonly string[], value: unknown, expected: string, example: string): null {
    if (value === undefined) return null;
    const key = path.at(-1);
    return this.fail(path, `${key} must be ${expected}, as in ${key} = ${example}`);
  }

  warnUnknown(parent: readonly string[], found: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    for (const key of Object.keys(found)) {
      if (known.includes(key)) continue;
      if (this.#warnings.length < mostWarnings)
        this.#warn([...parent, key], `unknown key ${quoted(key)}${suggestion(key, known)}`);
      else this.#moreWarnings += 1;
    }
  }

  #warn(path: readonly string[], problem: string): void {
    const line = this.#line(path);
    this.#warnings.push(`${this.#file}${line === null ? '' : `:${line}`}: ${problem}`);
  }

  #line(path: readonly string[]): number | null {
    this.#lineOf ??= indexLines(this.#text);
    return this.#lineOf(path);
  }
}

/** `; there are "work", "home"`, for messages about a name that is not there. */
export function among(profiles: ReadonlyMap<string, ProfileSettings>): string {
  const names = [...profiles.keys()].slice(0, mostNames).map(quoted);
  const more = profiles.size - names.length;
  const end = more === 0 ? '' : ` and ${more} more`;
  return names.length === 0 ? '; none is configured' : `; there are ${names.join(', ')}${end}`;
}

async function parseToml(file: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.split('\n');
    throw new ConfigError(file, error.line, `${first.replace(/^Invalid TOML document: /, '')}; correct this line`);
  }
}

function suggestion(key: string, known: readonly string[]): string {
  const near = known.find((name) => squeezed(name) === squeezed(key) || name.startsWith(key) || key.startsWith(name));
  return `; ${near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`}`;
}

const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

const quoted = (name: string): string => JSON.stringify(name);

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
