import { expect, test } from 'vitest';
import { clipboardSequence } from '../../src/terminal/clipboard.ts';
import type { SafeText } from '../../src/text/safe-text.ts';

test('a copy is one OSC 52 whose payload decodes to the text', () => {
  const sequence = clipboardSequence('Grüße 👋\nzwei' as SafeText, false);
  const [, payload = ''] = /^\x1b\]52;c;([A-Za-z0-9+/=]+)\x1b\\$/.exec(sequence) ?? [];
  expect(Buffer.from(payload, 'base64').toString()).toBe('Grüße 👋\nzwei');
});

test('GNU screen hands it on in pieces that it can hold', () => {
  const text = 'Grüße '.repeat(200) as SafeText;
  const pieces = clipboardSequence(text, true).split('\x1b\\');
  expect(pieces.pop()).toBe('');
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(242);
  expect(pieces.every((piece) => piece.startsWith('\x1bP'))).toBe(true);
  const handedOn = pieces.map((piece) => piece.slice(2)).join('');
  const [, payload = ''] = /^\x1b\]52;c;([A-Za-z0-9+/=]+)\x07$/.exec(handedOn) ?? [];
  expect(Buffer.from(payload, 'base64').toString()).toBe(text);
});
