import fc from 'fast-check';
import { graphemeSegments } from 'unicode-segmenter/grapheme';
import { expect, test } from 'vitest';
import { eachCluster } from '../../../src/text/unicode/clusters.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { anyText, prose } from '../arbitraries.ts';

/** Pieces that join what stands before or after them, among some that do not. */
const piece = fc.constantFrom(
  ...[
    'a',
    ' ',
    '\r',
    '\n',
    'é',
    'e\u0301',
    '👍',
    '\u{1f3fb}',
    '👩‍👧',
    '\u{1f1e6}',
    '\u{1f1ea}',
    '한',
    'ᄀ',
    'ᅡ',
    'か\u3099',
  ],
  ...[
    'ก',
    'ำ',
    'न',
    '\u094d',
    'म',
    '\u200d',
    '\ufe0f',
    '❤',
    '#',
    '\u20e3',
    '\ud800',
    '\udc00',
    '漢',
    '—',
    '\u0600',
    'ж',
  ],
);

test('a walk finds the clusters of the segmenter, and which of them are one code point', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, prose, fc.string({ unit: piece, maxLength: 12 })), (text) => {
      const found: unknown[] = [];
      eachCluster(text, 0, (start, end, codePoint) => found.push([text.slice(start, end), codePoint]) > 0);
      const expected = [...graphemeSegments(text)].map(({ segment }) => {
        const first = segment.codePointAt(0) ?? 0;
        return [segment, String.fromCodePoint(first) === segment ? first : -1];
      });
      expect(found).toEqual(expected);
    }),
    { numRuns: campaignSize(300, 3000) },
  );
});
