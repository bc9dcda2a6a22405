/** Whose unsent texts a token that is new here may send. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Comparison } from '../../../src/cli/sign-in/compare-account.ts';
import { questionOfProfile, settleAccount, settleProfile } from '../../../src/cli/sign-in/link-account.ts';
import { writeAccount } from '../../../src/config/environment-accounts.ts';
import { rememberToken } from '../../../src/config/known-tokens.ts';
import { profileDirectories } from '../../../src/config/paths.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { insertOp } from '../../../src/storage/outbox/rows.ts';
import { outboxMigrations } from '../../../src/storage/outbox/schema.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { migrate } from '../../../src/storage/sqlite/migrate.ts';
import { anOp, temporaryDirectory } from '../../storage/builders.ts';

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
    const { files, onCompared } = await settleAccount(own, server, yes);
    expect(files.data).toBe(earlier);
    expect(asked).toEqual([expect.stringContaining('One unsent text was written with another token')]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(earlier).sort()).toEqual(['account.json', 'outbox.db']);
    // The yes counts for later starts once the service has shown no other account.
    expect((await settleAccount(own, server, null)).files).toEqual(own);
    onCompared?.();
    expect((await settleAccount(own, server, null)).files.data).toBe(earlier);
  },
);

describe('a token that is new for a profile, where no question can be asked', () => {
  const holder = { server, profile: 'ann' };
  const place = () => {
    const root = temporaryDirectory();
    const paths = { data: join(root, 'data'), cache: join(root, 'cache') };
    return { paths, own: profileDirectories(paths, holder) };
  };
  const finds = (comparison: Comparison) => ({ ask: null, compare: () => Promise.resolve(comparison) });
  const comparesNothing = { ask: null, compare: () => Promise.reject(new Error('nothing is compared')) };
  const writeOp = ({ data }: { readonly data: string }): void => {
    openOutbox(data).close();
    const database = openDatabase(join(data, 'outbox.db'));
    insertOp((sql) => database.prepare(sql), anOp());
    database.close();
  };
  const writeMe = ({ data }: { readonly data: string }): void => {
    const outbox = openOutbox(data);
    outbox.saveRecords([['me', '', { contactId: 'ann', username: 'ann', isConfirmed: true }]]);
    outbox.close();
  };

  test('is refused if texts are unsent', async () => {
    const { paths, own } = place();
    await settleProfile(paths, holder, 'token-of-ann', comparesNothing);
    writeOp(own);
    expect(await settleProfile(paths, holder, 'token-of-ann', comparesNothing)).toEqual({ files: own });
    await expect(settleProfile(paths, holder, 'token-of-bob', finds('same'))).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('msg-tui login --profile ann --same-account'),
    });
    const ask = () => Promise.resolve(false);
    expect(await settleProfile(paths, holder, 'token-of-bob', { ...comparesNothing, ask })).not.toEqual({ files: own });
    rememberToken(own.data, 'another-token-of-ann');
    expect(await settleProfile(paths, holder, 'another-token-of-ann', comparesNothing)).toEqual({ files: own });
  });

  test('is refused if its conversations are those of another account', async () => {
    const { paths, own } = place();
    writeMe(own);
    await expect(settleProfile(paths, holder, 'token-of-bob', finds('other'))).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('so it is for another account'),
    });
  });

  test('is asked about again after a yes until the service has shown no other account', async () => {
    const { paths, own } = place();
    writeMe(own);
    const asked: string[] = [];
    const yes = { ...comparesNothing, ask: (question: string) => Promise.resolve(asked.push(question) > 0) };
    await settleProfile(paths, holder, 'a-new-token', yes);
    const { files, onCompared } = await settleProfile(paths, holder, 'a-new-token', yes);
    onCompared?.();
    await settleProfile(paths, holder, 'a-new-token', yes);
    expect([files, asked.length]).toEqual([own, 2]);
  });

  test('uses the files of the profile if the conversations are the same, and is not compared again', async () => {
    const { paths, own } = place();
    writeMe(own);
    expect(await settleProfile(paths, holder, 'a-new-token', finds('unknown'))).toEqual({ files: own });
    expect(await settleProfile(paths, holder, 'a-new-token', finds('same'))).toEqual({ files: own });
    expect(await settleProfile(paths, holder, 'a-new-token', comparesNothing)).toEqual({ files: own });
  });

  test('is accepted if the first token was refused and left no data', async () => {
    const { paths, own } = place();
    await settleProfile(paths, holder, 'a-mistyped-token', comparesNothing);
    openOutbox(own.data).close();
    expect(questionOfProfile(own, server, 'token-of-ann')).toBeNull();
    expect(await settleProfile(paths, holder, 'token-of-ann', comparesNothing)).toEqual({ files: own });
    writeMe(own);
    expect(questionOfProfile(own, server, 'token-of-bob')).toContain('were read with another token');
  });
});
