/** Draws the list above the composer: names, emoji or commands for the word that is being typed. */
import { memoLast } from '../state/collections/memo.ts';
import type { AppState, CompletionRow } from '../state/model/app-state.ts';
import { selectCompletion } from '../state/view/composer.ts';
import { oneBlank, type Row, shortenRow, span, withTarget } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { width } from '../text/unicode/width.ts';
import { borderRow, bothSides, fitRow, framed, innerColumns, type Look, selectedStyle } from './frame.ts';
import { ownTextIn } from './glyph-set.ts';
import type { Layout } from './layout.ts';

/** The most columns of the labels when there are notes beside them. */
const widestLabel = 30;
/** The UTF-16 units to which names and notes are cut before they are sanitised. */
const longest = 200;

export function createCompletion(look: Look): (state: AppState, layout: Layout) => readonly Row[] {
  const draw = memoLast(
    (rows: readonly CompletionRow[], selected: number | null, columns: number, height: number): readonly Row[] => {
      const first = firstInSight(rows.length, selected, height - 1);
      const inSight = rows.slice(first, first + height - 1);
      const labels = inSight.map((row) => textOf(labelOf(row, look), look));
      const inner = innerColumns(columns, bothSides);
      // A label begins after a blank, and has one before the frame.
      const most = inSight.some(({ note }) => note !== '') ? widestLabel : inner - 2;
      const labelColumns = Math.min(most, Math.max(...labels.map((label) => width(label))));
      const count = selected === null ? safe`${rows.length} found` : safe`${selected + 1} of ${rows.length}`;
      const note = rows.length > inSight.length ? [span(count, look.theme.muted)] : [];
      const corners = { left: look.signs.topLeft, right: look.signs.topRight };
      return [
        borderRow(columns, corners, look, { note }),
        ...inSight.map((row, at) => {
          const drawn = rowOf(labels[at] ?? literal(''), row, labelColumns, inner, look);
          const line = first + at === selected ? overAll(drawn, look) : drawn;
          return withTarget(framed(line, columns, bothSides, look), {
            kind: 'completion',
            row: first + at,
            text: row.text,
          });
        }),
      ];
    },
  );
  return (state, { completion: rect }) => {
    const held = selectCompletion(state);
    return held === null || rect === null ? none : draw(held.rows, held.selected, rect.width, rect.height);
  };
}

const none: readonly Row[] = [];

/** The first row in sight: the selected row is shown, and as few rows as possible are hidden above it. */
const firstInSight = (count: number, selected: number | null, height: number): number =>
  Math.max(0, Math.min((selected ?? 0) - height + 1, count - height));

/** The label of the row; without the emoji where emoji are not drawn, as its name is after it. */
const labelOf = ({ text, label }: CompletionRow, { signs }: Look): string =>
  signs.hasEmoji || !label.startsWith(`${text} :`) ? label : label.slice(text.length + 1);

const textOf = (text: string, { signs }: Look): SafeText => ownTextIn(sanitizeLine(text.slice(0, longest)), signs);

function rowOf(label: SafeText, row: CompletionRow, labelColumns: number, columns: number, look: Look): Row {
  const { theme, signs } = look;
  const name = span(label, row.isDisabled ? theme.muted : theme.plain);
  const left = fitRow(shortenRow([name], labelColumns, signs.ellipsis), labelColumns);
  const note = span(textOf(row.note, look), theme.muted);
  const room = Math.max(0, columns - labelColumns - 4);
  return fitRow([oneBlank, ...left, oneBlank, oneBlank, ...shortenRow([note], room, signs.ellipsis)], columns);
}

const overAll = (row: Row, look: Look): Row => row.map(({ text, style }) => span(text, selectedStyle(style, look)));
