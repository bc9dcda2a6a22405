import { expect, test } from 'vitest';
import { clipboardSequence } from '../../src/terminal/clipboard.ts';
import type { SafeText } from '../../src/text/safe-text.ts';

test('a copy is one OSC 52 whose payload decodes to the text', () => {
  const sequence = clipboardSequence('Grüße 👋\nzwei' as SafeText);
  const [, payload = ''] = /^\x1b\]52;c;([A-Za-z0-9+/=]+)\x1b\\$/.exec(sequence) ?? [];
  expect(Buffer.from(payload, 'base64').toString()).toBe('Grüße 👋\nzwei');
});
