import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowOfAnsi } from '../../src/terminal/parse-ansi-row.ts';
import { campaignSize } from '../support/campaigns/partition.ts';

const parts = (line: string) => rowOfAnsi(line).map(({ text, style }) => [text, style]);

test('styles are collected, and removed by their group', () => {
  expect(parts('plain')).toEqual([['plain', '']]);
  expect(parts('\x1b[1m\x1b[31mx\x1b[39my\x1b[22mz')).toEqual([
    ['x', '1;31'],
    ['y', '1'],
    ['z', ''],
  ]);
  expect(parts('\x1b[38;5;208ma\x1b[48;2;1;2;3mb\x1b[0mc')).toEqual([
    ['a', '38;5;208'],
    ['b', '38;5;208;48;2;1;2;3'],
    ['c', ''],
  ]);
  expect(parts('\x1b[31ma\x1b[32mb\x1b[mc')).toEqual([
    ['a', '31'],
    ['b', '32'],
    ['c', ''],
  ]);
  expect(parts('\x1b[7m \x1b[27m')).toEqual([[' ', '7']]);
  expect(parts('\x1b[38:2::1:2:3mx')).toEqual([['x', '38:2::1:2:3']]);
  expect(rowOfAnsi('')).toBe(rowOfAnsi(''));
});

test('only SGR sequences are kept', () => {
  expect(parts('a\x1b[2Jb\x1b]0;title\x07c\x1b]8;;x\x1b\\d\x1bPq\x1b\\e\x07\r\x9bf\x1b')).toEqual([['abcdef', '']]);
  expect(parts('a\x1b[38;5mb')).toEqual([['ab', '']]);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('\x1b', '[', ']', 'm', '1', ';', '\x07', '\x9b', 'a', '\x9d', '\\', 'P', '\r', '\x7f'), {
        maxLength: 30,
      }),
      (units) => {
        for (const { text, style } of rowOfAnsi(units.join(''))) {
          expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          expect(style).toMatch(/^[\d;:]*$/);
        }
      },
    ),
    { numRuns: campaignSize(250, 2000) },
  );
});
