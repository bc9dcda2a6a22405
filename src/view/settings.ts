/** Makes the rows of the settings screen, and the text about the selected setting. */
import type { SettingsOverlay } from '../state/model/overlay.ts';
import { type SettingEntry, type Tried, writtenText } from '../state/model/setting-entry.ts';
import { selectSettingRows, shownValue } from '../state/search/setting-rows.ts';
import { padRow, type Row, shortenRow, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { padEnd, truncate } from '../text/unicode/width.ts';
import { type Choice, markColumns } from './choices.ts';
import { fitRow, type Look } from './frame.ts';
import { type Hint, keysWith } from './hint-row.ts';

/** The widths of the columns in cells; the value gets the rest. */
const nameColumns = 22;
const sourceColumns = 16;
const defaultColumns = 12;
const fewestValueColumns = 10;
/** The default gets more columns where the value has this many, up to those that the longest default needs. */
const enoughValueColumns = 24;
const mostDefaultColumns = 21;

interface Widths {
  readonly name: number;
  readonly value: number;
  readonly source: number;
  readonly usual: number;
}

/** Where there is no room, the default is left out first, then the source: the text about the selected setting has both. */
function widthsIn(columns: number): Widths {
  const room = columns - markColumns - nameColumns;
  const source = room - sourceColumns >= fewestValueColumns ? sourceColumns : 0;
  const spare = room - source - enoughValueColumns;
  const wanted = Math.max(defaultColumns, Math.min(spare, mostDefaultColumns));
  const usual = room - source - defaultColumns >= fewestValueColumns + 8 ? wanted : 0;
  return { name: nameColumns, value: Math.max(fewestValueColumns, room - source - usual), source, usual };
}

type Shown = Pick<Look, 'theme' | 'signs'>;

export function settingsHead(columns: number, { theme, signs }: Shown): Row {
  const { name, value, source, usual } = widthsIn(columns);
  const cells = [
    cell(literal('Setting'), name, signs),
    cell(literal('Value'), value, signs),
    cell(literal('From'), source, signs),
    cell(literal('Default'), usual, signs),
  ];
  return fitRow([span(literal('  ')), ...cells.map((text) => span(text, theme.muted))], columns);
}

/** The settings to choose from, with a heading before each group. */
export function settingChoices(overlay: SettingsOverlay, columns: number, look: Shown): readonly Choice[] {
  const entries = selectSettingRows(overlay);
  return entries.map(
    (entry, index): Choice => ({
      id: entry.id,
      ...(entry.group !== entries[index - 1]?.group && { heading: sanitizeLine(entry.group) }),
      row: () => settingRow(entry, overlay.tried, columns, look),
    }),
  );
}

function settingRow(entry: SettingEntry, tried: Tried, columns: number, { theme, signs }: Shown): Row {
  const { name, value, source, usual } = widthsIn(columns);
  const isTried = entry.id in tried;
  const shown = sanitizeLine(writtenText(shownValue(entry, tried), entry.unset));
  const from = isTried ? literal('not saved') : sanitizeLine(entry.source);
  const row = [
    span(cell(sanitizeLine(entry.id), name, signs), theme.plain),
    span(cell(shown, value, signs), isTried ? theme.strong : theme.plain),
    span(cell(from, source, signs), isTried ? theme.strong : theme.muted),
    span(cell(sanitizeLine(writtenText(entry.default, entry.unset)), usual, signs), theme.muted),
  ];
  const room = columns - markColumns;
  return padRow(shortenRow(row, room, signs.ellipsis), room, '');
}

/** Cuts the text so that a blank is left before the next column. */
const cell = (text: SafeText, columns: number, { ellipsis }: Shown['signs']): SafeText =>
  columns === 0 ? literal('') : padEnd(truncate(text, columns - 1, ellipsis), columns);

/** What the selected setting does; where its value comes from, and what it may be. */
export function aboutSetting(entry: SettingEntry): readonly SafeText[] {
  const does = entry.about.charAt(0).toUpperCase() + entry.about.slice(1);
  const usual = writtenText(entry.default, entry.unset);
  const source = entry.source === 'default' || entry.variable !== null ? '' : `${entry.source}. `;
  const restart = entry.isLive ? '' : ' A change takes effect after a restart.';
  const from = entry.variable === null ? '' : ` ${entry.variable} is set and overrides config.toml.`;
  return [
    sanitizeLine(`${does}.`),
    sanitizeLine(`${source}Default: ${usual}. It must be ${entry.expected.replaceAll('"', '')}.${restart}${from}`),
  ];
}

/** The line below the settings: the result of the last key, or how many values wait to be saved. */
export function settingsNote({ page, remark, tried }: SettingsOverlay, hints: readonly Hint[]): SafeText {
  if (remark !== null) return sanitizeLine(`${remark}.`.replace(/([.?!])\.$/, '$1'));
  if (page?.problem != null) return sanitizeLine(`${page.problem}. Correct it first.`);
  const count = Object.keys(tried).length;
  if (count === 0) return literal('');
  const values = count === 1 ? literal('One value is') : safe`${count} values are`;
  const ends = [
    ['choice.accept', literal('saves')],
    ['layer.back', literal('goes back')],
  ] as const;
  const keys = keysWith(hints, ends, literal(', '));
  return safe`${values} tried and not saved${keys === '' ? literal('') : literal(': ')}${keys}.`;
}
