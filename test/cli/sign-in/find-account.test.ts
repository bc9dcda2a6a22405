/** Which account is opened and from where its token comes, with keyrings of every temper. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ChatAccount,
  type FindAccountOptions,
  findAccount,
  isWhole,
  saveAccount,
} from '../../../src/cli/sign-in/find-account.ts';
import { credentialsFile } from '../../../src/config/credentials.ts';
import { readEnvironment, type Variables } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/file.ts';
import { paths } from '../../../src/config/paths.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { type FakeKeyring, fakeKeyring, type Temper } from '../../support/system/fake-keyring.ts';

const server = 'https://chat.example';
const token = 'canary-0123456789';
const never = new AbortController().signal;

interface Machine extends FindAccountOptions {
  readonly keyring: FakeKeyring;
  with(env: Variables): FindAccountOptions;
  tempered(temper: Temper): FindAccountOptions;
}

function machine(temper: Temper = 'works', config = ''): Machine {
  const all = paths({}, 'linux', temporaryDirectory());
  if (config !== '') {
    mkdirSync(dirname(all.configFile), { recursive: true });
    writeFileSync(all.configFile, config);
  }
  const keyring = fakeKeyring(temper);
  const options = { environment: readEnvironment({}), paths: all, insecureHttp: false, keyring };
  return {
    ...options,
    with: (env) => ({ ...options, environment: readEnvironment({ ...env }) }),
    tempered: (next) => ({ ...options, keyring: fakeKeyring(next, keyring.entries) }),
  };
}

async function found(options: FindAccountOptions): Promise<ChatAccount> {
  const account = await findAccount(options, loadConfig(options.paths.configFile));
  if (!isWhole(account)) throw new Error(`no token: ${JSON.stringify(account)}`);
  return account;
}

const tokenOf = async ({ token: from }: ChatAccount): Promise<string> =>
  typeof from === 'string' ? from : from.read(never);

test('the token of a configured account is stored in the keyring; the next start reads it when it is needed', async () => {
  const here = machine();
  const saved = await saveAccount(here, server, token);
  expect([saved.token, saved.notice]).toEqual([token, undefined]);
  expect(readFileSync(credentialsFile(here.paths), 'utf8')).not.toContain('canary');
  here.keyring.asked.length = 0;
  const next = await found(here);
  expect(here.keyring.asked).toEqual([]);
  expect(next.dataDirectory).toBe(saved.dataDirectory);
  expect(await tokenOf(next)).toBe(token);
  expect(here.keyring.asked).toEqual(['get']);
});

test.each(['refuses', 'hangs', 'forgets', 'garbles'] as const)(
  'a keyring that %s: one line says so',
  async (temper) => {
    const here = machine(temper);
    const { notice } = await saveAccount(here, server, token);
    expect(notice).toMatch(/^No keyring \(it .+\): the token is in .+credentials\.json, which only you can read\.$/);
    expect(notice).not.toContain('canary');
    here.keyring.asked.length = 0;
    expect((await found(here)).token).toBe(token);
    expect(here.keyring.asked).toEqual([]);
  },
);

test('with keyring = false the token goes to the file, without a notice', async () => {
  const here = machine('works', 'keyring = false\n');
  expect((await saveAccount(here, server, token)).notice).toBeUndefined();
  expect([here.keyring.asked, (await found(here)).token]).toEqual([[], token]);
});

test.each([
  ['refuses', 'it is locked'],
  ['forgets', 'it has no token for this account'],
] as const)('the error of a start with a keyring that %s names the remedy', async (temper, why) => {
  const here = machine();
  await saveAccount(here, server, token);
  if (temper === 'forgets') here.keyring.entries.clear();
  const account = await found(here.tempered(temper));
  await expect(tokenOf(account)).rejects.toThrow(`keyring: ${why}. Unlock it and try again`);
  const keys = new Map([
    ['server.poll', 'F9'],
    ['server.signIn', 'Alt-t'],
  ]);
  const inChat = await found({ ...here.tempered(temper), keyOf: (id) => keys.get(id) ?? '' });
  await expect(tokenOf(inChat)).rejects.toThrow(`keyring: ${why}. F9 asks it again, Alt-t takes a new token`);
});

test('the welcome screen gets the reason why a server of the environment has no token', async () => {
  const here = machine();
  await saveAccount(here, server, token);
  const env = { MSG_TUI_SERVER: server };
  expect((await found(here.with(env))).token).toBe(token);
  const locked = { ...here.with(env), keyring: fakeKeyring('refuses') };
  expect(await findAccount(locked, loadConfig(locked.paths.configFile))).toEqual({
    server,
    problem: 'keyring: it is locked. Give the token here, or unlock it and start again',
  });
});

test('a token in the environment overrides the stored one, which is not read', async () => {
  const here = machine();
  await saveAccount(here, server, token);
  here.keyring.asked.length = 0;
  const account = await found(here.with({ MSG_TUI_TOKEN: 'token-of-another' }));
  expect([account.token, account.tokens, here.keyring.asked]).toEqual(['token-of-another', undefined, []]);
});

test('the error for a bad address says whether the variable or a profile has it', async () => {
  const here = machine('works', '[profiles.work]\nserver = "http://chat.example"\n');
  await expect(found(here)).rejects.toThrow('profile "work": plain http would send the token');
  const variable = here.with({ MSG_TUI_SERVER: 'ftp://chat.example' });
  await expect(found(variable)).rejects.toThrow('MSG_TUI_SERVER: the server address must begin with https://');
});

test('a new token replaces the old one', async () => {
  const here = machine();
  await saveAccount(here, server, token);
  expect(await (await found(here)).tokens?.save('token-renewed', { keyring: true })).toBeNull();
  expect([...here.keyring.entries.values()]).toEqual(['token-renewed']);
  const said = await (await found(here.tempered('refuses'))).tokens?.save('token-third', { keyring: true });
  expect(said).toContain('No keyring (it is locked)');
  expect((await found(here)).token).toBe('token-third');
});

test('without a profile, a token command that fails leaves nobody signed in', async () => {
  const here = machine();
  const tokenCommand = [process.execPath, '-e', 'process.exit(1)'];
  const environment = { ...readEnvironment({ MSG_TUI_SERVER: server }), tokenCommand };
  await expect(found({ ...here, environment })).rejects.toMatchObject({
    code: 3,
    message: expect.stringMatching(/^token command: it ended with exit code 1\. Run it by hand to see why: /),
  });
});
