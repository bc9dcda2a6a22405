import { expect, test } from 'vitest';
import { copyLimit, copyOf } from '../../../src/state/select/message-texts.ts';

test('copied text is the shown text, without control characters', () => {
  expect(copyOf('rm x\r\x1b[201~\ny')?.text).toBe('rm x\n␛[201~\ny');
});

test('a copy keeps line ends and emoji', () => {
  expect(copyOf('one\n\ntwo 👩‍👩‍👧')?.text).toBe('one\n\ntwo 👩‍👩‍👧');
});

test.each([
  ['in letters', 'x'.repeat(copyLimit), 'x'.repeat(copyLimit + 1)],
  ['in bytes', 'é'.repeat(copyLimit / 2), 'é'.repeat(copyLimit / 2 + 1)],
])('a copy has at most 48 KB %s, and is never a part of the text', (_, fits, tooLong) => {
  expect(copyOf(fits)?.text).toBe(fits);
  expect(copyOf(tooLong)).toBeNull();
});

test('the Thai and Lao vowel AM is copied as the one character that was sent', () => {
  expect(copyOf('ทำงาน ກຳລັງ')?.text).toBe('ท\u0e33งาน ກ\u0eb3ລັງ');
});
