/** What counts as lost by a change, and what only was not done. */
import { expect, test } from 'vitest';
import { difference, type TargetMessage } from '../../../../src/sync/outbox/safe-put/message-diff.ts';
import { message } from '../../../support/builders/eg.ts';

const theirs = [{ name: 'heart', by: ['ann', 'bob'] }];
const withMine = [{ name: 'heart', by: ['ann', 'bob', 'me'] }];
const wanted = (fields: Partial<TargetMessage>): TargetMessage => ({
  id: 'm',
  text: 'hello',
  expectedText: 'hello',
  reactions: theirs,
  attachments: [],
  previously: theirs,
  ...fields,
});

test.each([
  ['an own reaction that was refused', wanted({ reactions: withMine }), theirs],
  ['an own reaction that could not be taken back', wanted({ previously: withMine }), withMine],
  ['one that came meanwhile', wanted({}), withMine],
])('%s is no loss', (_, whole, reactions) => {
  expect(difference(whole, message({ text: 'hello', reactions }))).toBeNull();
});

test.each([
  ['other people’s reactions', wanted({ reactions: withMine }), message({ text: 'hello' }), ' 2 reactions.'],
  [
    'reactions of which only the number is told',
    wanted({ previously: [{ name: 'heart', by: [], untold: 2 }], reactions: [{ name: 'heart', by: [], untold: 2 }] }),
    message({ text: 'hello' }),
    ' 2 reactions.',
  ],
  ['the text', wanted({}), message({ text: '', reactions: theirs }), ' its text.'],
])('%s are missed', (_, whole, now, words) => {
  expect(difference(whole, now)).toContain(`has lost${words}`);
});
