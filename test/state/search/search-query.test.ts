import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesWords, parseSearch } from '../../../src/state/search/search-query.ts';
import { fold } from '../../../src/text/search/find.ts';

const words = (typed: string) => parseSearch(typed).words;
const conditions = (typed: string) => parseSearch(typed).conditions;

describe('a search that is typed', () => {
  test.each([
    ['Fähre neun', ['fahre', 'neun'], []],
    ['"leaves at nine" ferry', ['leaves at nine', 'ferry'], []],
    ['ferry -train -"at ten"', ['ferry'], ['train', 'at ten']],
    ['ferry ferry', ['ferry'], []],
    ['"not closed', ['not closed'], []],
    ['ferry " " "', ['ferry'], []],
    // A minus alone, an address, a time and an unknown operator are words.
    ['a - b', ['a', '-', 'b'], []],
    ['https://example.org 12:30 to:ann', ['https://example.org', '12:30', 'to:ann'], []],
    ['well-known', ['well-known'], []],
  ])('%j has words and words that must not occur', (typed, held, without) => {
    expect(parseSearch(typed)).toMatchObject({ words: held, without, conditions: [], problem: null });
  });

  test('has operators in any case, negated by a minus, with a phrase as value', () => {
    expect(
      conditions('from:@Ann IN:#Crew -from:"Bob Ö" has:link is:PINNED before:2026-11-03 after:"last week"'),
    ).toEqual([
      { kind: 'from', name: 'ann', isNegated: false },
      { kind: 'in', name: 'crew', isNegated: false },
      { kind: 'from', name: 'bob o', isNegated: true },
      { kind: 'has', part: 'link', isNegated: false },
      { kind: 'is', state: 'pinned', isNegated: false },
      { kind: 'before', day: '2026-11-03', isNegated: false },
      { kind: 'after', day: 'last week', isNegated: false },
    ]);
  });

  test('ignores an operator whose value is not typed yet', () => {
    expect(parseSearch('ferry from: has:')).toMatchObject({ words: ['ferry'], conditions: [], problem: null });
    expect(parseSearch('from: ').identity).toBe('');
  });

  test.each([
    ['has:cat', 'has: takes link, file or code'],
    ['is:late', 'is: takes mine, pinned or unread'],
    ['ferry after:soon', 'after: takes a day, such as 2026-11-03 or yesterday'],
    ['-before:x', 'before: takes a day, such as 2026-11-03 or yesterday'],
  ])('%j is answered with what the operator takes', (typed, problem) => {
    expect(parseSearch(typed).problem).toBe(problem);
  });

  test('is the same search with other blanks, and another one with other words', () => {
    expect(parseSearch(' Ferry  from:ann ').identity).toBe(parseSearch('ferry from:ANN').identity);
    expect(parseSearch('ferry').identity).not.toBe(parseSearch('ferr').identity);
    expect(parseSearch('a b').identity).not.toBe(parseSearch('"a b"').identity);
    expect(parseSearch('  ').identity).toBe('');
  });

  test('can be read whatever is typed, and no word of it is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (typed) => {
        const { words: held, without, conditions: all, problem, identity } = parseSearch(typed);
        const isNothing = held.length + without.length + all.length === 0 && problem === null;
        expect(identity === '').toBe(isNothing);
        if (!/["\-:]/.test(typed) && fold(typed.trim()) !== '') expect(held.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});

test('a text matches with all words and phrases, and without those that must not occur', () => {
  const matches = (typed: string) => matchesWords('The ferry leaves at nine', parseSearch(typed));
  expect(matches('"FERRY leaves" nine')).toBe(true);
  expect(matches('"leaves ferry"')).toBe(false);
  expect(matches('ferry -ten')).toBe(true);
  expect(matches('ferry -nine')).toBe(false);
  expect(matches('from:ann')).toBe(true);
  expect(words('from:ann')).toEqual([]);
});
