import { expect, test } from 'vitest';
import { skeleton } from '../../../src/text/safe/confusables.ts';

test.each([
  ['paypal', 'раypal'],
  ['Alice', 'Аlice'],
  ['Ilya', 'llya'],
  ['Bob1', 'Bobl'],
  ['B0B', 'BOB'],
  ['Alice', 'Ａｌｉｃｅ'],
  ['Alice', 'Alice\u200b '],
  ['modern', 'modem'],
  ["O'Neil", 'O’Neil'],
])('%s looks like %s', (a, b) => {
  expect(skeleton(a)).toBe(skeleton(b));
});

test.each([
  ['Ann', 'Anna'],
  ['Mali', 'Mall'],
  ['Zoë', 'Zoe'],
  ['Анна', 'Ивана'],
])('%s does not look like %s', (a, b) => {
  expect(skeleton(a)).not.toBe(skeleton(b));
});
