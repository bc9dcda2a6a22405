import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownWords, parseQuote, quoteAbove, quotedText, shownAuthor } from '../../../src/state/composer/quote.ts';

describe('the form of a quote', () => {
  test('is read as it was written, from any text and any name', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 700 }),
      fc
        .array(fc.constantFrom('> ', '\n', 'a', '', ' ', '…', 'wrote:'), { maxLength: 30 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(
        text,
        fc.option(fc.string({ unit: 'grapheme' })),
        fc.constantFrom('', 'yes', '\nyes'),
        (words, author, answer) => {
          const raw = quoteAbove(author, words, answer);
          const quote = parseQuote(raw);
          expect(quote).toMatchObject({ author: shownAuthor(author), body: quotedText(words) });
          expect(raw.slice(quote?.end)).toBe(answer.trimStart());
        },
      ),
    );
  });

  test.each([
    '',
    'hello',
    '> ',
    '> ann wrote:',
    '> ann wrote:\nno quote',
    '> only a quote\n> of markdown',
    '>ann wrote:\n> x',
    `> ann wrote:\n${'> line\n'.repeat(5)}`,
    `> ${'a'.repeat(201)} wrote:\n> x`,
  ])('does not match %j', (raw) => {
    expect(parseQuote(raw)).toBe(null);
  });

  test('stays apart from another quote below it', () => {
    const raw = quoteAbove('cyd', 'noon?', quoteAbove('ann', 'nine?', 'Yes'));
    expect(parseQuote(raw)).toMatchObject({ author: 'cyd', body: 'noon?' });
    expect(parseQuote(ownWords(raw))).toMatchObject({ author: 'ann', body: 'nine?' });
  });

  test('is left out of the text of a message', () => {
    expect(ownWords('> ann wrote:\n> nine?\n\nYes, nine')).toBe('Yes, nine');
    expect(ownWords('> ann wrote:\n> nine?\n')).toBe('> ann wrote:\n> nine?\n');
    expect(ownWords('> nine?\nYes')).toBe('> nine?\nYes');
  });

  test('of a reply leaves out what that reply quotes, unless it says nothing else', () => {
    expect(quotedText('> ann wrote:\n> nine?\n\nYes, nine')).toBe('Yes, nine');
    expect(quotedText('> ann wrote:\n> nine?')).toBe('> ann wrote:\n> nine?');
  });
});
