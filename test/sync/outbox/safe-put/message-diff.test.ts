/** What counts as lost by a change, and what only was not done. */
import { expect, test } from 'vitest';
import { lossOf, lossText } from '../../../../src/sync/outbox/safe-put/message-diff.ts';
import { message } from '../../../support/builders/eg.ts';

const theirs = [{ name: 'heart', by: ['ann', 'bob'] }];
const withMine = [{ name: 'heart', by: ['ann', 'bob', 'me'] }];
const wanted = { text: 'hello', reactions: theirs, attachments: [] };

test.each([
  ['a message as it was', { text: 'hello', reactions: theirs }],
  ['one more reaction', { text: 'hello', reactions: withMine }],
  ['a text that was changed elsewhere', { text: 'good day', reactions: theirs }],
  ['reactions that the server only counts now', { text: 'hello', reactions: [{ name: 'heart', by: [], unnamed: 2 }] }],
])('%s is no loss', (_, now) => {
  expect(lossOf(wanted, message(now))).toBeNull();
});

test.each([
  ['other people’s reactions', wanted, { text: 'hello' }, ' 2 reactions.'],
  [
    'reactions of which only the number is given',
    { ...wanted, reactions: [{ name: 'heart', by: [], unnamed: 2 }] },
    { text: 'hello' },
    ' 2 reactions.',
  ],
  ['the text', wanted, { text: '', reactions: theirs }, ' its text.'],
  ['the text as it was written', { ...wanted, text: '&lt;' }, { text: '&amp;lt;', reactions: theirs }, ' its text.'],
])('%s are missed', (_, before, now, words) => {
  const loss = lossOf(before, message(now));
  expect(loss === null ? '' : lossText(loss)).toContain(`has lost${words}`);
});
