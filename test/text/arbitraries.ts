/** Hostile and ordinary text for property tests. */
import fc from 'fast-check';

const pieces = [
  'a', 'Z', '7', '#', ' ', '  ', '-', '/', '.', '\n', '\r\n', '\r', '\t', '\x1b', '\x1b]', '\x07', '\x9b', '\x7f', '\0',
  '漢', '字', 'か', 'ｶ', 'ﾞ', '、', '한', 'ᄀ', 'ᅡ', 'ᆨ', 'é', '\u0301', '\u0300\u0300\u0300', '\u20e3', 'я', 'ب', 'ی', '\u064b',
  'क', 'ष', '\u094d', '\u093f', 'ท', 'ำ', 'ี่', '\u0d4e', '\u200c', '\u200d', '\ufe0f', '\ufe0e', '\u200b', '\u00ad', '\u202e',
  '\u2066', '\u2069', '\u{e0062}', '\u{e007f}', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', '👩', '👍',
  '🏽', '❤', '♂', '✓', '🇩', '🇪', '🇦', '\ud800', '\udc00', '\ufffe', '\ufeff', '\u3164', '\u0600', '𝒳', '😀', '\u3000', '…',
] as const; // biome-ignore format: a table

/** Joins pieces that interact: joiners, marks, halves of flags and syllables, controls. */
export const hostileText = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

/** Hostile text, or anything at all. */
export const anyText = fc.oneof(
  hostileText,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
);

/** A grammar of escape sequences: introducers, parameters, ends, in any order. */
export const escapes = fc
  .array(
    fc.constantFrom(
      '\x1b',
      '\x1b]',
      '\x1b[',
      '\x1bP',
      '\x1b_',
      '\x9b',
      '\x9d',
      '\x90',
      '52;c;',
      '0;',
      '8;;',
      '?',
      '6',
      'n',
      'c',
      '>0q',
      '2J',
      'h',
      '?1049',
      '\x07',
      '\x1b\\',
      '\x9c',
      '\x05',
      '\x0e',
      '\r',
      '\b',
      '\n',
      'text',
      '漢',
      '\u202e',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

/** Words of several scripts with spaces. */
export const prose = fc
  .array(
    fc.constantFrom(
      'Hello',
      'a',
      'well-known',
      'https://example.org/a/b',
      '漢字かな',
      '、',
      '한국어',
      '👍🏽',
      '👨‍👩‍👧',
      'naïve',
      'ที่',
      'กำลังทำงาน',
      'ກຳລັງເຮັດວຽກ',
      ' ',
      '   ',
      '\n',
    ),
    { maxLength: 40 },
  )
  .map((words) => words.join(' '));

/** Chat messages: words and the markers of formatted messages, pieces of them, and whatever else. */
export const chat = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '**',
        '*',
        '_',
        '`',
        '~~',
        '||',
        '```',
        '```js\n',
        '\n',
        '\n\n',
        '> ',
        '- ',
        '1. ',
        '# ',
        '---\n',
        '\\',
      ),
      fc.constantFrom(
        '[ ] ',
        '    ',
        '| a | b |\n|---|---|\n| ',
        '|',
        '[',
        '](',
        ')',
        '![x](https://q.example/p)',
        '<b>',
      ),
      fc.constantFrom(
        'word ',
        '船',
        'Grüße',
        'مرحبا',
        'नमस्ते',
        'สวัสดี',
        '👩‍👩‍👧',
        'https://q.example ',
        '[x](https://q.example)',
      ),
      anyText,
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));
