import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eachCluster } from '../../../src/text/unicode/clusters.ts';
import {
  nextBoundary,
  nextWord,
  previousBoundary,
  previousWord,
  snapToBoundary,
} from '../../../src/text/unicode/graphemes.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { processorTime } from '../../support/system/processor-time.ts';
import { anyText, prose } from '../arbitraries.ts';

const boundariesOf = (text: string): number[] => [
  ...[...new Intl.Segmenter('en').segment(text)].map(({ index }) => index),
  text.length,
];

describe('boundaries', () => {
  test('are those of Intl.Segmenter, forwards and backwards', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, prose), (text) => {
        const boundaries = boundariesOf(text);
        for (const [index, offset] of boundaries.entries()) {
          expect(nextBoundary(text, offset)).toBe(boundaries[index + 1] ?? text.length);
          expect(previousBoundary(text, offset)).toBe(boundaries[index - 1] ?? 0);
        }
        for (let offset = 0; offset <= text.length; offset++) {
          expect(snapToBoundary(text, offset)).toBe(boundaries.findLast((boundary) => boundary <= offset) ?? 0);
        }
      }),
      { numRuns: campaignSize(50, 300) },
    );
  });

  test('are right in joined emoji, with what can be in and after them', () => {
    const pieces = [
      '👩',
      '👧',
      '❤',
      '♀',
      '⚕',
      '★',
      '🛰',
      '🦰',
      '\ud83d\ude50',
      '\u200d',
      '\u200d',
      '\u200d',
      '\ufe0f',
      '🏽',
      '🇩',
      'a',
      ' ',
      'é',
      '\u0301',
      '✋',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (parts) => {
        const text = parts.join('');
        const found = [0];
        eachCluster(text, 0, (_start, end) => found.push(end) > 0);
        expect(found).toEqual(text === '' ? [0] : boundariesOf(text));
      }),
      { numRuns: campaignSize(500, 5_000) },
    );
  });

  test('are right at every picture joined to another one, from both sides', () => {
    for (let codePoint = 0x2600; codePoint < 0x1fb00; codePoint += codePoint === 0x27bf ? 0x1f300 - 0x27bf : 1) {
      for (const text of [
        `${String.fromCodePoint(codePoint)}\u200d👩a`,
        `👩\u200d${String.fromCodePoint(codePoint)}`,
      ]) {
        const found = [0];
        eachCluster(text, 0, (_start, end) => found.push(end) > 0);
        expect(found, text).toEqual(boundariesOf(text));
      }
    }
  });

  test.each(['🇩🇪', '👨‍👩‍👧', 'ที่', '👍🏽', 'क्षि'])('are right in a long run of %s', (unit) => {
    const text = `x${unit.repeat(200)}`;
    const boundaries = boundariesOf(text);
    for (const [index, offset] of boundaries.entries()) {
      expect(previousBoundary(text, offset)).toBe(boundaries[index - 1] ?? 0);
      expect(nextBoundary(text, offset)).toBe(boundaries[index + 1] ?? text.length);
    }
  });

  test('are at the ends for offsets outside of the text', () => {
    expect(nextBoundary('ab', 9)).toBe(2);
    expect(nextBoundary('ab', -1)).toBe(1);
    expect(previousBoundary('ab', -3)).toBe(0);
    expect(previousBoundary('ab', 9)).toBe(1);
  });

  test('are found by reading the surroundings only', () => {
    const text = 'ที่'.repeat(1_000_000);
    const spent = processorTime();
    for (let i = 0; i < 200; i++) previousBoundary(text, nextBoundary(text, 1_500_000));
    expect(spent()).toBeLessThan(500);
  });
});

describe('words', () => {
  test('are moved over to the end of a word, and to the start of a word', () => {
    const text = 'hello, brave  new_world';
    expect([0, 3, 5, 6, 12, 23].map((offset) => nextWord(text, offset))).toEqual([5, 5, 12, 12, 23, 23]);
    expect([23, 14, 12, 7, 3, 0].map((offset) => previousWord(text, offset))).toEqual([14, 7, 7, 0, 0, 0]);
  });

  test('end the text if there is no further one', () => {
    expect(nextWord('a ...', 1)).toBe(5);
    expect(previousWord('... a', 3)).toBe(0);
  });

  test.each([
    'Größe, für “l’été” – naïve_Straße 3.5 km',
    'Что это? Ёлка и co-op',
    'Ελληνικά, ναι· και όχι',
    'مَرْحَبًا بالعالم',
    'नमस्ते दुनिया',
    '안녕하세요 여러분',
    'می‌خواهم بروم',
    'ok 👍🏽 voilà e\u0301te\u0301',
  ])('of a language with spaces are found as Intl.Segmenter finds them, and without it: %s', (text) => {
    const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].filter((one) => one.isWordLike);
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    onTestFinished(() => segment.mockRestore());
    const ends = words.map(({ index, segment: word }) => index + word.length);
    const before = ends.map((end, at) => nextWord(text, ends[at - 1] ?? 0) === end);
    const starts = words.map(({ index }) => index);
    const after = starts.map((start, at) => previousWord(text, starts[at + 1] ?? text.length) === start);
    expect([...before, ...after]).toEqual([...ends, ...starts].map(() => true));
    expect(segment).not.toHaveBeenCalled();
    nextWord('私は学生です', 0);
    expect(segment).toHaveBeenCalled();
  });

  test('are found in languages without spaces', () => {
    const text = '私は学生です';
    expect(nextWord(text, 0)).toBeLessThan(text.length);
    expect(previousWord(text, text.length)).toBeGreaterThan(0);
  });

  test('are moved over to a boundary, and every move moves', () => {
    fc.assert(
      fc.property(fc.oneof(prose, anyText), (text) => {
        const boundaries = boundariesOf(text);
        for (const offset of boundaries) {
          const next = nextWord(text, offset);
          expect(boundaries).toContain(next);
          if (offset < text.length) expect(next).toBeGreaterThan(offset);
          const previous = previousWord(text, offset);
          expect(boundaries).toContain(previous);
          if (offset > 0) expect(previous).toBeLessThan(offset);
        }
      }),
      { numRuns: campaignSize(30, 200) },
    );
  });

  test('of any length cost no more than their beginning', () => {
    const text = 'é'.repeat(1_000_000);
    const spent = processorTime();
    for (let i = 0; i < 20; i++) previousWord(text, nextWord(text, 500_000));
    expect(spent()).toBeLessThan(500);
  });
});

test('are searched for over a few pages only, if there are none', () => {
  for (const unit of ['😀', '🇩🇪', '\u200b', ' ']) {
    const text = unit.repeat(400_000 / unit.length);
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    for (const at of [previousWord(text, text.length), text.length - nextWord(text, 0)]) {
      expect(at).toBeLessThan(text.length);
      expect(at).toBeGreaterThan(text.length - 10_000);
    }
    expect(segment.mock.calls.reduce((sum, [piece]) => sum + piece.length, 0)).toBeLessThan(60_000);
    segment.mockRestore();
  }
});
