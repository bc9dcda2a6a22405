import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asNote, rowWidth } from '../../../src/text/layout/row.ts';
import { type StyledRange, wrap, wrapStyled, wrapWithEnd } from '../../../src/text/layout/wrap.ts';
import { sanitizeBody } from '../../../src/text/safe/sanitize.ts';
import { literal, type SafeText } from '../../../src/text/safe-text.ts';
import { width } from '../../../src/text/unicode/width.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { anyText, prose } from '../arbitraries.ts';

describe('wrap', () => {
  test.each([
    ['words', 'the quick brown fox', 10, ['the quick', 'brown fox']],
    ['a word that fits exactly', 'hello world', 5, ['hello', 'world']],
    ['spaces at the break are dropped', 'hello     world', 7, ['hello', 'world']],
    ['spaces inside are kept', 'a  b  c', 10, ['a  b  c']],
    ['indent is kept', '    code and more', 10, ['    code', 'and more']],
    ['no break inside an indent', '    abcdefghijk', 10, ['    abcdef', 'ghijk']],
    ['after hyphens', 'a well-known name', 8, ['a well-', 'known', 'name']],
    ['after the last slash that fits', 'https://example.org/some/path', 24, ['https://example.org/', 'some/path']],
    ['after slashes, not after ://', 'https://example.org/path', 15, ['https://example', '.org/path']],
    ['not before a flag', 'run it --verbosely', 12, ['run it', '--verbosely']],
    ['long words', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['ideographs anywhere', '漢字漢字漢字', 5, ['漢字', '漢字', '漢字']],
    ['not before a closing mark', '漢字漢、字', 6, ['漢字', '漢、字']],
    ['Hangul at spaces', '한국어 한국어', 9, ['한국어', '한국어']],
    ['line feeds', 'a\n\nb\n', 10, ['a', '', 'b', '']],
    ['nothing', '', 10, ['']],
    ['no room for a wide character', '漢a', 1, ['…', 'a']],
    ['a space that carries a mark is kept', 'abc \u0301d', 3, ['abc', ' \u0301d']],
  ] as const)('%s', (_what, text, columns, expected) => {
    expect(wrap(text as unknown as SafeText, columns)).toEqual(expected);
  });

  test.each([
    ['Thai', 'ผมกำลังทำงานที่สำนักงานใหญ่', 8, ['ผมกำลัง', 'ทำงานที่', 'สำนักงาน', 'ใหญ่']],
    ['Lao', 'ຂ້ອຍກຳລັງເຮັດວຽກຢູ່ຫ້ອງການ', 9, ['ຂ້ອຍກຳລັງ', 'ເຮັດວຽກຢູ່', 'ຫ້ອງການ']],
    ['Burmese', 'ကျွန်တော်အလုပ်လုပ်နေပါတယ်', 10, ['ကျွန်တော်အလုပ်', 'လုပ်နေပါတယ်']],
    ['Khmer', 'ខ្ញុំកំពុងធ្វើការនៅការិយាល័យ', 12, ['ខ្ញុំកំពុងធ្វើការ', 'នៅការិយាល័យ']],
    ['Hindi, at its spaces', 'आज क्षमा क्षेत्र', 8, ['आज क्षमा', 'क्षेत्र']],
    ['a Thai word after a space', 'build พร้อมใช้งานแล้ว', 14, ['build พร้อมใช้', 'งานแล้ว']],
    ['a Thai word longer than the row', 'สำนักงาน', 3, ['สำนั', 'กงา', 'น']],
  ] as const)('breaks between words without spaces: %s', (_what, text, columns, expected) => {
    expect(wrap(sanitizeBody(text), columns)).toEqual(expected.map((row) => sanitizeBody(row)));
  });

  test('makes rows that fit, and drops only spaces at breaks', () => {
    fc.assert(
      fc.property(fc.oneof(prose, anyText), fc.integer({ min: 2, max: 40 }), (raw, columns) => {
        const text = sanitizeBody(raw);
        const rows = wrap(text, columns);
        for (const row of rows) expect(width(row)).toBeLessThanOrEqual(columns);
        const styled = wrapStyled(text, columns, '2');
        expect(styled.map(asNote)).toEqual(rows.map((row) => [{ text: row, style: '2', width: width(row) }]));
        fc.pre(!rows.includes(literal('…')));
        const written = styled.flatMap((row) => row.map(({ before, text: part }) => `${before}${part}`)).join('');
        const withoutEndings = (value: string): string => value.replace(/ +$/gm, '');
        expect(withoutEndings(written)).toBe(withoutEndings(`\n${text}`));
        const squeeze = (value: string): string => value.replace(/[ \n]/g, '');
        expect(squeeze(rows.join(''))).toBe(squeeze(text));
        expect(rows.length).toBeGreaterThanOrEqual(text.split('\n').length);
      }),
      { numRuns: campaignSize(200, 2000) },
    );
  });
});

describe('wrap with styles', () => {
  const target = { kind: 'link', messageId: 'm', address: 'https://a.example' } as const;
  const styled = (text: string, columns: number, ranges: readonly StyledRange[]) =>
    wrapStyled(text as unknown as SafeText, columns, '', ranges).map(asNote);

  test('keeps style and target of a range on every row it reaches', () => {
    const range = { start: 4, end: 19, style: '4', target };
    expect(styled('see aaaa-bbbb-cc-dd now', 9, [range])).toEqual([
      [
        { text: 'see ', style: '', width: 4 },
        { text: 'aaaa-', style: '4', width: 5, target },
      ],
      [{ text: 'bbbb-cc-', style: '4', width: 8, target }],
      [
        { text: 'dd', style: '4', width: 2, target },
        { text: ' now', style: '', width: 4 },
      ],
    ]);
  });

  test('makes the rows of plain text, and every character has the style of its range', () => {
    const any = fc.oneof(prose, anyText).map(sanitizeBody);
    const cuts = fc.array(fc.nat(60), { maxLength: 8 });
    fc.assert(
      fc.property(any, cuts, fc.integer({ min: 2, max: 40 }), (text, offsets, columns) => {
        const sorted = [...new Set(offsets)].sort((a, b) => a - b);
        const ranges = sorted.slice(1).map((end, i) => ({ start: sorted[i]!, end, style: `${i + 1}` }));
        const rows = wrapStyled(text, columns, '', ranges);
        const texts = rows.map((row) => row.map((span) => span.text).join(''));
        expect(texts).toEqual(wrap(text, columns));
        for (const [i, row] of rows.entries()) expect(rowWidth(row)).toBe(width(texts[i] as SafeText));
        fc.pre(/^[\x20-\x7e\n]*$/.test(text));
        const styles = rows.flatMap((row) =>
          row.flatMap((span) => [...span.text.replaceAll(' ', '')].map(() => span.style)),
        );
        const expected = [...text].flatMap((character, at) =>
          /[ \n]/.test(character) ? [] : [ranges.find(({ start, end }) => start <= at && at < end)?.style ?? ''],
        );
        expect(styles).toEqual(expected);
      }),
    );
  });
});

describe('a text whose end is kept', () => {
  const inRows = (text: string, end: string, columns: number, rows: number) =>
    wrapWithEnd(text as unknown as SafeText, end as unknown as SafeText, columns, rows, literal('…'));

  test('is not changed if it fits', () => {
    expect(inRows('disk full', ' · F5', 20, 2)).toEqual(['disk full · F5']);
    expect(inRows('the disk is full', ' · F5', 12, 2)).toEqual(['the disk is', 'full · F5']);
  });

  test('is cut before the end, also if words leave rows half empty', () => {
    expect(inRows('the disk of this machine is full', ' · F5', 12, 2).at(-1)).toMatch(/… · F5$/);
    expect(inRows('word '.repeat(1_000), ' · F5 tries again', 30, 3).at(-1)).toMatch(/… · F5 tries again$/);
  });

  test('never has more rows, nor longer ones', () => {
    fc.assert(
      fc.property(
        prose,
        prose,
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 1, max: 4 }),
        (text, end, columns, rows) => {
          const lines = wrapWithEnd(sanitizeBody(text), sanitizeBody(end), columns, rows, literal('…'));
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});
