/** A part of a long message that begins inside a block of code goes on as code. */
import { expect, test } from 'vitest';
import { openFence } from '../../../src/text/markdown/open-fence.ts';
import { fastest } from '../../support/clocks/fastest.ts';

const at = (raw: string): string => openFence(raw, raw.length);

test.each([
  ['```js\nlet a\n', '```js'],
  ['text\n  ```js\nlet a\n', '```js'],
  ['```js\nlet a\n```\n', ''],
  ['```js\nlet a```\n', ''],
  ['```js\nlet a\n```\n~~~\nb\n', '~~~'],
  ['````\n```\nb\n', '````'],
  ['````\n```\nb\n````\n', ''],
  ['inline ```code``` here\n', ''],
  ['plain', ''],
])('at the end of %j the open fence is %j', (raw, open) => {
  expect(at(raw)).toBe(open);
});

test('only a part of a message of megabytes is read', () => {
  const raw = '```js\n'.repeat(500_000);
  expect(fastest(50, () => at(raw))).toBeLessThan(200);
});
