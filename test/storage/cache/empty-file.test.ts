/** A file without tables: a full disk has let a start make it and nothing more. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSnapshot } from '../../../src/storage/cache/snapshot.ts';
import { readUnreadCounts } from '../../../src/storage/unread-counts.ts';
import { temporaryDirectory } from '../builders.ts';

test('an empty cache.db has nothing unread, and cannot be exported', () => {
  const folder = temporaryDirectory();
  for (const name of ['cache.db', 'outbox.db']) writeFileSync(join(folder, name), '');
  expect(readUnreadCounts({ data: folder, cache: folder }).counts).toEqual([]);
  expect(() => readSnapshot(folder)).toThrow('it could not be written; see msg-tui doctor');
});
