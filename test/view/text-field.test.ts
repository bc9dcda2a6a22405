import { expect, test } from 'vitest';
import { literal } from '../../src/text/safe-text.ts';
import { width } from '../../src/text/unicode/width.ts';
import { fieldPieces } from '../../src/view/text-field.ts';

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
