import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutRow,
  emptyRow,
  joinRows,
  overlay,
  padRow,
  type Row,
  rowToAnsi,
  rowWidth,
  shortenRow,
  span,
} from '../../../src/text/layout/row.ts';
import { sanitizeLine } from '../../../src/text/safe/sanitize.ts';
import { literal } from '../../../src/text/safe-text.ts';
import { width } from '../../../src/text/unicode/width.ts';
import { rowToText } from '../../support/builders/row-text.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { anyText } from '../arbitraries.ts';

const anyRow: fc.Arbitrary<Row> = fc.array(
  fc.tuple(anyText, fc.constantFrom('', '1', '31')).map(([raw, style]) => span(sanitizeLine(raw.slice(0, 12)), style)),
  { maxLength: 4 },
);
/** What each column shows: a style and its character, the second half of a wide one being empty. */
const textOf = rowToText;

describe('rows', () => {
  const row = [span(literal('ab漢'), '1'), span(literal('字cd'))];

  test('have the width of their spans', () => {
    expect(rowWidth(row)).toBe(8);
    expect(rowWidth(emptyRow)).toBe(0);
    expect(rowWidth(joinRows(row, row))).toBe(16);
  });

  test('are shortened with an ellipsis in the style of the text that it replaces', () => {
    expect(shortenRow(row, 8, literal('…'))).toBe(row);
    expect(shortenRow(row, 3, literal('…'))).toEqual([span(literal('ab'), '1'), span(literal('…'), '1')]);
    expect(textOf(shortenRow(row, 7, literal('...')))).toBe('ab漢...');
    expect(shortenRow(row, 2, literal('...'))).toEqual([]);
  });

  test('are cut by columns; half of a wide character becomes a space', () => {
    expect(textOf(cutRow(row, 1, 4))).toBe('b漢');
    expect(textOf(cutRow(row, 0, 3))).toBe('ab ');
    expect(textOf(cutRow(row, 3, 5))).toBe('  ');
    expect(textOf(cutRow(row, 5, 99))).toBe(' cd');
    expect(cutRow(row, 8, 99)).toEqual([]);
    expect(cutRow(row, 0, 8)[0]).toBe(row[0]);
  });

  test('are filled to a width, or cut to it', () => {
    expect(textOf(padRow(row, 10, '7'))).toBe('ab漢字cd  ');
    expect(padRow(row, 10, '7').at(-1)?.style).toBe('7');
    expect(textOf(padRow(row, 3))).toBe('ab ');
    expect(padRow(row, 8)).toBe(row);
  });

  test('can cover one another', () => {
    expect(textOf(overlay(row, 3, [span(literal('XY'))]))).toBe('ab XY cd');
    expect(textOf(overlay([span(literal('a'))], 3, [span(literal('XY'))]))).toBe('a  XY');
  });

  test('are written with one style at a time, and end in the default one', () => {
    expect(rowToAnsi(row)).toBe('\x1b[1mab漢\x1b[0m字cd');
    expect(rowToAnsi([span(literal('a'), '1'), span(literal('b'), '31')])).toBe('\x1b[1ma\x1b[0;31mb\x1b[0m');
    expect(rowToAnsi([span(literal('plain'))])).toBe('plain');
  });

  test('can be cut again with the same result', () => {
    fc.assert(
      fc.property(anyRow, fc.nat(30), fc.nat(30), (any, a, b) => {
        const total = rowWidth(any);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const part = cutRow(any, from, to);
        expect(rowWidth(part)).toBe(Math.max(0, Math.min(to, total) - from));
        for (const item of part) expect(width(item.text)).toBe(item.width);
        expect(textOf(cutRow(any, 0, total))).toBe(textOf(any));
        expect(rowWidth(padRow(any, to))).toBe(to);
        expect(rowWidth(overlay(any, from, [span(literal('XY'))]))).toBe(Math.max(total, from + 2));
      }),
      { numRuns: campaignSize(125, 1000) },
    );
  });
});
