import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextBoundary } from '../../src/text/graphemes.ts';
import { width } from '../../src/text/width.ts';
import { layoutEditable } from '../../src/text/wrap.ts';
import { anyText, prose } from './arbitraries.ts';

const rowsOf = (text: string, columns: number): string[] =>
  layoutEditable(text, columns).lines.map((line) => line.text);

describe('layoutEditable', () => {
  test('one empty row for an empty text', () => {
    const layout = layoutEditable('', 10);
    expect(layout.lines).toEqual([{ start: 0, end: 0, text: '', isSoft: false }]);
    expect(layout.cellOf(0)).toEqual({ line: 0, column: 0 });
    expect(layout.offsetAt(3, 7)).toBe(0);
  });

  test('wraps between words and drops nothing', () => {
    expect(rowsOf('hello brave world', 8)).toEqual(['hello ', 'brave ', 'world']);
    expect(rowsOf('hello world', 5)).toEqual(['hello', ' ', 'world', '']);
  });

  test('after a full row the cursor stands on a row of its own', () => {
    const layout = layoutEditable('abcd\nx', 4);
    expect(layout.lines.map((line) => [line.start, line.end, line.isSoft])).toEqual([
      [0, 4, true],
      [4, 4, false],
      [5, 6, false],
    ]);
    expect(layout.cellOf(4)).toEqual({ line: 1, column: 0 });
    expect(layout.cellOf(3)).toEqual({ line: 0, column: 3 });
  });

  test('odd characters are drawn as pictures, with the cells of these', () => {
    const layout = layoutEditable('a\x1bb\u202ec', 20);
    expect(layout.lines[0]?.text).toBe('a␛b⟦RLO⟧c');
    expect(layout.cellOf(4)).toEqual({ line: 0, column: 8 });
    expect(layout.offsetAt(0, 5)).toBe(3);
    expect(layout.offsetAt(0, 8)).toBe(4);
  });

  test('wide characters have two cells and one place', () => {
    const layout = layoutEditable('漢字x', 20);
    expect([0, 1, 2].map((offset) => layout.cellOf(offset).column)).toEqual([0, 2, 4]);
    expect([0, 1, 2, 3, 4, 9].map((column) => layout.offsetAt(0, column))).toEqual([0, 0, 1, 1, 2, 3]);
  });

  test('past the end of a wrapped row is its last character, past the end of a line its end', () => {
    const layout = layoutEditable('hello brave\nworld', 8);
    expect(layout.offsetAt(0, 99)).toBe(5);
    expect(layout.offsetAt(1, 99)).toBe(11);
    expect(layout.offsetAt(99, 2)).toBe(14);
    expect(layout.offsetAt(-1, 2)).toBe(2);
  });

  test('rows cover the text, cells lie inside, and the way to a cell and back is the same place', () => {
    fc.assert(
      fc.property(fc.oneof(prose, anyText), fc.integer({ min: 1, max: 30 }), (text, columns) => {
        const layout = layoutEditable(text, columns);
        let at = 0;
        for (const [index, line] of layout.lines.entries()) {
          expect(line.start).toBe(at);
          expect(width(line.text)).toBeLessThanOrEqual(columns);
          expect(line.text).not.toContain('\n');
          at = line.isSoft ? line.end : line.end + 1;
          if (index > 0 && line.start === line.end && !line.isSoft) expect(layout.cellOf(line.start).line).toBe(index);
        }
        expect(at).toBe(text.length + 1);
        let previous = { line: 0, column: 0 };
        for (
          let offset = 0;
          offset <= text.length;
          offset = offset < text.length ? nextBoundary(text, offset) : offset + 1
        ) {
          const cell = layout.cellOf(offset);
          expect(cell.column).toBeLessThan(columns);
          expect(cell.line * 1000 + cell.column).toBeGreaterThanOrEqual(previous.line * 1000 + previous.column);
          const back = layout.offsetAt(cell.line, cell.column);
          expect(layout.cellOf(back)).toEqual(cell);
          previous = cell;
        }
      }),
      // A fixed seed: a known fault (below) is met about once in twenty thousand texts.
      { seed: 20261121, numRuns: 400 },
    );
  });

  // Open: a hidden character behind a decomposed vowel gives the row one column too many.
  test.fails('a soft hyphen behind Thai SARA AM fits its row', () => {
    for (const line of layoutEditable('aaa\u0e33\u00ad', 4).lines) expect(width(line.text)).toBeLessThanOrEqual(4);
    const layout = layoutEditable('aaa\u0e33\u00ad', 4);
    for (const offset of [0, 1, 2, 3, 4, 5]) {
      const cell = layout.cellOf(offset);
      expect(layout.cellOf(layout.offsetAt(cell.line, cell.column))).toEqual(cell);
    }
  });

  test('a key in a long text lays out its own line alone', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `${index} ที่นี่ 漢字 `.repeat(20));
    layoutEditable(lines.join('\n'), 60);
    const started = performance.now();
    for (let i = 0; i < 20; i++) layoutEditable([...lines, 'x'.repeat(i)].join('\n'), 60);
    const cached = (performance.now() - started) / 20;
    const again = performance.now();
    for (let i = 0; i < 4; i++) layoutEditable(lines.join('\n'), 61 + (i % 2));
    expect(cached).toBeLessThan((performance.now() - again) / 4 / 3);
  });

  test('five megabytes on one line', () => {
    const text = 'hello world '.repeat(430_000);
    const started = performance.now();
    const layout = layoutEditable(text, 80);
    layout.cellOf(text.length);
    expect(performance.now() - started).toBeLessThan(1500);
  });
});
