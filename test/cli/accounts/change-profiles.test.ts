/** `profiles rename` and `profiles remove` on a machine of their own. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeProfile, renameProfile } from '../../../src/cli/accounts/change-profiles.ts';
import { logout } from '../../../src/cli/accounts/logout.ts';
import { listProfiles } from '../../../src/cli/accounts/profiles.ts';
import { profileDirectories } from '../../../src/config/paths.ts';
import { addProfile, setDefaultProfile } from '../../../src/config/profiles.ts';
import { findSavedToken, saveToken } from '../../../src/config/token-store.ts';
import { openSession } from '../../../src/session.ts';
import { insert } from '../../../src/state/composer/draft-edit.ts';
import { updateDraft } from '../../../src/state/composer/drafts.ts';
import { acquireSenderLock } from '../../../src/storage/outbox/sender-lock.ts';
import { fakeKeyring } from '../../support/system/fake-keyring.ts';
import { type Machine, machine } from './machine.ts';

const server = 'http://127.0.0.1:9';
const token = 'canary-0123456789';
const holder = (profile: string) => ({ server, profile });
const filesOf = (here: Machine, profile: string) => profileDirectories(here.paths, holder(profile));
/** What was printed since the last call. */
const said = (here: Machine): string => here.printed.splice(0).join('');
const configOf = (here: Machine): string => readFileSync(here.paths.configFile, 'utf8');

/** A machine with the profiles `work` and `home`; `work` is the default and has a draft. */
async function withDraft(usesKeyring = true): Promise<Machine> {
  const here = machine();
  mkdirSync(join(here.paths.configFile, '..'), { recursive: true });
  for (const name of ['work', 'home']) {
    await addProfile(here.paths.configFile, name, server);
    await saveToken({ ...here, usesKeyring }, holder(name), `${token}-${name}`);
  }
  await setDefaultProfile(here.paths.configFile, 'work');
  const { data, cache } = filesOf(here, 'work');
  const account = { label: 'work', server, token, insecureHttp: false, dataDirectory: data, cacheDirectory: cache };
  const session = openSession(account);
  session.store.setState(updateDraft('c1', (draft) => insert(draft, 'unsent')));
  session.flush();
  await session.close();
  return here;
}

test.each([true, false])(
  'rename moves the token, the messages and what is unsent (keyring: %s)',
  async (usesKeyring) => {
    const here = await withDraft(usesKeyring);
    appendFileSync(here.paths.configFile, '# the last line\n');
    await renameProfile('work', 'office', here);
    const config = await here.config();
    expect([...config.profiles.keys()].sort()).toEqual(['home', 'office']);
    expect(config.defaultProfile).toBe('office');
    expect(configOf(here)).toMatch(/\[profiles\.office\]\nserver = .*\n[\s\S]*# the last line\n$/);
    expect(existsSync(filesOf(here, 'work').data)).toBe(false);
    expect(existsSync(join(filesOf(here, 'office').data, 'outbox.db'))).toBe(true);
    expect(existsSync(filesOf(here, 'office').cache)).toBe(true);
    expect(findSavedToken(here, holder('work'))).toBeNull();
    expect(findSavedToken(here, holder('office'))).not.toBeNull();
    expect([...here.keyring.entries.values()].sort()).toEqual(usesKeyring ? [`${token}-home`, `${token}-work`] : []);
  },
);

test('rename changes nothing if the name is taken or invalid, a chat is open, or the keyring is locked', async () => {
  const here = await withDraft();
  const before = configOf(here);
  await expect(renameProfile('wrok', 'office', here)).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('did you mean "work"?'),
  });
  await expect(renameProfile('work', 'home', here)).rejects.toMatchObject({
    code: 2,
    message: 'profile "home" already exists; choose another name',
  });
  await expect(renameProfile('work', 'a b', here)).rejects.toMatchObject({ code: 2 });
  const lock = acquireSenderLock(filesOf(here, 'work').data);
  await expect(renameProfile('work', 'office', here)).rejects.toThrow(
    `nothing was renamed: another msg-tui (process ${process.pid}) uses the profile "work"; quit it first`,
  );
  if ('release' in lock) lock.release();
  const locked = { ...here, keyring: fakeKeyring('refuses', here.keyring.entries) };
  await expect(renameProfile('work', 'office', locked)).rejects.toThrow(
    'nothing was renamed: the keyring keeps the token',
  );
  mkdirSync(filesOf(here, 'office').data, { recursive: true });
  await expect(renameProfile('work', 'office', here)).rejects.toThrow('has data of a former profile of that name');
  expect(configOf(here)).toBe(before);
  expect(existsSync(join(filesOf(here, 'work').data, 'outbox.db'))).toBe(true);
  expect(findSavedToken(here, holder('office'))).toBeNull();
  expect(findSavedToken(here, holder('work'))).not.toBeNull();
});

test('a profile that cannot be renamed in config.toml stays whole', async () => {
  const here = await withDraft();
  writeFileSync(here.paths.configFile, `profiles = { work = { server = "${server}" } }\n`);
  await expect(renameProfile('work', 'office', here)).rejects.toThrow('cannot be renamed in place; edit it by hand');
  expect(existsSync(join(filesOf(here, 'work').data, 'outbox.db'))).toBe(true);
  expect([findSavedToken(here, holder('office')), here.keyring.entries.size]).toEqual([null, 2]);
});

test('remove takes the token, the messages and the lines of config.toml, and unsent texts only when told to', async () => {
  const here = await withDraft();
  await expect(removeProfile('work', {}, here)).rejects.toMatchObject({
    code: 1,
    message: 'nothing was removed: the profile has one unsent text; send or discard it first, or give --discard-unsent',
  });
  expect(here.keyring.entries.size).toBe(2);
  const { data, cache } = filesOf(here, 'work');
  await removeProfile('work', { discardUnsent: true }, here);
  expect(said(here)).toBe(
    'Removed: the token, from the keyring; the cached messages; one unsent text; the local data; the profile "work" in config.toml.\n',
  );
  expect([existsSync(data), existsSync(cache)]).toEqual([false, false]);
  expect([...here.keyring.entries.values()]).toEqual([`${token}-home`]);
  expect(configOf(here)).toBe(`\n[profiles.home]\nserver = "${server}"\n`);
  await removeProfile('home', {}, here);
  expect(said(here)).toBe('Removed: the token, from the keyring; the profile "home" in config.toml.\n');
  expect([...(await here.config()).profiles.keys()]).toEqual([]);
});

test.each<readonly [string, (bytes: Buffer) => void]>([
  ['one bit of the draft is changed', (bytes) => bytes.write('t', bytes.indexOf('unsent'))],
  ['its beginning is zeroed', (bytes) => bytes.fill(0, 0, 100)],
  ['a later msg-tui has written it', (bytes) => bytes.writeUInt32BE(99, 60)],
])('remove does not take an outbox that cannot be read for one without unsent texts: %s', async (_, change) => {
  const here = await withDraft();
  const { data } = filesOf(here, 'work');
  const path = join(data, 'outbox.db');
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
  await expect(removeProfile('work', {}, here)).rejects.toMatchObject({
    code: 1,
    message: expect.stringContaining('the outbox of the profile cannot be read'),
  });
  expect(readFileSync(path).equals(bytes)).toBe(true);
  await listProfiles({ json: true }, here);
  expect(JSON.parse(said(here)).profiles[0]).toMatchObject({ name: 'work', unsent: null });
  await logout({ profile: 'work', json: true }, here);
  expect(JSON.parse(said(here)).kept).toEqual({ local_data: true, unsent: null });
  await removeProfile('work', { discardUnsent: true }, here);
  expect(existsSync(data)).toBe(false);
});

test('a profile whose address is invalid is removed from config.toml, and the other profiles stay', async () => {
  const here = await withDraft();
  appendFileSync(here.paths.configFile, '\n[profiles.odd]\nserver = "not a url"\n');
  await expect(renameProfile('odd', 'even', here)).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('msg-tui profiles remove odd'),
  });
  await removeProfile('odd', {}, here);
  expect([...(await here.config()).profiles.keys()]).toEqual(['work', 'home']);
  expect(existsSync(filesOf(here, 'work').data)).toBe(true);
  expect(findSavedToken(here, holder('work'))).not.toBeNull();
});
