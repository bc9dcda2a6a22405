/** Draws a block of code: a line at its left, thinner than the bar of quotes, its language above, and its colours. */
import { asNote, blank, mix, type Row, rowWidth, span, withBefore } from '../layout/row.ts';
import { type StyledRange, wrapStyled } from '../layout/wrap.ts';
import { literal, type SafeText } from '../safe-text.ts';
import type { CodeStretch } from './blocks.ts';
import type { Drawing } from './style.ts';

/** With fewer columns than this there is no line. */
const narrowest = 6;

export function codeRows(text: SafeText, info: SafeText, columns: number, drawing: Drawing): readonly Row[] {
  const { styles, signs, highlight } = drawing;
  const edge = columns < narrowest ? [] : [span(signs.vertical, styles.line), blank(1)];
  const room = Math.max(1, columns - rowWidth(edge));
  const colours = highlight(text, languageOf(info));
  const rows: Row[] = info === '' ? [] : wrapStyled(info, room, styles.note).map(asNote);
  let start = 0;
  let first = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    while (first < colours.length && (colours[first]?.end ?? 0) <= start) first++;
    rows.push(...lineRows(line as SafeText, room, rangesOf(colours, first, start, end, drawing)));
    start = end + 1;
  }
  return rows.map((row) => [...edge, ...row]);
}

/** The first word after the opening fence. */
const languageOf = (info: string): string => /^[^\s:,{]*/.exec(info)?.[0].toLowerCase() ?? '';

function rangesOf(
  colours: readonly CodeStretch[],
  first: number,
  start: number,
  end: number,
  { styles }: Drawing,
): readonly StyledRange[] {
  const ranges: StyledRange[] = [];
  for (let i = first; i < colours.length; i++) {
    const colour = colours[i];
    if (colour === undefined || colour.start >= end) break;
    ranges.push({
      start: Math.max(colour.start, start) - start,
      end: Math.min(colour.end, end) - start,
      style: mix(styles.plain, styles.syntax[colour.kind]),
    });
  }
  return ranges;
}

/** A line that does not fit goes on below its own beginning. */
function lineRows(line: SafeText, columns: number, ranges: readonly StyledRange[]): readonly Row[] {
  const spaces = line.length - line.trimStart().length;
  const indent = Math.min(/^ */.exec(line)?.[0].length ?? 0, spaces, Math.floor(columns / 2));
  const moved = ranges.map((range) => ({
    ...range,
    start: Math.max(0, range.start - indent),
    end: Math.max(0, range.end - indent),
  }));
  const rows = wrapStyled(line.slice(indent) as SafeText, columns - indent, '', moved);
  if (indent === 0) return rows;
  return rows.map((row, i) => {
    const before = row[0]?.before ?? literal('');
    if (i > 0) return [blank(indent), ...row];
    return [{ ...blank(indent), before }, ...withBefore(row, literal(''))];
  });
}
