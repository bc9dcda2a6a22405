/** Reads the text of config.toml against the table of settings, and collects everything that is wrong in it. */

import { commandWords, isCommand } from './command-words.ts';
import { namesThereAre, type ProfileSettings } from './profile-settings.ts';
import { checkSetting, rowOf, type SettingId, type SettingValues, settingIds, settingOf } from './settings-table.ts';
import { nearest } from './suggest.ts';
import { noSuchTheme } from './theme.ts';
import { indexLines, type LineOf } from './toml-lines.ts';

export interface Problem {
  /** From 1; null when it was not found. */
  readonly line: number | null;
  readonly text: string;
  /** True for a warning: the program ignores the key or the value. With any other problem an account is not opened. */
  readonly isWarning: boolean;
  /** The key that is wrong, as `notify.method`. */
  readonly key: string;
}

export interface SettingsInFile {
  readonly values: SettingValues;
  /** The lines of the settings that the file sets; null where the line was not found. */
  readonly lines: ReadonlyMap<SettingId, number | null>;
  /** The settings whose value in the file cannot be used, so that they have their default. */
  readonly invalid: ReadonlySet<SettingId>;
  readonly profiles: ReadonlyMap<string, ProfileSettings>;
  /** In the order of the checks; of very many unknown keys the first ones and a count. */
  readonly problems: readonly Problem[];
}

type Table = Readonly<Record<string, unknown>>;

const mostWarnings = 20;
const mostNamed = 8;
const profileKeys = ['server', 'token_command'];
/** The tables that hold settings. */
const tableNames = [...new Set(settingIds.filter((id) => id.includes('.')).map((id) => id.split('.')[0] ?? ''))];

const defaults = (): SettingValues =>
  Object.fromEntries(settingIds.map((id) => [id, rowOf(id).default])) as unknown as SettingValues;

/** @param table the text as the parser of TOML read it */
export function readSettings(text: string, table: Table): SettingsInFile {
  const report = new Report(text);
  const values: Record<string, unknown> = { ...defaults() };
  const lines = new Map<SettingId, number | null>();
  const invalid = new Set<SettingId>();
  warnOfUnknown(report, [], table, keysUnder(''));
  const tables: Record<string, Table> = { '': table };
  for (const name of tableNames) {
    const inner = table[name] ?? {};
    if (isTable(inner)) {
      warnOfUnknown(report, [name], inner, keysUnder(`${name}.`));
      tables[name] = inner;
    } else report.add([name], `write ${name} as a table: [${name}]`);
  }
  const profiles = readProfiles(report, table.profiles);
  for (const id of settingIds) {
    const path = id.split('.');
    const found = tables[path.slice(0, -1).join('.')]?.[path.at(-1) ?? ''];
    if (found === undefined) continue;
    lines.set(id, report.line(path));
    const checked = checkSetting(id, found);
    if ('value' in checked) {
      values[id] = checked.value;
      continue;
    }
    invalid.add(id);
    if (id === 'theme' && typeof found === 'string' && found.trim() !== '')
      report.add(path, noSuchTheme(found.trim()), { isWarning: true });
    else
      report.add(
        path,
        id === 'theme' ? checked.problem.replace(/be .*, as/, 'be a text in quotes, as') : checked.problem,
      );
  }
  const whole = values as unknown as SettingValues;
  relate(report, whole, profiles);
  return { values: whole, lines, invalid, profiles, problems: report.all() };
}

/** Checks values that depend on each other. */
function relate(report: Report, values: SettingValues, profiles: ReadonlyMap<string, ProfileSettings>): void {
  const name = values.default_profile;
  if (name !== null && !profiles.has(name))
    report.add(['default_profile'], `there is no profile ${JSON.stringify(name)}${namesThereAre(profiles)}`);
  if (values['notify.method'] === 'command' && values['notify.command'].length === 0)
    report.add(['notify', 'method'], 'the method "command" needs command = ["program", "argument"] in [notify]');
}

function readProfiles(report: Report, listed: unknown): ReadonlyMap<string, ProfileSettings> {
  const profiles = new Map<string, ProfileSettings>();
  if (listed === undefined) return profiles;
  if (!isTable(listed)) {
    report.add(['profiles'], 'write profiles as tables, as in [profiles.work]');
    return profiles;
  }
  for (const [name, found] of Object.entries(listed)) {
    const path = ['profiles', name];
    if (!isTable(found)) {
      report.add(path, `write the profile as a table: [profiles.${name}]`);
      continue;
    }
    warnOfUnknown(report, path, found, profileKeys);
    const server = found.server;
    const tokenCommand = readTokenCommand(report, path, found.token_command);
    if (typeof server === 'string' && server.trim() !== '')
      profiles.set(name, { name, server: server.trim(), tokenCommand });
    else if (server === undefined)
      report.add(path, `profile ${JSON.stringify(name)} has no server; add server = "https://…"`);
    else report.add([...path, 'server'], 'server must be a text in quotes, as in server = "https://…"');
  }
  return profiles;
}

function readTokenCommand(report: Report, profile: readonly string[], found: unknown): readonly string[] | null {
  if (found === undefined) return null;
  const words = typeof found === 'string' ? commandWords(found) : Array.isArray(found) ? found : [];
  if (words !== null && isCommand(words)) return words;
  const expected = 'token_command must be a program and its arguments, as in token_command = ["pass", "show", "chat"]';
  report.add([...profile, 'token_command'], expected);
  return null;
}

/** The names allowed in the table whose ids begin with `prefix`. */
function keysUnder(prefix: string): readonly string[] {
  const own = settingIds.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length).split('.')[0] ?? '');
  return [...new Set(prefix === '' ? [...own, 'profiles'] : own)];
}

function warnOfUnknown(report: Report, parent: readonly string[], found: Table, known: readonly string[]): void {
  for (const key of Object.keys(found)) {
    if (known.includes(key)) continue;
    report.unknown([...parent, key], () => {
      if (parent.length > 0 && settingOf(key) !== null)
        return `unknown key ${JSON.stringify(key)} in [${parent.join('.')}]; move it above the first table`;
      const near = nearest(key, known);
      const hint = near === null ? knownAre(known) : `did you mean ${near}?`;
      return `unknown key ${JSON.stringify(key)}; ${hint}`;
    });
  }
}

/** Lists the known names, unless there are so many that the list would fill a small screen. */
const knownAre = (known: readonly string[]): string =>
  known.length > mostNamed ? 'msg-tui config list prints those that there are' : `known are ${known.join(', ')}`;

class Report {
  readonly #problems: Problem[] = [];
  #unknown = 0;
  readonly #text: string;
  #lineOf: LineOf | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  add(path: readonly string[], text: string, { isWarning = false } = {}): void {
    this.#problems.push({ line: this.line(path), text, isWarning, key: path.join('.') });
  }

  unknown(path: readonly string[], text: () => string): void {
    this.#unknown += 1;
    if (this.#unknown <= mostWarnings) this.add(path, text(), { isWarning: true });
  }

  all(): readonly Problem[] {
    const more = this.#unknown - mostWarnings;
    if (more <= 0) return this.#problems;
    return [...this.#problems, { line: null, text: `${more} more keys are unknown`, isWarning: true, key: '' }];
  }

  line(path: readonly string[]): number | null {
    this.#lineOf ??= indexLines(this.#text);
    return this.#lineOf(path);
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
