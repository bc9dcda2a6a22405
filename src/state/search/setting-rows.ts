/**
 * The settings screen: the rows that its filter leaves, in the order of their groups, and the values that are tried.
 */
import { memoLast } from '../collections/memo.ts';
import type { SettingsOverlay } from '../model/overlay.ts';
import { type SettingEntry, type Tried, type Written, writtenText } from '../model/setting-entry.ts';

/** The most rows of the settings screen, with its frame. */
export const mostSettingsRows = 36;

const none: readonly SettingEntry[] = [];

const filtered = memoLast((entries: readonly SettingEntry[], typed: string): readonly SettingEntry[] => {
  const words = typed.toLowerCase().split(/\s+/);
  return entries.filter(({ id, group, about, value, unset }) => {
    const text = `${id} ${id.replaceAll('_', ' ')} ${group} ${about} ${writtenText(value, unset)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
});

/** Every word of the filter occurs in the name, the group, the description or the value. */
export const selectSettingRows = ({ page, typed }: SettingsOverlay): readonly SettingEntry[] =>
  page === null ? none : filtered(page.entries, typed);

export const selectedSetting = (overlay: SettingsOverlay): SettingEntry | null =>
  selectSettingRows(overlay)[overlay.selected] ?? null;

/** The value that holds now: a value that is tried out overrides the one in config.toml; without either, the default. */
export function shownValue({ id, value, default: fallback }: SettingEntry, tried: Tried): Written {
  if (!(id in tried)) return value;
  return tried[id] ?? fallback;
}

/** The value `by` steps further, from the last one to the first; null where the setting has no values to step through. */
export function steppedValue(entry: SettingEntry, tried: Tried, by: 1 | -1): { readonly value: Written } | null {
  const { choices } = entry;
  if (choices === null || choices.length === 0) return null;
  const now = choices.indexOf(shownValue(entry, tried));
  const next = now < 0 && by < 0 ? -1 : now + by;
  return { value: choices[(next + choices.length) % choices.length] ?? null };
}

/** Tries a value; one that equals the value in the file, or the default where the file has none, is not tried any more. */
export function withTried(tried: Tried, entry: SettingEntry, value: Written): Tried {
  const { [entry.id]: _, ...others } = tried;
  const isAsInFile = value === null ? !entry.isInFile : value === entry.value;
  return isAsInFile ? others : { ...others, [entry.id]: value };
}
