/** Each file that a start reads, damaged at ten places: it starts all the same. At 200 places in the full run. */
import { expect, test } from 'vitest';
import { profileFiles, startsDamaged } from '../support/campaigns/damaged-stores.ts';

const files = profileFiles();

test.each([...files.keys()])(
  'with a damaged %s the program starts',
  (name) => expect(startsDamaged(files, name, 10)).toEqual([]),
  60_000,
);

test('both stores, the log of the one and the journal of the other exist before they are damaged', () => {
  expect([...files.keys()].sort()).toEqual(['cache.db', 'cache.db-wal', 'outbox.db', 'outbox.db-journal']);
});
