/** Makes the lists of settings with value, source and default that `msg-tui config` prints. */

import type { Environment } from '../../config/environment.ts';
import type { SettingsInFile } from '../../config/settings-in-file.ts';
import { rowOf, type SettingId, settingIds, settingsTable } from '../../config/settings-table.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal } from '../../text/safe-text.ts';
import { jsonDocument } from '../output/print.ts';
import { type Column, tableText } from '../output/table.ts';

export type Source =
  | { readonly from: 'default' }
  | { readonly from: 'file'; readonly line: number | null }
  | { readonly from: 'environment'; readonly variable: string };

/** One setting with its present value. */
export interface SettingValue {
  readonly id: SettingId;
  /** The value as it is written in the file; null: nothing is set. */
  readonly value: unknown;
  readonly source: Source;
  readonly default: unknown;
  /** Whether a running chat takes a change over without a restart. */
  readonly isLive: boolean;
}

/** The settings, with those of environment variables in the place of those of the file. */
export function settingValues(
  { values, lines, invalid }: SettingsInFile,
  environment: Environment,
): readonly SettingValue[] {
  const given: Partial<Record<SettingId, string | null>> = {
    default_profile: environment.profile,
    theme: environment.theme,
  };
  return settingIds.map((id) => {
    const { default: fallback, isLive, variable = '' } = rowOf(id);
    const about = { id, default: fallback, isLive };
    const fromEnvironment = given[id] ?? null;
    if (fromEnvironment !== null)
      return { ...about, value: fromEnvironment, source: { from: 'environment', variable } };
    const source: Source =
      lines.has(id) && !invalid.has(id) ? { from: 'file', line: lines.get(id) ?? null } : { from: 'default' };
    return { ...about, value: written(id, values[id]), source };
  });
}

export const sourceText = (source: Source): string => {
  if (source.from === 'environment') return source.variable;
  if (source.from === 'default') return 'default';
  return source.line === null ? 'config.toml' : `config.toml:${source.line}`;
};

/** The inverse of the transformation in the schema, where there is one. */
function written(id: SettingId, value: unknown): unknown {
  if (id !== 'notify.quiet_hours' || value === null) return value;
  const { from, to } = value as { readonly from: number; readonly to: number };
  return `${timeText(from)}-${timeText(to)}`;
}

const timeText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The value as TOML; a JSON text is a TOML one, but for tables. */
export function valueText(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)} = ${valueText(one)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const listColumns: readonly Column[] = [
  { heading: literal('SETTING') },
  { heading: literal('VALUE'), least: 7 },
  { heading: literal('SOURCE'), least: 7 },
  { heading: literal('DEFAULT'), least: 7 },
];

/** @param columns as of `tableText` */
export function settingsAsText(settings: readonly SettingValue[], columns: number | null): string {
  const rows = settings.map((one) =>
    [one.id, valueText(one.value), sourceText(one.source), valueText(one.default)].map(sanitizeLine),
  );
  return tableText(listColumns, rows, columns);
}

export const settingsAsJson = (file: string, settings: readonly SettingValue[]): string =>
  jsonDocument({ file, settings: settings.map(({ isLive, ...one }) => ({ ...one, needs_restart: !isLive })) });

const expectedOf = (id: SettingId): string =>
  rowOf(id).expected.replaceAll(/"[^"]*"|\btrue\b|\bfalse\b/g, (word) => `\`${word}\``);

/** The table of settings in docs/configuration.md. */
export function settingsAsMarkdown(): string {
  const rows = settingIds.map((id) => {
    const { default: fallback, unset = '', example, since, about, isLive, variable } = rowOf(id);
    const value = isNothing(fallback) ? unset : `\`${valueText(fallback)}\``;
    const notes = `${about}${variable === undefined ? '' : `; \`${variable}\` overrides it`}`;
    return `| \`${id}\` | ${expectedOf(id)} | ${value} | \`${example}\` | ${isLive ? 'at once' : 'after a restart'} | ${since} | ${notes} |`;
  });
  const server =
    '| `profiles.NAME.server` | an address | | `"https://chat.example"` | after a restart | 0.1.0 | the server of the account that is called NAME; where it has no scheme, `https://` is added, or `http://` for this machine |';
  const command =
    '| `profiles.NAME.token_command` | a program and its arguments | | `["pass", "show", "chat"]` | after a restart | 0.1.0 | prints the token in its first line; it is run without a shell, and the token is not saved |';
  const head =
    '| Key | Value | Default | Example | Takes effect | Since | What it does |\n|---|---|---|---|---|---|---|';
  return `${head}\n${[...rows, server, command].join('\n')}\n`;
}

/** An annotated config.toml in which every setting is a comment. */
export function exampleFile(): string {
  const ids = [...settingIds].sort((one, other) => Number(one.includes('.')) - Number(other.includes('.')));
  let table = '';
  const parts = ids.map((id) => {
    const [name = '', parent = ''] = id.split('.').reverse();
    const header = parent === table ? '' : `[${parent}]\n\n`;
    table = parent;
    const { about, expected, default: fallback, unset, example, isLive } = rowOf(id);
    const plain = about.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, 'docs/$2').replaceAll('`', '');
    const usual = unset ?? (isNothing(fallback) ? 'none' : valueText(fallback));
    const lines = [plain, `${expected}; default: ${usual}${isLive ? '' : '; takes effect after a restart'}`];
    return `${header}${lines.map((line) => `# ${line}\n`).join('')}# ${name} = ${example}\n`;
  });
  const profile =
    '# An account; its token is not kept in this file.\n# [profiles.work]\n# server = "https://chat.example"\n';
  return `# The settings of msg-tui. Remove the # before a setting to change it.\n\n${[...parts, profile].join('\n')}`;
}

/** The names that `config get` and `config set` take, besides those of `profileField`. */
export const settingNames = Object.keys(settingsTable);
