/** The settings as the settings screen shows them. */

/** A value as it is written in config.toml; null: nothing is set. */
export type Written = string | number | boolean | readonly string[] | null;

/** Values that are shown in the running program and not written yet, by the ids of their settings; null: unset. */
export type Tried = Readonly<Record<string, Written>>;

/** A setting by which the help and the palette find it. */
export interface KnownSetting {
  readonly id: string;
  /** One line. */
  readonly about: string;
  /** Words that it can be set to. */
  readonly values: readonly string[];
}

export interface SettingEntry {
  readonly id: string;
  readonly group: string;
  readonly value: Written;
  readonly default: Written;
  /** What null means, in words. */
  readonly unset: string;
  /** Where the value comes from: `default`, `config.toml:3` or the name of a variable. */
  readonly source: string;
  readonly isInFile: boolean;
  /** The variable that sets it and overrides config.toml; null where none does. */
  readonly variable: string | null;
  /** Where it is changed, in a sentence, as it is no single value; null where it can be changed here. */
  readonly elsewhere: string | null;
  /** One line. */
  readonly about: string;
  /** What a value must be, after "must be". */
  readonly expected: string;
  /** The values to step through; null where a text is asked for. */
  readonly choices: readonly Written[] | null;
  /** The running program takes a change over at once. */
  readonly isLive: boolean;
}

export interface SettingsPage {
  readonly entries: readonly SettingEntry[];
  /** What is wrong in config.toml, so that nothing is written to it; null otherwise. */
  readonly problem: string | null;
}

/** A value as a person reads it; a list as it is written in the file. */
export function writtenText(value: Written, unset: string): string {
  if (value === null) return unset;
  if (typeof value === 'object')
    return value.length === 0 ? unset : `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
  return String(value);
}
