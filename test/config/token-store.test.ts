/** Which of the two places takes a token, whatever the keyring does. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkToken } from '../../src/config/credentials.ts';
import { ConfigError } from '../../src/config/errors.ts';
import { KeyringError } from '../../src/config/keyring.ts';
import { findSavedToken, forgetToken, readEntry, saveToken, type TokenStore } from '../../src/config/token-store.ts';
import { type FakeKeyring, fakeKeyring } from '../support/system/fake-keyring.ts';
import { temporaryDirectory } from './files.ts';

const holder = { server: 'https://chat.example/v1', profile: 'work' };
const token = 'canary-0123456789';

function storeWith(keyring: FakeKeyring, usesKeyring = true): TokenStore & { readonly file: string } {
  const data = temporaryDirectory();
  return { paths: { data }, keyring, usesKeyring, file: join(data, 'credentials.json') };
}

test('a working keyring stores the token; the file names the entry of the keyring and nothing else', async () => {
  const keyring = fakeKeyring();
  const store = storeWith(keyring);
  expect(await saveToken(store, holder, ` ${token}\n`)).toEqual({ file: store.file, refusal: null });
  expect([...keyring.entries.values()]).toEqual([token]);
  expect(readFileSync(store.file, 'utf8')).not.toContain('canary');
  const kept = findSavedToken(store, holder);
  const entry = kept !== null && 'entry' in kept ? kept.entry : '';
  expect(entry).toContain('work at https://chat.example');
  expect(await readEntry(keyring, entry)).toBe(token);
});

test('a token whose entry cannot be written to the file is removed from the keyring again', async () => {
  const keyring = fakeKeyring();
  const store = storeWith(keyring);
  const set: FakeKeyring['set'] = async (...entry) => {
    const held = await keyring.set(...entry);
    // From now on the file cannot be replaced.
    mkdirSync(store.file);
    return held;
  };
  await expect(saveToken({ ...store, keyring: { ...keyring, set } }, holder, token)).rejects.toThrow(ConfigError);
  expect([keyring.asked.length > 0, [...keyring.entries]]).toEqual([true, []]);
});

test('a damaged token is replaced and removed, and the others of the file stay', async () => {
  const store = storeWith(fakeKeyring(), false);
  for (const act of [() => saveToken(store, holder, token), () => forgetToken(store, holder)]) {
    const home = { home: 'token-two' };
    writeFileSync(store.file, JSON.stringify({ tokens: { 'https://chat.example': { work: 7, ...home } } }));
    await act();
    expect(JSON.parse(readFileSync(store.file, 'utf8')).tokens['https://chat.example']).toMatchObject(home);
    const found = findSavedToken(store, holder);
    expect(found === null || 'token' in found).toBe(true);
  }
});

test('two data directories do not share an entry', async () => {
  const keyring = fakeKeyring();
  await saveToken(storeWith(keyring), holder, 'token-one');
  await saveToken(storeWith(keyring), holder, 'token-two');
  expect([...keyring.entries.values()].sort()).toEqual(['token-one', 'token-two']);
});

test.each([
  ['refuses', 'it is locked'],
  ['hangs', 'it did not answer'],
  ['forgets', 'it did not return the token that was saved'],
  ['garbles', 'it did not return the token that was saved'],
] as const)('with a keyring that %s, the file stores the token', async (temper, refusal) => {
  const keyring = fakeKeyring(temper);
  const store = storeWith(keyring);
  expect(await saveToken(store, holder, token)).toEqual({ file: store.file, refusal });
  expect(findSavedToken(store, holder)).toEqual({ token });
  expect(statSync(store.file).mode & 0o777).toBe(0o600);
  expect([...keyring.entries]).toEqual([]);
});

test('a keyring that is switched off is not asked, except to remove an older token', async () => {
  const keyring = fakeKeyring();
  const on = storeWith(keyring);
  const off = { ...on, usesKeyring: false };
  expect(await saveToken(off, holder, 'the-first')).toMatchObject({ refusal: null });
  expect(keyring.asked).toEqual([]);
  await saveToken(on, holder, 'the-second');
  await saveToken(off, holder, 'the-third');
  expect(findSavedToken(off, holder)).toEqual({ token: 'the-third' });
  expect([...keyring.entries]).toEqual([]);
});

test('a token in the file is found without the keyring', async () => {
  const keyring = fakeKeyring();
  const store = storeWith(keyring, false);
  await saveToken(store, holder, token);
  expect(findSavedToken(store, holder)).toEqual({ token });
  expect(findSavedToken(store, { ...holder, profile: 'other' })).toBeNull();
  expect(keyring.asked).toEqual([]);
});

describe('a token that no header can carry', () => {
  test('is stored nowhere', async () => {
    const keyring = fakeKeyring();
    const store = storeWith(keyring);
    await expect(saveToken(store, holder, 'two words')).rejects.toThrow(/token has spaces/);
    expect([keyring.asked, findSavedToken(store, holder)]).toEqual([[], null]);
  });

  test('is not accepted from a keyring either, and not quoted', async () => {
    const keyring = fakeKeyring('works', new Map([['x', 'canary canary']]));
    const problem = checkToken('canary canary');
    const error = await readEntry(keyring, 'x').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(KeyringError);
    expect(String(error)).toContain('problem' in problem ? problem.problem : '?');
    expect(String(error)).not.toContain('canary');
  });
});

test('a missing entry is an error of its own', async () => {
  await expect(readEntry(fakeKeyring(), 'x')).rejects.toThrow('it has no token for this account');
});
