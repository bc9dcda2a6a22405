/** `login`, `logout` and `profiles` on a machine of their own, against a server that knows one token. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '../../../src/cli/accounts/login.ts';
import { logout } from '../../../src/cli/accounts/logout.ts';
import { listProfiles, useProfile } from '../../../src/cli/accounts/profiles.ts';
import { saveAccount } from '../../../src/cli/sign-in/find-account.ts';
import { credentialsFile } from '../../../src/config/credentials.ts';
import { profileDirectories } from '../../../src/config/paths.ts';
import { openSession } from '../../../src/session.ts';
import { insert } from '../../../src/state/composer/draft-edit.ts';
import { updateDraft } from '../../../src/state/composer/drafts.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { acquireSenderLock } from '../../../src/storage/outbox/sender-lock.ts';
import { httpServer, type WireServer } from '../../support/servers/wire-server.ts';
import { fakeKeyring } from '../../support/system/fake-keyring.ts';
import { canBeOthers, othersServer, otherUid } from '../../support/system/other-user.ts';
import { type Machine, machine } from './machine.ts';

const token = 'canary-0123456789';
let server: WireServer;

beforeAll(async () => {
  server = await httpServer((_, response, { headers }) => {
    const isKnown = headers.authorization?.startsWith('Bearer canary-') === true;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { has_more: false, data: [] } : { message: 'no' }));
  });
});
afterAll(() => server.close());

const said = (here: Machine): string => here.printed.splice(0).join('');
const savedIn = (here: Machine): string =>
  existsSync(credentialsFile(here.paths)) ? readFileSync(credentialsFile(here.paths), 'utf8') : '';
const configOf = (here: Machine): string => readFileSync(here.paths.configFile, 'utf8');

test('asks for server and token, checks them with one request, and keeps the token in the keyring', async () => {
  const here = machine();
  here.answers.push(server.url, token);
  const before = server.seen.length;
  await login({ profile: 'work' }, here);
  expect(here.asked).toEqual(['Server: ', 'Token (not shown): ']);
  expect(server.seen.slice(before).map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/conversations?limit=1',
  ]);
  expect([...here.keyring.entries.values()]).toEqual([token]);
  expect(savedIn(here)).not.toContain('canary');
  expect(configOf(here)).toBe(`default_profile = "work"\n\n[profiles.work]\nserver = "${server.url}"\n`);
  const text = said(here);
  expect(text).toBe(`Signed in to ${server.url} as profile "work". The token is in the keyring.\n`);

  // Signing in again asks for the token alone, and says nothing of the same one.
  here.answers.push(token);
  await login({}, here);
  expect(here.asked.slice(2)).toEqual(['Token (not shown): ']);
});

test.each([
  ['a refused token', {}, 'wrong-token', 3, /^the server does not accept this token/],
  ['a server that is not there', { server: 'http://127.0.0.1:9' }, token, 4, /^http:\/\/127\.0\.0\.1:9: ./],
  ['a token that no header could carry', {}, 'short', 2, /shorter than 8/],
  ['a name with a bracket', { profile: 'a]b' }, token, 2, /1 to 64 letters/],
  ['http to another machine', { server: 'http://192.0.2.1' }, token, 2, /insecure-http/],
  ['a token file that is not there', { tokenStdin: false, tokenFile: '/none' }, token, 2, /^\/none: .*cannot be read/],
  ['two sources of the token', { tokenFile: '/none' }, token, 2, /give one of/],
])('%s is reported in one line, and nothing is saved', async (_, options, given, code, problem) => {
  const here = machine();
  const act = here.signIn({ profile: 'work', server: server.url, ...options }, given);
  await expect(act).rejects.toMatchObject({ code, message: expect.stringMatching(problem) });
  await expect(act).rejects.not.toMatchObject({ message: expect.stringContaining('canary') });
  expect([existsSync(here.paths.configFile), savedIn(here), here.keyring.entries.size]).toEqual([false, '', 0]);
});

test.runIf(process.platform !== 'win32')(
  'a token file that others can read is told after the output, or with the error',
  async () => {
    const here = machine();
    const tokenFile = join(dirname(here.paths.configFile), 'token');
    mkdirSync(dirname(tokenFile), { recursive: true });
    writeFileSync(tokenFile, token);
    chmodSync(tokenFile, 0o644);
    const warning = expect.stringContaining('other users of this machine can read the token');
    await expect(login({ server: 'http://127.0.0.1:9', tokenFile, json: true }, here)).rejects.toMatchObject({
      code: 4,
      details: { warnings: [warning] },
    });
    expect(here.printed).toEqual([]);
    await login({ server: server.url, tokenFile, json: true }, here);
    expect(here.printed).toEqual([expect.stringContaining('"schema": 1'), warning]);
  },
);

test('a name in MSG_TUI_PROFILE that config.toml does not take is refused before the token is asked for or saved', async () => {
  const here = machine().with({ MSG_TUI_PROFILE: 'my work' });
  const before = server.seen.length;
  await expect(here.signIn({ server: server.url }, token)).rejects.toMatchObject({
    code: 2,
    message: expect.stringMatching(/1 to 64 letters/),
  });
  expect([here.asked, server.seen.length - before]).toEqual([[], 0]);
  expect([existsSync(here.paths.configFile), savedIn(here), here.keyring.entries.size]).toEqual([false, '', 0]);
});

test('a profile that config.toml has under another name than login gives can be signed in to', async () => {
  const here = machine();
  const text = `[profiles."my work"]\nserver = "${server.url}"\n`;
  mkdirSync(dirname(here.paths.configFile), { recursive: true });
  writeFileSync(here.paths.configFile, text);
  for (const options of [{}, { profile: 'my work' }]) {
    await here.signIn(options, token);
    expect(said(here)).toContain('as profile "my work"');
  }
  expect([configOf(here), [...here.keyring.entries.values()]]).toEqual([text, [token]]);
});

test('without a terminal it names the flags that take a token', async () => {
  await expect(login({ profile: 'work' }, machine())).rejects.toMatchObject({ code: 2 });
  await expect(login({ server: server.url }, machine())).rejects.toThrow('give --token-stdin, --token-file or');
});

test('a bad address is an error with its place, and in another profile it is none', async () => {
  const here = machine();
  mkdirSync(dirname(here.paths.configFile), { recursive: true });
  writeFileSync(here.paths.configFile, '[profiles.bad]\nserver = "ftp://chat.example"\n');
  const problem = 'the server address must begin with https://';
  await expect(here.signIn({}, token)).rejects.toThrow(`profile "bad": ${problem}`);
  await expect(login({}, here.with({ MSG_TUI_SERVER: 'ftp://x' }))).rejects.toThrow(`MSG_TUI_SERVER: ${problem}`);
  await here.signIn({ profile: 'work', server: server.url }, token);
  await here.signIn({ server: server.url }, token);
  expect([...(await here.config()).profiles.keys()]).toEqual(['bad', 'work']);
});

test('a profile of another server is not replaced', async () => {
  const here = machine();
  await here.signIn({ profile: 'work', server: server.url }, token);
  const text = configOf(here);
  await expect(here.signIn({ profile: 'work', server: 'https://other.example' }, token)).rejects.toMatchObject({
    code: 2,
    message: `the profile "work" is for ${server.url}; choose another name for https://other.example with --profile`,
  });
  expect(configOf(here)).toBe(text);
  // The only profile of a server is taken without its name.
  await here.signIn({ server: `${server.url}/` }, token);
  expect([...(await here.config()).profiles.keys()]).toEqual(['work']);
  await here.signIn({ profile: 'second', server: server.url }, token);
  await expect(here.signIn({ server: server.url }, token)).rejects.toThrow('choose one with --profile: work, second');
});

test.runIf(canBeOthers)('a server that another user runs than before gets no token', async () => {
  const squatter = await othersServer();
  const url = `http://127.0.0.1:${squatter.port}`;
  const here = machine();
  const { data } = profileDirectories(here.paths, { server: url, profile: 'work' });
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'server-owner'), '0\n');
  await expect(here.signIn({ profile: 'work', server: url }, token)).rejects.toMatchObject({
    code: 4,
    message: expect.stringContaining('is served by another user than before'),
  });
  expect([squatter.heard(), savedIn(here), here.keyring.entries.size]).toEqual(['', '', 0]);
});

test.runIf(canBeOthers)(
  'a new profile of a server that another user runs than before sends no token either',
  async () => {
    const first = await othersServer();
    const url = `http://127.0.0.1:${first.port}`;
    const here = machine();
    await here.signIn({ profile: 'work', server: url }, token);
    const { data } = profileDirectories(here.paths, { server: url, profile: 'work' });
    // Signing in has remembered who runs the server, before the chat has asked it for anything.
    expect(readFileSync(join(data, 'server-owner'), 'utf8')).toBe(`${otherUid}\n`);
    writeFileSync(join(data, 'server-owner'), '4711\n');
    const heard = first.heard();
    for (const address of [url, `${url}/api`])
      await expect(here.signIn({ profile: 'second', server: address }, token)).rejects.toMatchObject({
        code: 4,
        message: expect.stringContaining('is served by another user than before'),
      });
    expect(first.heard()).toBe(heard);
    expect([...(await here.config()).profiles.keys()]).toEqual(['work']);
  },
);

test('a token command is run without a shell and saved; the token is saved nowhere', async () => {
  const here = machine();
  await here.signIn({ profile: 'work', server: server.url }, token);
  const words = [process.execPath, '-e', `console.log("${token}\\nnotes: $HOME")`];
  const line = words.map((word) => `'${word}'`).join(' ');
  await login({ profile: 'work', tokenCommand: line }, here);
  expect((await here.config()).profiles.get('work')?.tokenCommand).toEqual(words);
  expect([here.keyring.entries.size, savedIn(here).includes('keyring')]).toEqual([0, false]);
  const failing = `'${process.execPath}' -e 'console.log("${token}"); process.exit(3)'`;
  const problem = await login({ profile: 'work', tokenCommand: failing }, here).catch((error: Error) => error.message);
  expect(problem).toContain('token command: it ended with exit code 3. Run it by hand to see why:');
  // A token that is given takes the place of the command.
  await here.signIn({ profile: 'work' }, token);
  expect((await here.config()).profiles.get('work')?.tokenCommand).toBeNull();
});

test('the token of the environment is saved, but never in place of a token command', async () => {
  const here = machine();
  const inEnvironment = here.with({ MSG_TUI_TOKEN: token, MSG_TUI_SERVER: server.url });
  await login({ profile: 'work', server: server.url }, inEnvironment);
  expect([...here.keyring.entries.values()]).toEqual([token]);
  const command = `'${process.execPath}' -e 'console.log("${token}")'`;
  await login({ profile: 'work', tokenCommand: command }, here);
  const before = configOf(here);
  const act = login({ profile: 'work' }, inEnvironment);
  await expect(act).rejects.toMatchObject({
    code: 2,
    message: expect.stringMatching(/token_command, which the token of MSG_TUI_TOKEN would replace: unset it, or give/),
  });
  expect([configOf(here), here.keyring.entries.size]).toEqual([before, 0]);
});

test('the token of the environment is not sent to another server than the one that it names', async () => {
  const here = machine();
  await here.signIn({ profile: 'work', server: server.url }, token);
  const elsewhere = here.with({ MSG_TUI_TOKEN: 'canary-of-another', MSG_TUI_SERVER: 'https://other.example' });
  const before = server.seen.length;
  const noToken = { code: 2, message: expect.stringMatching(/no terminal to ask for the token/) };
  await expect(login({ profile: 'work' }, elsewhere)).rejects.toMatchObject(noToken);
  await expect(login({ profile: 'new', server: server.url }, elsewhere)).rejects.toMatchObject(noToken);
  expect([server.seen.length, [...here.keyring.entries.values()]]).toEqual([before, [token]]);
});

test('logout says of a token in the environment that it is used only while it is set', async () => {
  const here = machine();
  await here.signIn({ profile: 'work', server: server.url }, token);
  said(here);
  await logout({ profile: 'work' }, here.with({ MSG_TUI_TOKEN: token, MSG_TUI_SERVER: 'https://other.example' }));
  expect(said(here)).not.toContain('MSG_TUI_TOKEN');
  await logout({ profile: 'work' }, here.with({ MSG_TUI_TOKEN: token }));
  expect(said(here)).toContain('MSG_TUI_TOKEN is still set, and is used for this profile');
});

async function withDraft(here: Machine): Promise<{ readonly data: string; readonly cache: string }> {
  await here.signIn({ profile: 'work', server: server.url }, token);
  const directories = profileDirectories(here.paths, { server: server.url, profile: 'work' });
  const account = { label: 'work', server: server.url, token, insecureHttp: false };
  const session = openSession({ ...account, dataDirectory: directories.data, cacheDirectory: directories.cache });
  session.store.setState(updateDraft('c1', (draft) => insert(draft, 'unsent')));
  session.flush();
  await session.close();
  said(here);
  return directories;
}

test('logout removes token and cache and keeps what was not sent', async () => {
  const here = machine();
  const { data, cache } = await withDraft(here);
  await logout({}, here);
  const printed = said(here);
  expect(printed).toContain('Removed: the token, from the keyring; the cached messages.');
  expect(printed).toContain('opens it again; msg-tui logout --discard-unsent removes it.');
  expect([here.keyring.entries.size, savedIn(here).includes(server.url)]).toEqual([0, false]);
  expect([existsSync(cache), existsSync(join(data, 'outbox.db'))]).toEqual([false, true]);
  expect(configOf(here)).toContain('[profiles.work]');
  // Another user's token is still noticed.
  await expect(here.signIn({ profile: 'work' }, 'canary-of-another')).rejects.toThrow('was used with another token');
  await logout({ json: true }, here);
  expect(JSON.parse(said(here))).toMatchObject({ removed: { token: null, cache: false }, kept: { unsent: 1 } });
  await logout({ discardUnsent: true }, here);
  expect(said(here)).toContain('one unsent text');
  expect(existsSync(data)).toBe(false);
});

test('logout says that names and notes are kept only if there are some', async () => {
  const here = machine();
  const { data } = await withDraft(here);
  const outbox = openOutbox(data);
  outbox.saveRecords([['drafts', 'c1', null]]);
  outbox.close();
  await logout({}, here);
  expect(said(here)).toContain('Kept: the profile in config.toml.');
  const again = openOutbox(data);
  again.saveRecords([['names', 'u1', 'Aunt Ann']]);
  again.close();
  await logout({}, here);
  expect(said(here)).toContain('Kept: the names and notes that exist only here; the profile in config.toml.');
});

test('logout is refused while a chat is open, and while the keyring cannot remove the token', async () => {
  const here = machine();
  const { data, cache } = await withDraft(here);
  const lock = acquireSenderLock(data);
  await expect(logout({}, here)).rejects.toMatchObject({
    code: 1,
    message: `nothing was removed: another msg-tui (process ${process.pid}) uses the profile "work"; quit it first`,
  });
  if ('release' in lock) lock.release();
  const locked = { ...here, keyring: fakeKeyring('refuses', here.keyring.entries) };
  await expect(logout({}, locked)).rejects.toThrow('nothing was removed: the keyring keeps the token (it is locked)');
  expect([here.keyring.entries.size, existsSync(cache)]).toEqual([1, true]);
  await expect(logout({ profile: 'wrok' }, here)).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('did you mean "work"?'),
  });
  await expect(logout({}, machine())).rejects.toMatchObject({ code: 3 });
});

test('profiles lists the accounts and where their tokens are, and chooses the default one', async () => {
  const here = machine();
  await withDraft(here);
  writeFileSync(
    here.paths.configFile,
    `${configOf(here)}[profiles.home]\nserver = "https://home.example"\ntoken_command = "pass show chat"\n`,
  );
  await listProfiles({ json: true }, here);
  expect(JSON.parse(said(here)).profiles).toEqual([
    {
      name: 'work',
      server: server.url,
      is_default: true,
      is_signed_in: true,
      token_in: 'keyring',
      unread: 0,
      unsent: 1,
    },
    {
      name: 'home',
      server: 'https://home.example',
      is_default: false,
      is_signed_in: true,
      token_in: 'command',
      unread: 0,
      unsent: 0,
    },
  ]);
  await useProfile('home', here);
  expect(configOf(here)).toMatch(/^default_profile = "home"$/m);
  await expect(useProfile('hom', here)).rejects.toMatchObject({ code: 2 });
  await listProfiles({}, here);
  expect(said(here)).toMatch(/^work {2}.*in the keyring {2}.*\nhome {2}.*by command.*default\n$/);
});

test('a signed-out profile that the welcome screen signs in again keeps its name', async () => {
  const here = machine();
  mkdirSync(dirname(here.paths.configFile), { recursive: true });
  writeFileSync(here.paths.configFile, `[profiles.work]\nserver = "${server.url}"\n`);
  const from = { server: server.url, profile: 'work' };
  await saveAccount({ ...here, insecureHttp: false }, server.url, token, { from });
  expect([...(await here.config()).profiles.keys()]).toEqual(['work']);
  expect([...here.keyring.entries.keys()][0]).toMatch(/^work at /);
});

test('a login resumes what was stopped because a token belonged to another account', async () => {
  const here = machine();
  await here.signIn({ profile: 'work', server: server.url }, 'canary-of-ann');
  const { data } = profileDirectories(here.paths, { server: server.url, profile: 'work' });
  const me = () => {
    const outbox = openOutbox(data, { role: 'reader' });
    const held = outbox.load().me;
    outbox.close();
    return held;
  };
  const outbox = openOutbox(data);
  const ann = { contactId: 'ann', username: 'Ann' };
  outbox.saveRecords([['me', '', { ...ann, isConfirmed: true, isDisputed: true }]]);
  outbox.close();
  expect(me()).toEqual({ ...ann, isConfirmed: true, isDisputed: true });
  await here.signIn({ profile: 'work', sameAccount: true }, 'canary-of-ann-again');
  expect(me()).toEqual(ann);
});
