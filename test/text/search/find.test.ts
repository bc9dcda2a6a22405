import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesWords, parseSearch } from '../../../src/state/search/search-query.ts';
import { sanitizeLine } from '../../../src/text/safe/sanitize.ts';
import { excerptAround, fold, foldedWords, markWords } from '../../../src/text/search/find.ts';
import { rowToText } from '../../support/builders/row-text.ts';

const holds = (text: string, query: string): boolean => matchesWords(text, parseSearch(query));

/** The marked pieces. */
const marked = (line: string, query: string): readonly string[] =>
  markWords(sanitizeLine(line), foldedWords(query), '1').flatMap(({ text, style }) => (style === '' ? [] : [text]));

describe('a text matches', () => {
  test.each([
    ['The ferry leaves at nine', 'FERRY', true],
    ['The ferry leaves at nine', 'nine leav', true],
    ['The ferry leaves at nine', 'ferry ten', false],
    ['Café crème', 'cafe CREME', true],
    ['cafe', 'café', true],
    ['Z\u0308u\u0308rich', 'zürich', true],
    ['ΟΔΟΣ', 'οδός', true],
    ['Ｗｉｄｅ ﬁne', 'wide fine', true],
    ['Øre', 'ore', false],
    ['が', 'か', false],
    ['', 'a', false],
  ])('%j for %j: %j', (text, query, is) => {
    expect(holds(text, query)).toBe(is);
  });

  test('everything if no word is given', () => {
    expect(foldedWords(' \t\n ')).toEqual([]);
    expect(foldedWords('a  b a')).toEqual(['a', 'b']);
  });
});

describe('the excerpt', () => {
  test('of a short text is the text', () => {
    expect(excerptAround('The ferry', ['ferry'])).toBe('The ferry');
  });

  test('of a long one has the first word near its beginning and cuts no cluster', () => {
    const excerpt = excerptAround(`${'👩‍👩‍👧 über '.repeat(300)}Ferry${' and so on'.repeat(300)}`, ['ferry']);
    expect(excerpt.length).toBeLessThan(440);
    expect(excerpt).toMatch(/^…(👩‍👩‍👧| |\p{L}).{0,170}Ferry and so on.*…$/su);
  });

  test('contains the word also if folding makes the text longer or shorter', () => {
    const filling = fc.string({ unit: fc.constantFrom('ﬃ', 'u\u0308', 'İ', '한', 'x', ' ', '👍'), maxLength: 2000 });
    fc.assert(
      fc.property(filling, filling, (before, after) => {
        expect(fold(excerptAround(`${before}ferry${after}`, ['ferry']))).toContain('ferry');
      }),
      { numRuns: 50 },
    );
  });
});

describe('marks', () => {
  test('are set on every occurrence, on whole clusters', () => {
    expect(marked('The other Café, theirs', 'the cafe')).toEqual(['The', 'the', 'Café', 'the']);
    expect(marked('Z\u0308u\u0308rich', 'zu')).toEqual(['Z\u0308u\u0308']);
    expect(marked('ﬁne', 'f')).toEqual(['ﬁ']);
    expect(marked('aaa', 'aa')).toEqual(['aa']);
    expect(marked('nothing', 'x')).toEqual([]);
  });

  test('change no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 1 }), (text, query) => {
        const line = sanitizeLine(text);
        expect(rowToText(markWords(line, foldedWords(query), '1'))).toBe(line);
      }),
      { numRuns: 100 },
    );
  });
});
