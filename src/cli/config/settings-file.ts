/** Reads config.toml for the settings screen, checks values, and writes them without changing the rest of the file. */
import { readdirSync } from 'node:fs';
import type { SaveResult } from '../../commands/context.ts';
import { commandWords } from '../../config/command-words.ts';
import { setInToml, unsetInToml } from '../../config/edit-toml.ts';
import type { Environment } from '../../config/environment.ts';
import { ConfigError, systemCause } from '../../config/errors.ts';
import { changeConfigText, firstError, inspectConfig, parseConfig, readConfigText } from '../../config/file.ts';
import { readWords } from '../../config/setting-words.ts';
import type { SettingsInFile } from '../../config/settings-in-file.ts';
import { checkSetting, overridingVariable, rowOf, type SettingId, settingOf } from '../../config/settings-table.ts';
import { nearest } from '../../config/suggest.ts';
import { isThemeFile } from '../../config/theme.ts';
import { themeDirectory } from '../../config/theme-file.ts';
import type { SettingsPage, Tried, Written } from '../../state/model/setting-entry.ts';
import type { Settings } from '../../state/model/settings.ts';
import { messageOf } from '../process/exit.ts';
import { settingsOf } from './chat-settings.ts';
import { newProblem } from './config-problems.ts';
import { changesBetween } from './follow-config.ts';
import { settingEntries } from './setting-entries.ts';
import { settingNames, valueText } from './setting-values.ts';

export class SettingsFile {
  readonly #file: string;
  readonly #environment: Environment;
  #read: SettingsInFile | null = null;

  constructor(file: string, environment: Environment) {
    this.#file = file;
    this.#environment = environment;
  }

  /** Never throws: a file that is wrong is a problem of the page, and the entries show what can be read of it. */
  async read(): Promise<SettingsPage> {
    let problem: string | null = null;
    try {
      const text = readConfigText(this.#file);
      this.#read = await inspectConfig(this.#file, text);
      problem = firstError('config.toml', this.#read.problems)?.message ?? null;
    } catch (error) {
      problem = messageOf(error);
      this.#read = await inspectConfig(this.#file, '');
    }
    return { entries: settingEntries(this.#read, this.#environment, ownThemes(this.#file)), problem };
  }

  /** An empty text removes the setting from the file. */
  check(name: string, text: string): { readonly value: Written } | { readonly problem: string } {
    const id = settingOf(name);
    if (id === null) return { problem: noSuchSetting(name) };
    if (text.trim() === '') return { value: null };
    const words = typedWords(id, text);
    if (words === null) return { problem: `${id} has a quote that is not closed` };
    const read = readWords(id, words);
    return 'problem' in read ? read : { value: read.value as Written };
  }

  changes(from: Tried, to: Tried): Partial<Settings> {
    return changesBetween(this.#settingsWith(from), this.#settingsWith(to));
  }

  async write(tried: Tried): Promise<SaveResult> {
    try {
      return await this.#write(tried);
    } catch (error) {
      return { problem: error instanceof ConfigError ? error.message : `Nothing was saved: ${systemCause(error)}` };
    }
  }

  async set(name: string, text: string): Promise<SaveResult> {
    const checked = this.check(name, text);
    return 'problem' in checked ? checked : this.write({ [name]: checked.value });
  }

  async #write(tried: Tried): Promise<SaveResult> {
    const file = this.#file;
    const ids = Object.keys(tried).flatMap((name) => settingOf(name) ?? []);
    let result: SaveResult = { said: this.#said(ids) };
    const refuse = (before: string, problem: string): string => {
      result = { problem };
      return before;
    };
    await changeConfigText(file, async (before) => {
      await parseConfig(file, before);
      let text = before;
      for (const id of ids) {
        const next = await withSetting(file, text, id, tried[id] ?? null);
        if (next === null)
          return refuse(before, `${id} is written in a form that cannot be changed here: edit config.toml`);
        text = next;
      }
      const problem = await newProblem(file, before, text, ids);
      return problem === null ? text : refuse(before, problem);
    });
    return result;
  }

  #said(ids: readonly SettingId[]): string {
    const later = ids.filter((id) => !rowOf(id).isLive);
    const [variable] = ids.flatMap((id) => overridingVariable(id, this.#environment) ?? []);
    const written = `Written to config.toml: ${ids.join(', ')}`;
    if (variable !== undefined) return `${written}; ${variable} is set and overrides it`;
    return later.length === 0 ? written : `${written}; ${later.join(', ')} will take effect after a restart`;
  }

  #settingsWith(tried: Tried): Settings {
    if (this.#read === null) throw new Error('the settings were not read yet');
    const values: Record<string, unknown> = { ...this.#read.values };
    for (const [name, value] of Object.entries(tried)) {
      const id = settingOf(name);
      if (id === null) continue;
      const checked = value === null ? { value: rowOf(id).default } : checkSetting(id, value);
      if ('value' in checked) values[id] = checked.value;
    }
    return settingsOf({ values: values as unknown as SettingsInFile['values'] });
  }
}

/** A command may be typed as a command line in the place of a list as TOML writes it. Null where a quote is not closed. */
const typedWords = (id: SettingId, text: string): readonly string[] | null =>
  rowOf(id).isCommand === true && !text.trim().startsWith('[') ? commandWords(text) : [text];

const withSetting = (file: string, text: string, id: SettingId, value: Written): Promise<string | null> =>
  value === null ? unsetInToml(file, text, id.split('.')) : setInToml(file, text, id.split('.'), valueText(value));

function noSuchSetting(name: string): string {
  const near = nearest(name, settingNames);
  return `There is no setting ${JSON.stringify(name)}; ${near === null ? '/settings shows them all' : `did you mean ${near}?`}`;
}

/** The names of the files of the user's themes. */
function ownThemes(configFile: string): readonly string[] {
  try {
    return readdirSync(themeDirectory(configFile)).filter(isThemeFile).sort();
  } catch {
    return [];
  }
}
