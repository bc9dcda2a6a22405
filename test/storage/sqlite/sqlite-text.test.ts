/** Reactions are stored with the key that earlier versions of the program wrote and read. */
import { expect, test } from 'vitest';
import { reactionsFromStored, storedReactions } from '../../../src/storage/sqlite/sqlite-text.ts';

test('the number of people without a name is stored as `untold` and read back', () => {
  const reactions = [
    { name: 'heart', by: ['ann'], unnamed: 2 },
    { name: '+1', by: [] },
  ];
  const stored = storedReactions(reactions);
  expect(stored).toEqual([
    { name: 'heart', by: ['ann'], untold: 2 },
    { name: '+1', by: [] },
  ]);
  expect(reactionsFromStored(stored)).toEqual(reactions);
});

test('other lists are returned unchanged, with entries that are no reactions', () => {
  const reactions = [{ name: '+1', by: [] }];
  expect(storedReactions(reactions)).toBe(reactions);
  expect(reactionsFromStored([null, 'x', { name: 'a', by: [], untold: 1 }])).toEqual([
    null,
    'x',
    { name: 'a', by: [], unnamed: 1 },
  ]);
});
