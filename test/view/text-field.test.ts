import { expect, test } from 'vitest';
import { rowWidth } from '../../src/text/layout/row.ts';
import { literal } from '../../src/text/safe-text.ts';
import { nextBoundary } from '../../src/text/unicode/graphemes.ts';
import { width } from '../../src/text/unicode/width.ts';
import { unicodeSigns } from '../../src/view/glyph-set.ts';
import { fieldCursor, fieldPieces, fieldRow } from '../../src/view/text-field.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';

/** The row with the cursor and the selection in brackets. */
function shown(text: string, cursor: number, columns: number, isSecret = false, anchor: number | null = null): string {
  return fieldPieces({ text, cursor, anchor }, columns, isSecret, literal('…'))
    .map((piece) => (piece.isInverse ? `[${piece.text}]` : piece.text))
    .join('');
}

test('a short text is shown as it is, with the cursor in its place', () => {
  expect(shown('ferry', 5, 10)).toBe('ferry[ ]');
  expect(shown('ferry', 2, 10)).toBe('fe[r]ry');
  expect(shown('ferry', 0, 6)).toBe('[f]erry');
});

test('a long text is cut where it does not fit, and the cursor is always visible', () => {
  expect(shown('abcdefghijklmnop', 16, 8)).toBe('…klmnop[ ]');
  expect(shown('abcdefghijklmnop', 0, 8)).toBe('[a]bcdefg…');
  expect(shown('abcdefghijklmnop', 8, 8)).toBe('…efgh[i]j…');
});

test('a character of several code points counts once, and a secret shows none', () => {
  expect(shown('a👨‍👩‍👧b', 1, 10)).toBe('a[👨‍👩‍👧]b');
  expect(shown('geheim', 3, 10, true)).toBe('***[*]**');
  expect(shown('a\x1b[2J', 0, 20)).toBe('[a]␛[2J');
});

test('a selection is marked', () => {
  expect(shown('the ferry', 3, 20, false, 0)).toBe('[the ]ferry');
});

test('the row is never wider than its room, wherever the cursor is', () => {
  const text = 'ä👍日本語 the ferry 👩‍👩‍👧 leaves at nine';
  for (let columns = 5; columns < 50; columns++) {
    for (let cursor = 0; cursor <= text.length; cursor++) {
      const pieces = fieldPieces({ text, cursor, anchor: null }, columns, false, literal('…'));
      expect(width(pieces.map((piece) => piece.text).join('') as never), `${columns} ${cursor}`).toBeLessThanOrEqual(
        columns,
      );
    }
  }
});

test('the cursor of the terminal is in the column in which the field draws its own', () => {
  const look = { theme: themes.none, signs: unicodeSigns };
  const text = 'ä👍日本語 the ferry 👩‍👩‍👧 leaves at nine';
  for (let columns = 12; columns < 50; columns++) {
    for (let cursor = 0; cursor <= text.length; cursor = nextBoundary(text, cursor)) {
      for (const value of [text, '']) {
        const draft = eg.draft(value, { cursor: Math.min(cursor, value.length) });
        const field = { label: literal('Find:'), value, placeholder: literal('words'), draft };
        const row = fieldRow(field, columns, look);
        const own = row.findIndex(({ style }) => style === look.theme.selected);
        expect(fieldCursor(field, columns, look), `${columns} ${cursor}`).toBe(rowWidth(row.slice(0, own)));
      }
      if (cursor === text.length) break;
    }
  }
  expect(
    fieldCursor({ label: literal('To:'), value: text, placeholder: literal(''), draft: null }, 40, look),
  ).toBeNull();
});
