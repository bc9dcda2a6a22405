/** Whose unsent texts a token that is new here may send. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settleAccount, settleProfile } from '../../src/cli/link-account.ts';
import { writeAccount } from '../../src/config/accounts.ts';
import { rememberToken } from '../../src/config/known-tokens.ts';
import { profileDirectories } from '../../src/config/paths.ts';
import { openOutbox } from '../../src/storage/outbox/open.ts';
import { insertOp } from '../../src/storage/outbox/rows.ts';
import { outboxMigrations } from '../../src/storage/outbox/schema.ts';
import { openDatabase } from '../../src/storage/sqlite/driver.ts';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { anOp, temporaryDirectory } from '../storage/builders.ts';

const server = 'https://chat.example';

test.each([2, outboxMigrations.length])(
  'texts of an earlier token are asked about, and their file is left alone (version %i)',
  async (version) => {
    const root = temporaryDirectory();
    const earlier = join(root, 'a'.repeat(32));
    const own = { data: join(root, 'b'.repeat(32)), cache: join(root, 'cache', 'b'.repeat(32)) };
    for (const directory of [earlier, own.data]) mkdirSync(directory);
    writeAccount(earlier, { server, sameAs: null });
    const path = join(earlier, 'outbox.db');
    const database = openDatabase(path);
    migrate(database, outboxMigrations.slice(0, version), null);
    insertOp((sql) => database.prepare(sql), anOp());
    database.close();
    const before = readFileSync(path);
    const asked: string[] = [];
    const yes = (question: string) => Promise.resolve(asked.push(question) > 0);
    expect((await settleAccount(own, server, yes)).data).toBe(earlier);
    expect(asked).toEqual([expect.stringContaining('One unsent text was written with another token')]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(earlier).sort()).toEqual(['account.json', 'outbox.db']);
  },
);

test('a token that is new for a profile with unsent texts is refused where nobody can be asked', async () => {
  const root = temporaryDirectory();
  const paths = { data: join(root, 'data'), cache: join(root, 'cache') };
  const holder = { server, profile: 'ann' };
  const { data } = profileDirectories(paths, holder);
  expect((await settleProfile(paths, holder, 'token-of-ann', null)).data).toBe(data);
  openOutbox(data).close();
  expect((await settleProfile(paths, holder, 'token-of-ann', null)).data).toBe(data);
  expect((await settleProfile(paths, holder, 'a-token-that-was-rotated', null)).data).toBe(data);
  const database = openDatabase(join(data, 'outbox.db'));
  insertOp((sql) => database.prepare(sql), anOp());
  database.close();
  await expect(settleProfile(paths, holder, 'token-of-bob', null)).rejects.toMatchObject({
    code: 3,
    message: expect.stringContaining('msg-tui login --profile ann --same-account'),
  });
  const no = () => Promise.resolve(false);
  expect((await settleProfile(paths, holder, 'token-of-bob', no)).data).not.toBe(data);
  rememberToken(data, 'another-token-of-ann');
  expect((await settleProfile(paths, holder, 'another-token-of-ann', null)).data).toBe(data);
});
