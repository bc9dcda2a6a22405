/** Draws keys with what they do: as many as fit into a row, or the keys that may follow those that are held. */
import { type Row, rowWidth, span, withTarget } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { fitRow, type Look } from './frame.ts';
import { ownTextIn } from './glyph-set.ts';

/** A key and what it does now. */
export interface Hint {
  /** The command that a click on the hint runs. */
  readonly id?: string;
  readonly label: string;
  readonly title: string;
  /** The hint is shown also where there is no room for all of them. */
  readonly isKept?: boolean;
}

export interface DrawnHint {
  readonly parts: Row;
  readonly isKept: boolean;
}

export function drawHint({ id, label, title, isKept = false }: Hint, { theme, signs }: Look): DrawnHint {
  const words: Row = [
    span(ownTextIn(sanitizeLine(label), signs), theme.key),
    span(safe` ${ownTextIn(sanitizeLine(title), signs)}`, theme.muted),
  ];
  return { parts: id === undefined ? words : withTarget(words, { kind: 'command', id }), isKept };
}

/** `Enter writes, Esc goes back`: the keys of commands that work now; a command without a key is left out. */
export const keysWith = (
  hints: readonly Hint[],
  commands: readonly (readonly [id: string, does: SafeText])[],
  gap: SafeText,
): SafeText =>
  commands.reduce((all, [id, does]) => {
    const label = hints.find((hint) => hint.id === id)?.label;
    if (label === undefined) return all;
    return safe`${all}${all === '' ? literal('') : gap}${sanitizeLine(label)} ${does}`;
  }, literal(''));

/** The columns of a hint with what separates it from the one before. */
export const hintColumns = ({ parts }: DrawnHint): number => rowWidth(parts) + 3;

export const joinHints = (hints: readonly DrawnHint[], { theme, signs }: Look): Row =>
  hints.flatMap(({ parts }, i) => [span(i === 0 ? literal(' ') : safe` ${signs.dot} `, theme.muted), ...parts]);

/** Returns as many hints as there is room for, the first ones first, and in any case those with `isKept`. */
export function fittingHints<Drawn extends { readonly isKept: boolean }>(
  hints: readonly Drawn[],
  columnsOf: (hint: Drawn) => number,
  columns: number,
): readonly Drawn[] {
  let room = columns - hints.reduce((sum, hint) => sum + (hint.isKept ? columnsOf(hint) : 0), 0);
  let isFull = false;
  return hints.filter((hint) => {
    if (hint.isKept) return true;
    const wanted = columnsOf(hint);
    isFull ||= wanted > room;
    if (!isFull) room -= wanted;
    return !isFull;
  });
}

/** The rows that the keys after held ones take where no dialog is open; every screen has room for them. */
export const nextKeyLines = 2;

/** The keys that may follow those that are held, with an ellipsis where there is no room for all. */
export function nextKeyRows(hints: readonly Hint[], columns: number, most: number, look: Look): readonly Row[] {
  const rows: DrawnHint[][] = [];
  let room = 0;
  for (const hint of hints.map((one) => drawHint(one, look))) {
    const wanted = hintColumns(hint);
    const row = rows.at(-1);
    if (row !== undefined && wanted <= room) {
      row.push(hint);
      room -= wanted;
    } else {
      rows.push([hint]);
      room = columns - wanted;
    }
  }
  const drawn = rows.slice(0, most).map((row) => joinHints(row, look));
  const last = drawn.pop();
  if (last === undefined || rows.length <= most) return last === undefined ? [] : [...drawn, last];
  const more = span(safe` ${look.signs.ellipsis}`, look.theme.muted);
  return [...drawn, [...(rowWidth(last) + 2 > columns ? fitRow(last, columns - 2) : last), more]];
}
