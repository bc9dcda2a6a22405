/** A long message is read in parts: together they are the message, and none of them is long. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { partEnd, partLines, partUnits } from '../../../src/text/layout/parts.ts';
import { wrap } from '../../../src/text/layout/wrap.ts';
import { sanitizeBody } from '../../../src/text/safe/sanitize.ts';
import type { SafeText } from '../../../src/text/safe-text.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { anyText, prose } from '../arbitraries.ts';

function partsOf(raw: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < raw.length; ) {
    const to = partEnd(raw, at);
    parts.push(raw.slice(at, to));
    at = to;
  }
  return parts;
}

const long = fc
  .tuple(fc.oneof(prose, anyText), fc.oneof(prose, anyText), fc.integer({ min: 1, max: 4000 }))
  .map(([start, unit, times]) => start + unit.repeat(Math.min(times, Math.ceil(20_000 / Math.max(1, unit.length)))));

test('parts are the whole message, each within its limits, however it was written', () => {
  fc.assert(
    fc.property(long, (raw) => {
      const parts = partsOf(raw);
      expect(parts.join('')).toBe(raw);
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(partUnits);
        const shown = sanitizeBody(part);
        // A dotted circle or a selector may be added to a mark without a letter.
        expect(shown.length).toBeLessThanOrEqual(partUnits * 2);
        expect(shown.split('\n').length).toBeLessThanOrEqual(partLines + 1);
      }
    }),
    { numRuns: campaignSize(30, 200) },
  );
});

test('a part ends after a line if one ends near the limit', () => {
  const raw = 'some words in a line of about fifty characters each\n'.repeat(400);
  for (const part of partsOf(raw)) expect(part).toMatch(/each\n$/);
  const rare = `${'x '.repeat(1600)}\n${'y '.repeat(2000)}`;
  expect(partsOf(rare)[0]).toBe(`${'x '.repeat(1600)}\n`);
  const far = `a\n${'y '.repeat(4000)}`;
  expect(partsOf(far)[0]?.length).toBeGreaterThan(3990);
  const longWord = `a ${'y'.repeat(700)} `.repeat(20);
  for (const part of partsOf(longWord).slice(0, -1)) expect(part).toMatch(/ $/);
});

test('a part ends after a word, and never inside a character', () => {
  for (const unit of ['hello brave world ', '👩‍👩‍👧', '🇩🇪', 'e\u0301', 'क्षि', '\u1112\u1161\u11ab']) {
    const raw = unit.repeat(20_000 / unit.length);
    for (const part of partsOf(raw)) {
      if (unit.includes(' ')) expect(part).toMatch(/^\S.* $/);
      else expect(part.length % unit.length).toBe(0);
    }
  }
});

test.each([
  ['ASCII', 'hello world '],
  ['ideographs', '漢字'],
  ['line feeds', '\n'],
  ['Thai without a space', 'ที่'],
  ['joined emoji', '👩‍👩‍👧'],
  ['Hangul in parts', '\u1112\u1161\u11ab'],
  ['direction marks', '\u202e'],
  ['marks', '\u0301'],
  ['nothing to see', '\u200b'],
])('only a part of ten megabytes of %s is segmented', (_what, unit) => {
  const text = unit.repeat(10_000_000 / unit.length);
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  const part = text.slice(0, partEnd(text, 0));
  wrap(sanitizeBody(part), 80);
  const sizes = segment.mock.calls.map(([piece]) => piece.length);
  segment.mockRestore();
  expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(partUnits);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(partUnits * 40);
  expect(wrap(part as SafeText, 80).length).toBeLessThanOrEqual(partLines + partUnits);
});

test('joined emoji are split without the segmenter, which takes the time of a frame to create', () => {
  const made = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  for (const unit of ['👩‍👩‍👧', '👍🏽', '❤️', '🎉']) {
    const parts = partsOf(unit.repeat(2_000));
    expect(parts.every((part) => part.length % unit.length === 0)).toBe(true);
    for (const part of parts) wrap(sanitizeBody(part), 80);
  }
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});
