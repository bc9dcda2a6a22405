import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiffPart, wordDiff } from '../../src/text/diff.ts';

const shown = (parts: readonly DiffPart[] | null) =>
  parts
    ?.map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`))
    .join('') ?? null;

test('a change shows what was removed, then what was added', () => {
  expect(shown(wordDiff('The ferry leaves at nine', 'The ferry leaves at ten'))).toBe(
    'The ferry leaves at [-nine-]{+ten+}',
  );
  expect(shown(wordDiff('at nine', 'at nine sharp'))).toBe('at nine{+ sharp+}');
  expect(shown(wordDiff('a b c d', 'b c x d'))).toBe('[-a -]b c{+ x+} d');
});

test('texts without a common word, and long ones, are not compared by word', () => {
  expect(wordDiff('one two', 'three four')).toBe(null);
  expect(wordDiff('', 'words')).toBe(null);
  expect(wordDiff('x'.repeat(30_000), 'x')).toBe(null);
  const words = (from: number) => Array.from({ length: 900 }, (_, i) => `w${i + from}`).join(' ');
  expect(wordDiff(`${words(0)} end`, `${words(10_000)} end`)).toBe(null);
});

test('the diff without the added parts is the old text, and without the removed ones the new text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', 'é', '👍', '漢字', '  '), { maxLength: 30 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordDiff(before, after);
      if (parts === null) return;
      const without = (kind: DiffPart['kind']) =>
        parts
          .filter((part) => part.kind !== kind)
          .map((part) => part.text)
          .join('');
      expect(without('added')).toBe(before);
      expect(without('removed')).toBe(after);
    }),
  );
});
