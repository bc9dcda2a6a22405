/** Whether `msg-tui unread` answers for an account, which it decides without the keyring. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withAccount } from '../../../src/cli/headless/account.ts';
import { unread } from '../../../src/cli/messages/unread.ts';
import { credentialsFile, writeSavedToken } from '../../../src/config/credentials.ts';
import { currentPaths, originOf, profileDirectories } from '../../../src/config/paths.ts';
import { addProfile, setTokenCommand } from '../../../src/config/profiles.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

const server = 'https://chat.example';

beforeEach(async () => {
  const home = temporaryDirectory();
  for (const [name, folder] of [
    ['CONFIG', 'c'],
    ['DATA', 'd'],
    ['CACHE', 'e'],
    ['STATE', 'f'],
  ] as const)
    vi.stubEnv(`XDG_${name}_HOME`, join(home, folder));
  for (const name of ['SERVER', 'TOKEN', 'PROFILE', 'CONFIG']) vi.stubEnv(`MSG_TUI_${name}`, undefined);
  await addProfile(currentPaths().configFile, 'work', server);
});

afterEach(() => void vi.unstubAllEnvs());

async function printed(): Promise<string> {
  let out = '';
  const print = (text: string): void => {
    out += text;
  };
  await unread({}, { text: print, json: print, remark: () => undefined, columns: null });
  return out;
}

test('an account without a token and without a cache is reported as not signed in, here and by other commands', async () => {
  const error = {
    code: 3,
    message: `profile work is not signed in to ${server}: run msg-tui login --profile work, or set MSG_TUI_TOKEN`,
  };
  await expect(printed()).rejects.toMatchObject(error);
  await expect(withAccount({}, async () => undefined)).rejects.toMatchObject(error);
});

test.each([
  [
    'in the keyring',
    () => writeSavedToken(credentialsFile(currentPaths()), originOf(server), 'work', { entry: 'anything' }),
  ],
  [
    'in the file',
    () => writeSavedToken(credentialsFile(currentPaths()), originOf(server), 'work', { token: '0123456789' }),
  ],
  ['in the environment', () => void vi.stubEnv('MSG_TUI_TOKEN', '0123456789')],
  ['from a command', () => setTokenCommand(currentPaths().configFile, 'work', ['pass', 'show', 'chat'])],
])('an account with its token %s is counted as soon as it was read for the first time', async (_, keep) => {
  await keep();
  expect(await printed()).toBe('0\n');
});

test('an account with a cache is counted without its token, which another program may give to the chat', async () => {
  const { cache } = profileDirectories(currentPaths(), { server, profile: 'work' });
  openCache(cache, { program: '', onTrouble: () => undefined }).close();
  expect(await printed()).toBe('0\n');
});

test('a file in the place of the folder of caches is reported, and not counted as nothing unread', async () => {
  vi.stubEnv('MSG_TUI_TOKEN', '0123456789');
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  vi.stubEnv('XDG_CACHE_HOME', file);
  await expect(printed()).rejects.toMatchObject({ code: 1, message: expect.stringContaining('is not a folder') });
});

test('a token file that cannot be used ends with 3, as a token that cannot be used does', async () => {
  const tokenFile = join(temporaryDirectory(), 'missing');
  await expect(unread({ tokenFile })).rejects.toMatchObject({ code: 3, message: expect.stringContaining(tokenFile) });
});
