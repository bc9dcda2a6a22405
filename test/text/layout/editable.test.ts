/** Where the cursor can be in the composer: rows and cells, however long the text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stretchUnits } from '../../../src/text/layout/editable-stretch.ts';
import { type EditableLayout, type EditableLine, layoutEditable } from '../../../src/text/layout/wrap.ts';
import { nextBoundary } from '../../../src/text/unicode/graphemes.ts';
import { width } from '../../../src/text/unicode/width.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { processorTime } from '../../support/system/processor-time.ts';
import { anyText, prose } from '../arbitraries.ts';

function linesOf(layout: EditableLayout): EditableLine[] {
  const lines: EditableLine[] = [];
  for (let line: EditableLine | null = layout.rowAt(0); line !== null; line = layout.rowAfter(line)) lines.push(line);
  return lines;
}

const rowsOf = (text: string, columns: number): string[] =>
  linesOf(layoutEditable(text, columns)).map((line) => line.text);

/** Row and column of an offset; the row is identified by where it starts. */
function cellOf(layout: EditableLayout, offset: number): { row: number; column: number } {
  const line = layout.rowAt(offset);
  return { row: line.start, column: layout.columnOf(line, offset) };
}

/** What is wrong with a layout: rows must cover the text, cells lie inside, a cell and back be the same place. */
function faultIn(text: string, columns: number): string | null {
  const layout = layoutEditable(text, columns);
  let at = 0;
  let above: EditableLine | null = null;
  for (const line of linesOf(layout)) {
    if (line.start !== at) return `a row begins at ${line.start}, not at ${at}`;
    if (width(line.text) > columns || line.text.includes('\n')) return `the row at ${at} does not fit`;
    if (layout.rowAt(line.start).end !== line.end) return `another row is found at ${at}`;
    if (layout.rowBefore(line)?.start !== above?.start) return `another row is above the one at ${at}`;
    above = line;
    at = line.isSoft ? line.end : line.end + 1;
  }
  if (at !== text.length + 1) return `the rows end at ${at}`;
  let previous = { row: 0, column: 0 };
  for (let offset = 0; offset <= text.length; offset = offset < text.length ? nextBoundary(text, offset) : offset + 1) {
    const cell = cellOf(layout, offset);
    if (cell.column >= columns) return `the cell of ${offset} is outside`;
    if (cell.row < previous.row || (cell.row === previous.row && cell.column < previous.column))
      return `the cell of ${offset} is before that of the offset before it`;
    const back = cellOf(layout, layout.offsetIn(layout.rowAt(cell.row), cell.column));
    if (back.row !== cell.row || back.column !== cell.column) return `the cell of ${offset} leads elsewhere`;
    previous = cell;
  }
  return null;
}

function expectPlaces(text: string, columns: number): void {
  expect(faultIn(text, columns)).toBeNull();
}

const places = (texts: fc.Arbitrary<string>, columns = 30) =>
  fc.property(texts, fc.integer({ min: 1, max: columns }), expectPlaces);

describe('layoutEditable', () => {
  test('has one empty row for an empty text', () => {
    const layout = layoutEditable('', 10);
    expect(linesOf(layout)).toEqual([{ start: 0, end: 0, text: '', isSoft: false }]);
    expect(cellOf(layout, 0)).toEqual({ row: 0, column: 0 });
    expect(layout.offsetIn(layout.rowAt(0), 7)).toBe(0);
    expect(layout.rowBefore(layout.rowAt(0))).toBeNull();
  });

  test('wraps between words and drops no character', () => {
    expect(rowsOf('hello brave world', 8)).toEqual(['hello ', 'brave ', 'world']);
    expect(rowsOf('hello world', 5)).toEqual(['hello', ' ', 'world', '']);
  });

  test('puts the cursor on a row of its own after a full row', () => {
    const layout = layoutEditable('abcd\nx', 4);
    expect(linesOf(layout).map((line) => [line.start, line.end, line.isSoft])).toEqual([
      [0, 4, true],
      [4, 4, false],
      [5, 6, false],
    ]);
    expect(cellOf(layout, 4)).toEqual({ row: 4, column: 0 });
    expect(cellOf(layout, 3)).toEqual({ row: 0, column: 3 });
  });

  test('shows control characters as visible ones, with their cells', () => {
    const layout = layoutEditable('a\x1bb\u202ec', 20);
    const row = layout.rowAt(0);
    expect(row.text).toBe('a␛b⟦RLO⟧c');
    expect(layout.columnOf(row, 4)).toBe(8);
    expect(layout.offsetIn(row, 5)).toBe(3);
    expect(layout.offsetIn(row, 8)).toBe(4);
  });

  test('gives wide characters two cells and one position', () => {
    const layout = layoutEditable('漢字x', 20);
    const row = layout.rowAt(0);
    expect([0, 1, 2].map((offset) => layout.columnOf(row, offset))).toEqual([0, 2, 4]);
    expect([0, 1, 2, 3, 4, 9].map((column) => layout.offsetIn(row, column))).toEqual([0, 0, 1, 1, 2, 3]);
  });

  test('ends a wrapped row at its last character, and a line at its end', () => {
    const layout = layoutEditable('hello brave\nworld', 8);
    expect(layout.offsetIn(layout.rowAt(0), 99)).toBe(5);
    expect(layout.offsetIn(layout.rowAt(6), 99)).toBe(11);
    expect(layout.offsetIn(layout.rowAt(99), 2)).toBe(14);
    expect(layout.offsetIn(layout.rowAt(-1), 2)).toBe(2);
  });

  test('counts rows only up to the requested number', () => {
    expect(layoutEditable('a\nb\nc', 4).rowCount(8)).toBe(3);
    expect(layoutEditable('a\nb\nc', 4).rowCount(2)).toBe(2);
    expect(layoutEditable('\n'.repeat(100_000), 4).rowCount(8)).toBe(8);
  });

  // Nothing is drawn for these, so that after a full row they have no cell of their own in it.
  test.each([
    ['soft hyphen', '\u00ad'],
    ['zero-width space', '\u200b'],
    ['joiner', '\u200d'],
    ['word joiner', '\u2060'],
    ['byte order mark', '\ufeff'],
    ['filler', '\u3164'],
    ['halfwidth filler', '\uffa0'],
    ['tag', '\u{e0062}'],
    ['grapheme joiner', '\u034f'],
    ['variation selector', '\ufe0f'],
  ])('begins the next row with a hidden %s after a full row', (_name, hidden) => {
    for (const last of ['a\u0e33', '漢', 'ab', 'क्ष', '👩‍👩‍👧', '\u1100\u1161', '한', '\u0600'])
      for (const more of ['', 'x', ' y', hidden]) expectPlaces(`ab${last}${hidden}${more}`, 4);
  });

  test('fits a soft hyphen after Thai SARA AM into its row', () => {
    expect(rowsOf('aaa\u0e33\u00ad', 4)).toEqual(['aaa\u0e4d\u0e32', '']);
    expectPlaces('aaa\u0e33\u00ad', 4);
  });

  test('has a position for every offset', () => {
    fc.assert(places(fc.oneof(prose, anyText)), { numRuns: campaignSize(50, 400) });
  });

  test('has a position for every offset of a long text', () => {
    const long = fc
      .tuple(
        fc.oneof(prose, anyText),
        fc.constantFrom('word ', '漢', 'x', '\n', '👩‍👩‍👧', '🇩🇪', 'क्षि', '\u1100\u1161'),
        anyText,
      )
      .map(([start, unit, end]) => start + unit.repeat((stretchUnits * 2.2) / unit.length) + end);
    fc.assert(places(long), { numRuns: campaignSize(6, 12) });
  });

  test.each([
    ['one line', 'hello world '],
    ['of Chinese', '漢字'],
    ['of Thai', 'ที่นี่ไำ'],
    ['of many lines', 'hello\n'],
    ['of nothing but lines', '\n'],
    ['of flags', '🇩🇪'],
  ])('takes a few milliseconds for a key in a megabyte %s', (_name, unit) => {
    /** In milliseconds of processor time, the least of ten: garbage collection is counted, and falls into several of them on a busy machine. */
    const cost = (text: (time: number) => string, at: number): number =>
      Math.min(
        ...Array.from({ length: 10 }, (_, time) => {
          const edited = text(time + 1);
          const spent = processorTime();
          const layout = layoutEditable(edited, 60);
          const row = layout.rowAt(at);
          layout.columnOf(row, at);
          layout.rowCount(8);
          layout.rowBefore(row);
          layout.rowAfter(row);
          return spent();
        }),
      );
    const text = unit.repeat(1_000_000 / unit.length);
    for (const at of [0, text.length / 2, text.length]) {
      const from = Math.floor(at / unit.length) * unit.length;
      const edited = (time: number): string => `${text.slice(0, from)}${'x'.repeat(time)}${text.slice(from)}`;
      expect(cost(edited, from + 1)).toBeLessThan(25);
    }
  });

  test('begins a new row at a space now and then in a line of any length', () => {
    const lines = linesOf(layoutEditable('hello world '.repeat(1000), 30));
    expect(lines.every(({ text }) => /^(?:(?:hello|world) )+$|^$/.test(text))).toBe(true);
    expect(lines.filter(({ text }) => text.length < 20).length).toBeLessThan(12_000 / stretchUnits + 2);
  });

  test('moves a tab to the next tab stop, as one position for the cursor', () => {
    expect(rowsOf('a\tb\n\tc', 20)).toEqual(['a   b', '    c']);
    const layout = layoutEditable('a\tb', 20);
    const [row] = linesOf(layout);
    expect([0, 1, 2, 3].map((offset) => layout.columnOf(row!, offset))).toEqual([0, 1, 4, 5]);
    expect(layout.offsetIn(row!, 2)).toBe(1);
  });

  test('gives a tab at the end of a row the rest of it, or begins the next one', () => {
    for (let columns = 1; columns < 12; columns++) {
      for (const text of ['\t\t\t\t', 'ab\tcd\tef', '日\t本\t語', 'abcdefgh\t']) {
        const layout = layoutEditable(text, columns);
        expect(linesOf(layout).every((line) => width(line.text) <= columns)).toBe(true);
        for (let at = 0; at <= text.length; at++) {
          const line = layout.rowAt(at);
          expect(layout.offsetIn(line, layout.columnOf(line, at)), `${JSON.stringify(text)} ${columns} ${at}`).toBe(at);
        }
      }
    }
  });
});
