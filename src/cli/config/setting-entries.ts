/** Makes the entries of the settings screen: groups, and values to step through. */
import type { Environment } from '../../config/environment.ts';
import type { SettingsInFile } from '../../config/settings-in-file.ts';
import { rowOf, type SettingId, settingIds } from '../../config/settings-table.ts';
import { themeNames } from '../../config/theme.ts';
import type { KnownSetting, SettingEntry, Written } from '../../state/model/setting-entry.ts';
import { settingValues, sourceText } from './setting-values.ts';

/** The groups in the order of the screen; a setting is in the first one whose pattern fits its id. */
const groups: readonly (readonly [string, RegExp])[] = [
  ['Appearance', /^(theme|density|glyphs|dim|reduced_motion|text_width|picture|view|list|thread)/],
  ['Keys and mouse', /^(keys\b|mouse|coach)/],
  ['Messages', /^(undo_send|resend|reveal_reading)/],
  ['Notifications', /^(notify|hooks)/],
  ['Account', /^(default_profile|keyring|ledger|polling)/],
  ['Other', /./],
];

const groupOf = (id: SettingId): number => groups.findIndex(([, pattern]) => pattern.test(id));

const byGroup = (one: { readonly id: SettingId }, other: { readonly id: SettingId }): number =>
  groupOf(one.id) - groupOf(other.id);

/** The description of the setting as one line without markup. */
const plainAbout = (id: SettingId): string =>
  rowOf(id)
    .about.replaceAll(/: see \[[^\]]+\]\([^)]+\)/g, '')
    .replaceAll('`', '');

const elsewhere = 'It is a table: the help changes keys, msg-tui config edit changes the rest';

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value to show; for a table, the number of its keys. */
function oneValue(value: unknown): Written {
  if (!isTable(value)) return value as Written;
  const count = Object.keys(value).length;
  return count === 0 ? null : `${count} set`;
}

/** @param ownThemes the files of the user's themes */
export function settingEntries(
  inspected: SettingsInFile,
  environment: Environment,
  ownThemes: readonly string[],
): readonly SettingEntry[] {
  const values = settingValues(inspected, environment);
  return [...values].sort(byGroup).map(({ id, value, source, default: fallback, isLive }) => {
    const { expected, unset } = rowOf(id);
    return {
      id,
      group: groups[groupOf(id)]?.[0] ?? '',
      value: oneValue(value),
      default: oneValue(fallback),
      elsewhere: isTable(value) ? elsewhere : null,
      unset: unset ?? 'none',
      source: sourceText(source),
      isInFile: inspected.lines.has(id),
      variable: source.from === 'environment' ? source.variable : null,
      about: plainAbout(id),
      expected,
      choices: choicesWith(id, ownThemes),
      isLive,
    };
  });
}

const choicesWith = (id: SettingId, ownThemes: readonly string[]): readonly Written[] | null =>
  id === 'theme' ? [null, ...themeNames, ...ownThemes] : choicesOf(id);

/** A schema of valibot, as far as it says which values there are. */
interface Shape {
  readonly type: string;
  readonly options?: readonly Written[];
  readonly pipe?: readonly { readonly type: string; readonly requirement?: unknown }[];
}

const mostSteps = 60;

/** The values to step through: words, true and false, the whole numbers of a short range; null for other settings. */
export function choicesOf(id: SettingId): readonly Written[] | null {
  const { schema, default: fallback } = rowOf(id);
  const { type, options, pipe = [] } = schema as Shape;
  const unset = fallback === null ? [null] : [];
  if (type === 'picklist' && options !== undefined) return [...unset, ...options];
  if (type === 'boolean') return [...unset, true, false];
  const bound = (kind: string): number => Number(pipe.find((one) => one.type === kind)?.requirement ?? Number.NaN);
  const [first, last] = [bound('min_value'), bound('max_value')];
  if (type !== 'number' || !(last - first < mostSteps)) return null;
  return [...unset, ...Array.from({ length: Math.floor(last - first) + 1 }, (_, i) => first + i)];
}

/** All settings, in the order of the settings screen. */
export const knownSettings: readonly KnownSetting[] = settingIds
  .map((id) => ({ id }))
  .sort(byGroup)
  .map(({ id }) => ({
    id,
    about: plainAbout(id),
    values: (choicesWith(id, []) ?? []).filter((value) => typeof value === 'string'),
  }));
