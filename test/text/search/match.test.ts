import { describe, expect, test } from 'vitest';
import { sanitizeName } from '../../../src/text/safe/sanitize.ts';
import { fold } from '../../../src/text/search/find.ts';
import { markMatch, matchLevel, nameQuery } from '../../../src/text/search/match.ts';

const level = (name: string, query: string): number => matchLevel(fold(name), nameQuery(query));

/** What is marked, in brackets. */
const marked = (name: string, query: string): string =>
  markMatch(sanitizeName(name), nameQuery(query), '1;4')
    .map(({ text, style }) => (style === '' ? text : `[${text}]`))
    .join('');

describe('a name matches', () => {
  test.each([
    ['the name itself', 'harbour crew', 6],
    ['its beginning', 'harb', 5],
    ['the beginning of a word', 'crew', 4],
    ['words in any order', 'crew harb', 4],
    ['a part of a word', 'bour', 3],
    ['a word and a part of another', 'harb rew', 3],
    ['the first letters of its words', 'hc', 2],
    ['letters in their order', 'hrbcr', 1],
    ['letters of which one is only inside of a later word', 'hrw', 0],
    ['other letters', 'hx', 0],
    ['letters that do not begin with a word', 'bcr', 0],
    ['one word that does not match', 'harb xyz', 0],
  ])('by %s', (_, query, expected) => {
    expect(level('Harbour crew', query)).toBe(expected);
  });

  test('without its accents, and where a sign ends a word', () => {
    expect(level('José Müller', 'muller')).toBe(4);
    expect(level('dev-general-ops', 'gen')).toBe(4);
    expect(level('dev-general-ops', 'dgo')).toBe(2);
    expect(level('李明', '明')).toBe(3);
    expect(level('ﬁlm club', 'film')).toBe(5);
  });

  test('not by letters scattered over a sentence, but from any word of it', () => {
    expect(level('Go back one step: close, cancel, to the composer', 'theme')).toBe(0);
    expect(level('How many days the record is kept', 'dark')).toBe(0);
    expect(level('Hi: Harbour crew', 'hrbcr')).toBe(1);
  });

  test('never by halves of characters or by separate digits', () => {
    expect(level('berth 10999', '1999')).toBe(0);
    expect(level('berth 10999', 'b1999')).toBe(1);
    expect(level('😀😁', '😁😀')).toBe(0);
  });
});

describe('the mark', () => {
  test('is on the letters that decided the rank', () => {
    expect(marked('Joanna Ann', 'ann')).toBe('Joanna [Ann]');
    expect(marked('Joanna', 'ann')).toBe('Jo[ann]a');
    expect(marked('Harbour crew', 'crew har')).toBe('[Har]bour [crew]');
    expect(marked('Hatch crew', 'hc')).toBe('[H]atch [c]rew');
    expect(marked('Harbour crew', 'hrc')).toBe('[H]a[r]bour [c]rew');
    expect(marked('Harbour crew', 'xyz')).toBe('Harbour crew');
  });

  test('is on whole clusters', () => {
    expect(marked('Mu\u0308ller', 'mu')).toBe('[Mü]ller'.normalize('NFD'));
    expect(marked('ﬁlm', 'f')).toBe('[ﬁ]lm');
    expect(marked('👩‍👩‍👧 family', '👩‍👩‍👧')).toBe('[👩‍👩‍👧] family');
  });

  test('contains no control characters', () => {
    expect(marked('\u001b]0;x\u0007\u202eann', 'ann')).toBe('␛]0;x␇[ann]');
  });
});
