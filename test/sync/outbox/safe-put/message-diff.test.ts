/** What counts as lost by a change, and what only was not done. */
import { expect, test } from 'vitest';
import {
  areFilesAppended,
  lossOf,
  lossText,
  observedOmitted,
} from '../../../../src/sync/outbox/safe-put/message-diff.ts';
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
])('%s count as lost', (_, before, now, words) => {
  const loss = lossOf(before, message(now));
  expect(loss === null ? '' : lossText(loss)).toContain(`has lost${words}`);
});

const file = { label: 'a', url: null, size: null, mediaType: null, fields: { id: 'f1' } };
const copy = { ...file, fields: { id: 'f2' } };

test('each field that was not sent shows what the server does with it, and nothing about the others', () => {
  const before = { text: 'hello', reactions: theirs, attachments: [file] };
  const after = { ...before, reactions: [] };
  expect(observedOmitted(before, { message: 'bye' }, after)).toEqual({
    omittedReactions: 'dropped',
    omittedFiles: 'kept',
  });
  expect(observedOmitted(before, { reactions: [] }, after)).toEqual({ omittedText: 'kept', omittedFiles: 'kept' });
  expect(observedOmitted({ ...before, text: '', attachments: [] }, { reactions: [] }, after)).toEqual({});
});

test('attachments count as appended if there are more of them than before and than were sent', () => {
  const sent = { attachments: [{ id: 'f1' }] };
  const [one, two] = [
    { text: '', reactions: [], attachments: [file] },
    { text: '', reactions: [], attachments: [file, copy] },
  ];
  expect(areFilesAppended(one, sent, two)).toBe(true);
  expect(areFilesAppended(one, sent, one)).toBe(false);
  expect(areFilesAppended({ ...one, attachments: [] }, sent, one)).toBe(false);
  expect(areFilesAppended(one, {}, two)).toBe(false);
});
