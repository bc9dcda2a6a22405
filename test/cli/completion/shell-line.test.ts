import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotedForBash, quotedForPowerShell, readBashLine } from '../../../src/cli/completion/shell-line.ts';
import { hostileNames } from './account.ts';

const breaks = ' \t\n"\'><=;|&(:@';

test.each([
  ['msg-tui read an', ['msg-tui', 'read', 'an'], '', ''],
  ['msg-tui read ', ['msg-tui', 'read', ''], '', ''],
  ['msg-tui read "Harbour cr', ['msg-tui', 'read', 'Harbour cr'], '"', ''],
  ["msg-tui read 'Harbour cr", ['msg-tui', 'read', 'Harbour cr'], "'", ''],
  ['msg-tui read Harbour\\ cr', ['msg-tui', 'read', 'Harbour cr'], '', ''],
  ['msg-tui read Ha"rbour cr', ['msg-tui', 'read', 'Harbour cr'], '"', 'Ha'],
  ['msg-tui send @an', ['msg-tui', 'send', '@an'], '', ''],
  ['msg-tui send x@an', ['msg-tui', 'send', 'x@an'], '', 'x'],
  ['msg-tui read x --view=un', ['msg-tui', 'read', 'x', '--view=un'], '', '--view='],
  ['A=1 B=2 msg-tui read ""', ['msg-tui', 'read', ''], '', ''],
  ['msg-tui read "a \\" \\$b \\c" x', ['msg-tui', 'read', 'a " $b \\c', 'x'], '', ''],
])('the words of a half-typed line are found: %s', (line, words, quote, kept) => {
  expect(readBashLine(line, breaks)).toEqual({ words, quote, kept, isRedirection: false });
});

test('after > a file name is completed, and the words after it belong to the command', () => {
  expect(readBashLine('msg-tui read ann > fi', breaks)).toMatchObject({ isRedirection: true });
  expect(readBashLine('msg-tui read >file an', breaks)).toMatchObject({
    words: ['msg-tui', 'read', 'an'],
    isRedirection: false,
  });
});

test('a quoted name is one word of bash, whichever quote is open', () => {
  const texts = [
    ...hostileNames,
    ...fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), 60),
  ].filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text));
  const words = texts.flatMap((text) => (['', '"', "'"] as const).map((q) => `${q}${quotedForBash(text, q)}${q}`));
  const script = `cd /nowhere-at-all 2>/dev/null; printf '%s\\0' ${words.join(' ')}`;
  const printed = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  expect(printed).toEqual(texts.flatMap((text) => [text, text, text]));
});

test('a completion of PowerShell is a plain word, or has single quotes around it', () => {
  expect(['work', '--view=unread', 'Ann Wells', '@ann', "it's", 'a\u2019b', '$(x)'].map(quotedForPowerShell)).toEqual([
    'work',
    '--view=unread',
    "'Ann Wells'",
    "'@ann'",
    "'it''s'",
    "'a\u2019\u2019b'",
    "'$(x)'",
  ]);
});
