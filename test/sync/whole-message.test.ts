/** What counts as lost by a change, and what only was not done. */
import { expect, test } from 'vitest';
import { lossOf, type Wanted } from '../../src/sync/whole-message.ts';
import { message } from '../support/eg.ts';

const theirs = [{ name: 'heart', by: ['ann', 'bob'] }];
const withMine = [{ name: 'heart', by: ['ann', 'bob', 'me'] }];
const wanted = (fields: Partial<Wanted>): Wanted => ({
  id: 'm',
  text: 'hello',
  reads: 'hello',
  reactions: theirs,
  attachments: [],
  had: theirs,
  ...fields,
});

test.each([
  ['an own reaction that was refused', wanted({ reactions: withMine }), theirs],
  ['an own reaction that could not be taken back', wanted({ had: withMine }), withMine],
  ['one that came meanwhile', wanted({}), withMine],
])('%s is no loss', (_, whole, reactions) => {
  expect(lossOf(whole, message({ text: 'hello', reactions }))).toBeNull();
});

test.each([
  ['other people’s reactions', wanted({ reactions: withMine }), message({ text: 'hello' }), ' 2 reactions.'],
  [
    'reactions of which only the number is told',
    wanted({ had: [{ name: 'heart', by: [], untold: 2 }], reactions: [{ name: 'heart', by: [], untold: 2 }] }),
    message({ text: 'hello' }),
    ' 2 reactions.',
  ],
  ['the text', wanted({}), message({ text: '', reactions: theirs }), ' its text.'],
])('%s are missed', (_, whole, now, words) => {
  expect(lossOf(whole, now)).toContain(`has lost${words}`);
});
