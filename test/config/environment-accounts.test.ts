import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  accountDirectories,
  earlierAccounts,
  linkAccount,
  readAccount,
  writeAccount,
} from '../../src/config/environment-accounts.ts';
import { profileDirectories } from '../../src/config/paths.ts';
import { pipeIn } from '../support/system/pipe.ts';
import { temporaryDirectory } from './files.ts';

const server = 'https://chat.example';

function twoTokens() {
  const root = temporaryDirectory();
  const all = { data: join(root, 'data'), cache: join(root, 'cache') };
  return {
    old: profileDirectories(all, { server, token: 'old' }),
    fresh: profileDirectories(all, { server, token: 'fresh' }),
  };
}

test('a linked token opens the directories of the old one; a token alone opens its own', () => {
  const { old, fresh } = twoTokens();
  writeAccount(old.data, { server, sameAs: null });
  expect(accountDirectories(fresh, server)).toEqual(fresh);
  linkAccount(fresh.data, server, old.data);
  expect(accountDirectories(fresh, server)).toEqual(old);
  expect(accountDirectories(old, server)).toEqual(old);
  expect(statSync(join(fresh.data, 'account.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(fresh.data, 'account.json'), 'utf8')).not.toContain('fresh');
});

test('only accounts of this server with a directory of their own count as other accounts', () => {
  const { old, fresh } = twoTokens();
  expect(earlierAccounts(fresh.data, server)).toEqual([]);
  writeAccount(old.data, { server: 'https://else.example', sameAs: null });
  expect(earlierAccounts(fresh.data, server)).toEqual([]);
  writeAccount(old.data, { server, sameAs: null });
  expect(earlierAccounts(fresh.data, server)).toEqual([old.data]);
  linkAccount(old.data, server, fresh.data);
  expect(earlierAccounts(fresh.data, server)).toEqual([]);
});

test('a link to a missing place, to another server or out of the folder is not followed', () => {
  const { old, fresh } = twoTokens();
  linkAccount(fresh.data, server, old.data);
  expect(accountDirectories(fresh, server)).toEqual(fresh);
  writeAccount(old.data, { server: 'https://else.example', sameAs: null });
  expect(accountDirectories(fresh, server)).toEqual(fresh);
  mkdirSync(fresh.data, { recursive: true });
  for (const text of ['', '[]', 'null', '{"server":7}', `{"server":"${server}","sameAs":"../../x"}`]) {
    writeFileSync(join(fresh.data, 'account.json'), text);
    expect(readAccount(fresh.data)).toBe(null);
    expect(accountDirectories(fresh, server)).toEqual(fresh);
  }
});

test.skipIf(process.platform === 'win32')(
  'a pipe in place of the file is not an account, and is not waited for',
  () => {
    const { old } = twoTokens();
    mkdirSync(old.data, { recursive: true });
    pipeIn(old.data, 'account.json');
    expect(readAccount(old.data)).toBeNull();
  },
);
