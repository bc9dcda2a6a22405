/** A data file of an older version keeps what is in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { migrate } from '../../../src/server/store/sqlite/schema.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { extrasOf, extrasSent, sendMessages } from '../messages-with-extras.ts';

const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('reactions and attachments in a file of version 3 are read', async () => {
  const path = join(folder, 'chat.db');
  const before = openSqlite(openDatabase(path));
  await sendMessages(before);
  expect(await extrasOf(before)).toEqual(extrasSent);
  await before.close();

  const file = openDatabase(path);
  file.exec(`DROP TRIGGER reaction_is_extra; DROP TRIGGER attachment_is_extra;
    ALTER TABLE messages DROP COLUMN has_extras; PRAGMA user_version = 3`);
  file.close();
  const after = openSqlite(openDatabase(path));
  expect(await extrasOf(after)).toEqual(extrasSent);
  await after.close();
});

test('the error about a full disk at the end of a migration names the disk', () => {
  const file = openDatabase(join(folder, 'full.db'));
  const full = {
    exec: (sql: string): void => {
      if (sql !== 'COMMIT') {
        file.exec(sql);
        return;
      }
      // SQLite rolls back by itself then.
      file.exec('ROLLBACK');
      throw new Error('database or disk is full');
    },
    prepare: (sql: string) => file.prepare(sql),
    close: () => file.close(),
  };
  expect(() => migrate(full)).toThrow('database or disk is full');
  file.close();
});
