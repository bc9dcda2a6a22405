import fc from 'fast-check';
import { gemoji } from 'gemoji';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { sanitizeBody, sanitizeLine } from '../../../src/text/safe/sanitize.ts';
import { literal, type SafeText } from '../../../src/text/safe-text.ts';
import { eachCluster } from '../../../src/text/unicode/clusters.ts';
import { cut, padEnd, truncate, width } from '../../../src/text/unicode/width.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { processorTime } from '../../support/system/processor-time.ts';
import { anyText, prose } from '../arbitraries.ts';

const conjunct = /\p{Lo}[\p{M}\u200c\u200d]*[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d][\p{M}\u200c\u200d]*\p{Lo}/u;

function clustersOf(text: string): string[] {
  const clusters: string[] = [];
  eachCluster(text, 0, (start, end) => {
    clusters.push(text.slice(start, end));
    return true;
  });
  return clusters;
}

describe('clusters', () => {
  test('are those of Intl.Segmenter', () => {
    const segmenter = new Intl.Segmenter('en');
    fc.assert(
      fc.property(fc.oneof(anyText, prose), (text) => {
        expect(clustersOf(text)).toEqual([...segmenter.segment(text)].map(({ segment }) => segment));
      }),
      { numRuns: campaignSize(200, 2000) },
    );
  });

  test('are the same if a long text is cut into pieces', () => {
    const segmenter = new Intl.Segmenter('en');
    for (const unit of ['👨‍👩‍👧', '🇩🇪', 'ที่', 'é̂', 'क्षि']) {
      for (const shift of ['', 'x', 'xy', 'ｶﾞ']) {
        const text = shift + unit.repeat(300);
        expect(clustersOf(text)).toEqual([...segmenter.segment(text)].map(({ segment }) => segment));
      }
    }
  });

  test('are no longer searched for when the caller stops', () => {
    let count = 0;
    eachCluster('ที่'.repeat(100_000), 0, () => ++count < 5);
    expect(count).toBe(5);
  });
});

describe('width', () => {
  test('agrees with string-width on every emoji', () => {
    for (const { emoji } of gemoji) {
      const text = sanitizeLine(emoji);
      expect(text).toBe(emoji);
      expect([emoji, width(text)]).toEqual([emoji, stringWidth(emoji)]);
    }
  });

  test('agrees with string-width on cleaned text', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, prose), (raw) => {
        const text = sanitizeBody(raw);
        fc.pre(!conjunct.test(text));
        expect(width(text)).toBe(stringWidth(text));
      }),
      { numRuns: campaignSize(300, 3000) },
    );
  });

  test('agrees with string-width on a sample of single code points', () => {
    for (let codePoint = 0x20; codePoint < 0x110000; codePoint += codePoint < 0x3000 ? 1 : campaignSize(97, 29)) {
      const text = sanitizeLine(String.fromCodePoint(codePoint));
      if (width(text) !== stringWidth(text))
        expect([codePoint.toString(16), width(text)]).toEqual(['', stringWidth(text)]);
    }
  });

  test('counts a Hangul syllable with its parts as two, whether a consonant comes before it or not', () => {
    for (const syllable of ['각\u11a8', '가\u1161\u11a8', '각\u11a8\u11a8'])
      for (const before of ['', '\u1100', '\u1100\u1100', '\ua960'])
        expect(width(`${before}${syllable}|`)).toBe(2 * before.length + 3);
  });

  test('counts every letter of a conjunct', () => {
    expect(width('क्ष')).toBe(2);
  });
});

describe('cutting', () => {
  test('never exceeds the columns, never splits a cluster, and keeps what fits', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 30 }), (raw, columns) => {
        const text = sanitizeLine(raw);
        const clusters = clustersOf(text);
        const head = cut(text, columns);
        expect(width(head)).toBeLessThanOrEqual(columns);
        expect(clusters.slice(0, clustersOf(head).length).join('')).toBe(head);
        const short = truncate(text, columns);
        expect(width(short)).toBeLessThanOrEqual(columns);
        if (width(text) <= columns && columns > 0) expect(short).toBe(text);
        expect(width(padEnd(text, columns))).toBe(Math.max(width(text), columns));
      }),
    );
  });

  test('keeps these characters of these texts', () => {
    expect(cut(literal('漢字'), 3)).toBe('漢');
    expect(truncate(literal('hello world'), 8)).toBe('hello w…');
    expect(truncate(literal('漢字漢字'), 6)).toBe('漢字…');
    expect(truncate(literal('hello'), 5)).toBe('hello');
    expect(truncate(literal('hello'), 0)).toBe('');
    // The vowel AM stays whole, which is two characters of one column together with its consonant.
    const thai = sanitizeLine('ทำน้ำดำ');
    expect(truncate(thai, 3)).toBe(`${sanitizeLine('ทำ')}…`);
    expect(truncate(thai, 4)).toBe(`${sanitizeLine('ทำ')}…`);
    expect(truncate(thai, 5)).toBe(`${sanitizeLine('ทำน้ำ')}…`);
    expect(padEnd(literal('漢'), 4)).toBe('漢  ');
  });

  test('costs as much as what is kept, not as the text', () => {
    const text = 'ที่'.repeat(1_000_000) as SafeText;
    const spent = processorTime();
    for (let i = 0; i < 100; i++) truncate(text, 20);
    expect(spent()).toBeLessThan(1000);
  });
});
