/** Draws a row of the help and of the palette: what a command does, and its keys at the right edge. */
import { padRow, type Row, rowWidth, shortenRow, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { markMatch, type NameQuery } from '../text/search/match.ts';
import { width } from '../text/unicode/width.ts';
import type { Look } from './frame.ts';
import { ownTextIn } from './glyph-set.ts';
import { hitStyle } from './message-search.ts';

export interface CommandText {
  readonly title: string;
  /** The name as a slash command, without the slash. */
  readonly slash?: string | undefined;
  /** The names of the keys as the screen shows them. */
  readonly keys: string;
  /** Why the command cannot run now; null when it can. */
  readonly reason: string | null;
}

const gap = 2;
/** The columns of the keys: what the title leaves, and half of the row at least. */
const mostOfKeys = (title: SafeText, columns: number): number =>
  Math.max(Math.floor(columns / 2), columns - gap - width(title));
/** A reason that would be cut to fewer columns is left out. */
const leastOfReason = 12;

/** The title, after it the slash name or the reason why the command cannot run, and the keys. */
export function commandRow(
  command: CommandText,
  columns: number,
  wanted: NameQuery,
  { theme, signs }: Pick<Look, 'theme' | 'signs'>,
): Row {
  const { title, slash, keys, reason } = command;
  const canRun = reason === null;
  const label = ownTextIn(sanitizeLine(keys), signs);
  const does = ownTextIn(sanitizeLine(title), signs);
  const style = canRun ? theme.key : theme.muted;
  const right = shortenRow([span(label, style)], mostOfKeys(does, columns), signs.ellipsis);
  const room = columns - rowWidth(right) - gap;
  const marked = markMatch(does, wanted, hitStyle);
  const shown = canRun ? marked : marked.map((one) => (one.style === '' ? { ...one, style: theme.muted } : one));
  const name = shortenRow(shown, room, signs.ellipsis);
  const rest = room - rowWidth(name) - gap;
  const after = slash === undefined ? literal('') : safe`/${sanitizeLine(slash)}`;
  const about = canRun ? after : ownTextIn(sanitizeLine(reason), signs);
  const hasRoom = canRun ? rest >= after.length : rest >= leastOfReason;
  const more =
    about === '' || !hasRoom
      ? []
      : [span(literal('  ')), ...shortenRow([span(about, theme.muted)], rest, signs.ellipsis)];
  return [...padRow([...name, ...more], columns - rowWidth(right)), ...right];
}

/** Whether the row has no room for the whole title. */
const isTitleCut = ({ title, keys }: CommandText, columns: number): boolean =>
  title.length > columns - Math.min(keys.length, Math.floor(columns / 2)) - gap;

/** The line below the rows: why the selected command cannot run, the end of its title, or what it is. */
export function commandNote(
  command: (CommandText & { readonly id: string; readonly setting?: string | undefined }) | undefined,
  columns: number,
): SafeText {
  if (command === undefined) return literal('');
  const { id, title, reason, setting } = command;
  if (reason !== null) return safe`Not now: ${sanitizeLine(reason)}`;
  if (isTitleCut(command, columns)) return sanitizeLine(title);
  return setting === undefined ? safe`Command ${sanitizeLine(id)}` : literal('Enter shows it in the settings');
}
