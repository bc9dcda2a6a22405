/** Draws the blocks of a message below each other. */
import { blank, mix, type Row, rowWidth, type Span, span, withBefore } from '../layout/row.ts';
import { literal, type SafeText } from '../safe-text.ts';
import type { Block, ItemMarker, Margin } from './blocks.ts';
import { codeRows } from './code-rows.ts';
import type { Drawing, MarkdownSigns } from './style.ts';
import { tableRows } from './table-rows.ts';
import { textRows } from './text-rows.ts';

const lineFeed = literal('\n');
const emptyLine: Span = { ...blank(0), before: lineFeed };

/** Every row is at most `columns` wide, unless a single character is wider. */
export const markdownRows = (blocks: readonly Block[], drawing: Drawing): readonly Row[] =>
  blocks.flatMap((block) => rowsOfBlock(block, drawing));

function rowsOfBlock(block: Block, drawing: Drawing): readonly Row[] {
  const { first, next } = marginSpans(block.margins, drawing);
  const room = Math.max(1, drawing.columns - rowWidth(next));
  return blockRows(block, room, drawing).map((row, i) => (i === 0 ? afterMarker(first, row) : [...next, ...row]));
}

/** The first row of a list item follows its marker on the same line. */
const afterMarker = (margins: Row, row: Row): Row =>
  margins.some(({ before }) => before !== undefined)
    ? [...margins, ...withBefore(row, literal(''))]
    : [...margins, ...row];

function blockRows(block: Block, columns: number, drawing: Drawing): readonly Row[] {
  const { styles, signs } = drawing;
  const isQuoted = block.margins.some(({ kind }) => kind === 'quote');
  const style = isQuoted ? styles.quote : styles.plain;
  switch (block.kind) {
    case 'blank':
      return Array.from({ length: block.lines }, () => [emptyLine]);
    case 'text':
      return textRows(block.content, columns, style, drawing);
    case 'heading':
      return textRows(block.content, columns, mix(style, block.level < 3 ? styles.heading : styles.bold), drawing);
    case 'code':
      return codeRows(block.text, block.info, columns, drawing);
    case 'rule':
      return [[span(signs.horizontal.repeat(columns) as SafeText, styles.line)]];
    case 'table':
      return tableRows(block, columns, drawing);
  }
}

interface Margins {
  readonly first: Row;
  readonly next: Row;
}

/** The outer ones are kept, and no more than half of the columns are taken. */
function marginSpans(margins: readonly Margin[], drawing: Drawing): Margins {
  const first: Span[] = [];
  const next: Span[] = [];
  let room = Math.floor(drawing.columns / 2);
  for (const margin of margins) {
    const [here, below] = marginSpan(margin, drawing);
    room -= rowWidth(below);
    if (room < 0 && !(margin.kind === 'item' && margin.isFirst)) continue;
    if (rowWidth([...next, ...below]) >= drawing.columns) break;
    first.push(...here);
    next.push(...below);
  }
  return { first, next };
}

function marginSpan(margin: Margin, { styles, signs }: Drawing): readonly [Row, Row] {
  if (margin.kind === 'quote') {
    const bar = [span(signs.bar, styles.line), blank(1)];
    return [bar, bar];
  }
  const marker = span(markerSign(margin.marker, signs), styles.marker);
  const below = [blank(marker.width + 1)];
  if (!margin.isFirst) return [below, below];
  return [
    [
      { ...marker, before: lineFeed },
      { ...blank(1), before: literal('') },
    ],
    below,
  ];
}

export function markerSign(marker: ItemMarker, signs: MarkdownSigns): SafeText {
  switch (marker.kind) {
    case 'bullet':
      return signs.bullet;
    case 'open':
      return signs.taskOpen;
    case 'done':
      return signs.taskDone;
    case 'text':
      return marker.text;
  }
}
