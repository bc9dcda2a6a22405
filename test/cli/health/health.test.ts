/** What `msg-tui doctor` looks at: what it finds wrong, that it changes nothing, and that nothing foreign gets through. */
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRedact } from '../../../src/api/http/redact.ts';
import { type AccountFacts, inspectAccount } from '../../../src/cli/health/account.ts';
import { capabilityNames, learnedLines } from '../../../src/cli/health/capability-words.ts';
import { runDoctor, runStatus } from '../../../src/cli/health/doctor.ts';
import { inspectFiles } from '../../../src/cli/health/files.ts';
import { inspectProgram, inspectTerminal } from '../../../src/cli/health/machine.ts';
import { isHealthy, reportJson, reportText, summary } from '../../../src/cli/health/report.ts';
import { askServer } from '../../../src/cli/health/server.ts';
import { inspectStores } from '../../../src/cli/health/stores.ts';
import { findUnsentElsewhere } from '../../../src/cli/health/unsent-elsewhere.ts';
import { bytes, type Check, counted, sectionOf } from '../../../src/cli/output/check.ts';
import { credentialsFile, writeSavedToken } from '../../../src/config/credentials.ts';
import { readEnvironment, type Variables } from '../../../src/config/environment.ts';
import { rememberToken } from '../../../src/config/known-tokens.ts';
import { currentPaths, type Paths, paths, profileDirectories } from '../../../src/config/paths.ts';
import type { ServerCapabilities } from '../../../src/protocol/capabilities.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { parseCapability } from '../../../src/storage/outbox/record-codecs.ts';
import { outboxMigrations } from '../../../src/storage/outbox/schema.ts';
import { acquireSenderLock } from '../../../src/storage/outbox/sender-lock.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { migrate } from '../../../src/storage/sqlite/migrate.ts';
import { anOp, temporaryDirectory } from '../../storage/builders.ts';
import { httpServer } from '../../support/servers/wire-server.ts';
import { type FakeKeyring, fakeKeyring } from '../../support/system/fake-keyring.ts';

const token = 'canary-0123456789';

async function account(home: string, env: Variables = {}, keyring: FakeKeyring = fakeKeyring()): Promise<AccountFacts> {
  const environment = readEnvironment({ ...env });
  return inspectAccount({ environment, paths: paths({}, 'linux', home), insecureHttp: false, keyring });
}

const find = (checks: readonly Check[], name: string): Check | undefined => checks.find((check) => check.name === name);

const verdicts = (checks: readonly Check[]): Readonly<Record<string, string>> =>
  Object.fromEntries(checks.map(({ name, verdict }) => [name, verdict]));

function configured({ configFile }: Paths, text = '[profiles.work]\nserver = "https://chat.example"\n'): void {
  mkdirSync(join(configFile, '..'), { recursive: true });
  writeFileSync(configFile, text);
}

describe('the account', () => {
  test('a missing account is a note, and a token without a server is wrong', async () => {
    const home = temporaryDirectory();
    expect(verdicts((await account(home)).checks)).toEqual({ profile: 'note' });
    const alone = await account(home, { MSG_TUI_TOKEN: token });
    expect(alone.checks).toMatchObject([{ verdict: 'wrong', text: expect.stringContaining('set MSG_TUI_SERVER') }]);
    expect(alone.server).toBeNull();
    expect(readdirSync(home)).toEqual([]);
  });

  test('shows where the token is stored, and never the token', async () => {
    const home = temporaryDirectory();
    configured(paths({}, 'linux', home));
    expect(find((await account(home)).checks, 'token')).toMatchObject({ verdict: 'wrong' });
    const file = credentialsFile(paths({}, 'linux', home));
    writeSavedToken(file, 'https://chat.example', 'work', { token });
    const kept = await account(home);
    expect(kept).toMatchObject({ server: 'https://chat.example', token });
    expect(find(kept.checks, 'token')).toMatchObject({ verdict: 'ok', text: `in ${file}` });
    const given = await account(home, { MSG_TUI_TOKEN: `${token}-other` });
    expect(find(given.checks, 'token')).toMatchObject({ verdict: 'ok', text: 'in MSG_TUI_TOKEN' });
    const named = await account(home, { MSG_TUI_SERVER: 'https://other.example', MSG_TUI_TOKEN: token });
    expect(named.server).toBe('https://other.example');
    for (const { checks } of [kept, given, named]) expect(JSON.stringify(checks)).not.toContain('canary');
  });

  test('says that a token of the environment is new for a profile in use', async () => {
    const home = temporaryDirectory();
    const all = paths({}, 'linux', home);
    configured(all);
    const { data } = profileDirectories(all, { server: 'https://chat.example', profile: 'work' });
    const outbox = openOutbox(data);
    outbox.saveRecords([['me', '', { contactId: 'ann', username: 'ann' }]]);
    outbox.close();
    const isNew = find((await account(home, { MSG_TUI_TOKEN: token })).checks, 'token');
    expect(isNew).toMatchObject({ verdict: 'note', text: 'in MSG_TUI_TOKEN, and it is new for the profile "work"' });
    rememberToken(data, token);
    const known = find((await account(home, { MSG_TUI_TOKEN: token })).checks, 'token');
    expect(known).toMatchObject({ verdict: 'ok', text: 'in MSG_TUI_TOKEN' });
  });

  test('the keyring is not asked if only the files of the account are wanted', async () => {
    const home = temporaryDirectory();
    configured(paths({}, 'linux', home));
    const all = paths({}, 'linux', home);
    writeSavedToken(credentialsFile(all), 'https://chat.example', 'work', { entry: 'work, here' });
    const keyring = fakeKeyring('works', new Map([['work, here', token]]));
    const environment = readEnvironment({});
    const options = { environment, paths: all, insecureHttp: false, keyring };
    const { directories } = await inspectAccount({ ...options, needsToken: false });
    expect(keyring.asked).toEqual([]);
    expect(directories).toEqual((await inspectAccount(options)).directories);
    expect(keyring.asked).toEqual(['get']);
  });

  test('a token in the keyring is reported with its entry, and with the reason if the keyring does not return it', async () => {
    const home = temporaryDirectory();
    configured(paths({}, 'linux', home));
    const file = credentialsFile(paths({}, 'linux', home));
    writeSavedToken(file, 'https://chat.example', 'work', { entry: 'work, here' });
    const kept = await account(home, {}, fakeKeyring('works', new Map([['work, here', token]])));
    expect(kept.token).toBe(token);
    expect(find(kept.checks, 'token')).toMatchObject({ verdict: 'ok', text: 'in the keyring, as "work, here"' });
    expect(JSON.stringify(kept.checks)).not.toContain('canary');
    for (const [temper, why] of [
      ['refuses', 'it is locked'],
      ['hangs', 'it did not answer'],
      ['works', 'no token for this account'],
    ] as const) {
      const { token: none, checks } = await account(home, {}, fakeKeyring(temper));
      expect(none).toBeNull();
      expect(find(checks, 'token')).toMatchObject({
        verdict: 'wrong',
        text: expect.stringContaining(why),
        remedy: 'unlock it, or start msg-tui and give it a new token',
      });
    }
  });

  test('reports a file mode that is too open without changing it', async () => {
    const home = temporaryDirectory();
    configured(paths({}, 'linux', home));
    const all = paths({}, 'linux', home);
    const file = credentialsFile(all);
    writeSavedToken(file, 'https://chat.example', 'work', { token });
    chmodSync(file, 0o644);
    const found = await account(home);
    expect(found.token).toBe(token);
    expect(find(inspectFiles(all, found.directories), 'token file')).toMatchObject({ verdict: 'wrong' });
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  test('a theme whose file is missing is named, of config.toml and of MSG_TUI_THEME', async () => {
    const home = temporaryDirectory();
    configured(paths({}, 'linux', home), 'theme = "mine.toml"\n');
    const settings = { verdict: 'note', text: expect.stringMatching(/\/themes\/mine\.toml: there is no such file/) };
    expect(find((await account(home)).checks, 'settings')).toMatchObject(settings);
    expect(find((await account(home, { MSG_TUI_THEME: 'dark' })).checks, 'settings')).toBeUndefined();
    configured(paths({}, 'linux', home), 'theme = "dark"\n');
    expect(find((await account(home, { MSG_TUI_THEME: 'mine.toml' })).checks, 'settings')).toMatchObject(settings);
  });

  test.each([
    ['[profiles.work]\nserver = "http://chat.example"', 'server', 'https://'],
    ['[profiles.work]\nserver = "https://me:canary-0123456789@chat.example"', 'server', 'password'],
    ['profiles = 3', 'settings', 'tables'],
    ['this is no toml', 'settings', 'correct'],
  ])('settings that cannot be used are reported: %j', async (text, name, said) => {
    const home = temporaryDirectory();
    configured(paths({}, 'linux', home), `${text}\n`);
    const { checks, server } = await account(home, { MSG_TUI_TOKEN: token });
    expect(find(checks, name)).toMatchObject({ verdict: 'wrong', text: expect.stringContaining(said) });
    expect(JSON.stringify(checks)).not.toContain('canary');
    expect(server).toBeNull();
  });

  test('the address of a proxy may hold a password', async () => {
    const env = {
      MSG_TUI_SERVER: 'https://chat.example',
      MSG_TUI_TOKEN: token,
      https_proxy: 'http://u:canary@proxy:1',
    };
    const { checks } = await account(temporaryDirectory(), env);
    expect(find(checks, 'proxy')?.text).toBe('proxy:1, of https_proxy');
    expect(JSON.stringify(checks)).not.toContain('canary');
  });

  test.each([
    ['https://chat.example', { ALL_PROXY: 'http://u:canary@proxy:1' }, 'ok', 'proxy:1, of ALL_PROXY'],
    [
      'https://chat.example',
      { ALL_PROXY: 'http://u:canary@proxy:1', NO_PROXY: '*' },
      'ok',
      'not used, as NO_PROXY names the server (ALL_PROXY is set)',
    ],
    [
      'http://127.0.0.1:9',
      { ALL_PROXY: 'http://u:canary@proxy:1' },
      'ok',
      'not used, as the server is on this machine (ALL_PROXY is set)',
    ],
    ['https://chat.example', { HTTP_PROXY: 'http://u:canary@proxy:1' }, 'note', 'none: HTTP_PROXY is not read'],
  ])('%s with %j', async (server, proxies, verdict, said) => {
    const env = { MSG_TUI_SERVER: server, MSG_TUI_TOKEN: token, ...proxies };
    const { checks } = await account(temporaryDirectory(), env);
    expect(find(checks, 'proxy')).toMatchObject({ verdict, text: expect.stringContaining(said) });
    expect(JSON.stringify(checks)).not.toContain('canary');
  });

  test('a proxy that cannot be used is wrong, and the server is not asked', async () => {
    const env = {
      MSG_TUI_SERVER: 'https://chat.example',
      MSG_TUI_TOKEN: token,
      ALL_PROXY: 'socks5://u:canary@proxy:1',
    };
    const { checks, server } = await account(temporaryDirectory(), env);
    expect(server).toBeNull();
    expect(find(checks, 'server')).toMatchObject({ verdict: 'wrong', text: expect.stringContaining('a socks5 proxy') });
    expect(JSON.stringify(checks)).not.toContain('canary');
  });
});

describe('the server', () => {
  const context = {
    environment: readEnvironment({}),
    paths: paths({}, 'linux', '/nowhere'),
    insecureHttp: false,
    keyring: fakeKeyring(),
  };

  async function answering(status: number, headers: Record<string, string>, body: string) {
    const server = await httpServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    });
    onTestFinished(() => server.close());
    return { server, checks: await askServer({ server: server.url, token }, context) };
  }

  test('the check sends one GET for one conversation, and compares the clocks', async () => {
    const { server, checks } = await answering(200, {}, '{"has_more":false,"data":[]}');
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/conversations?limit=1']);
    expect(verdicts(checks)).toEqual({ reached: 'ok', clock: 'ok' });
  });

  test.each([
    [90_000, 'ok', /^(89|90|91) seconds ahead of this machine$/],
    [-7_500_000, 'wrong', /^2 hours behind this machine$/],
    [400 * 86_400_000, 'wrong', /^400 days ahead of this machine$/],
  ])('a clock that is %i ms off is reported with the difference', async (skew, verdict, text) => {
    const date = new Date(Math.round((Date.now() + skew) / 1000) * 1000).toUTCString();
    const { checks } = await answering(200, { date }, '{"has_more":false,"data":[]}');
    expect(find(checks, 'clock')).toMatchObject({ verdict, text: expect.stringMatching(text) });
  });

  test.each([
    [401, 'does not accept this token'],
    [301, 'somewhere else'],
    [500, 'problem of its own'],
    [200, 'not the Messaging Service'],
  ])('an answer of %i is explained', async (status, said) => {
    const { checks } = await answering(status, { location: 'https://x.example/' }, `<b>Bearer ${token} ${token}</b>`);
    expect(find(checks, 'reached')).toMatchObject({ verdict: 'wrong', text: expect.stringContaining(said) });
    expect(find(checks, 'clock')?.verdict).toBe('ok');
    expect(JSON.stringify(checks)).not.toContain('canary');
  });

  test('a server that does not listen is reported, and without server and token nothing is asked', async () => {
    const [check] = await askServer({ server: 'http://127.0.0.1:9', token }, context);
    expect(check).toMatchObject({ verdict: 'wrong', text: expect.stringContaining('nothing listens') });
    expect(await askServer({ server: null, token }, context)).toEqual([]);
    expect(await askServer({ server: 'http://127.0.0.1:9', token: null }, context)).toEqual([]);
  });
});

describe('files and stores', () => {
  function places() {
    const home = temporaryDirectory();
    const all = paths({}, 'linux', home);
    const directories = { data: join(home, 'data'), cache: join(home, 'cache') };
    return { all, directories, ...directories };
  }

  test('files that do not exist yet are notes, and none is created', () => {
    const { all, directories } = places();
    const checks = inspectFiles(all, directories);
    expect(verdicts(checks)).toEqual({ data: 'note', cache: 'note', 'free space': 'ok' });
    expect(verdicts(inspectStores(directories).outbox)).toEqual({ 'outbox.db': 'note', sender: 'ok' });
    expect(existsSync(directories.data)).toBe(false);
  });

  test('a directory that cannot be made is wrong', () => {
    const { all, directories } = places();
    const { accessSync } = fs;
    const use = (access: typeof accessSync): void => {
      fs.accessSync = access;
      syncBuiltinESMExports();
    };
    onTestFinished(() => use(accessSync));
    use(() => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    });
    expect(find(inspectFiles(all, directories), 'data')).toMatchObject({
      verdict: 'wrong',
      text: `${directories.data} cannot be made, as ${dirname(directories.data)} cannot be written`,
    });
  });

  test('the report says what waits, who sends, and what was learned', () => {
    const { all, directories, data } = places();
    const outbox = openOutbox(data);
    outbox.enqueue(anOp({ uuid: 'a' }), null);
    outbox.saveRecords([
      ['capabilities', 'ownReactionsOnly', { value: true, at: 1, from: 'GET /v1/conversations/:id' }],
    ]);
    outbox.close();
    const report = inspectStores(directories);
    expect(find(report.outbox, 'waiting')).toMatchObject({
      verdict: 'ok',
      text: '1 queued, 0 unsure, 0 failed, 0 drafts',
    });
    expect(report.capabilities.ownReactionsOnly?.value).toBe(true);
    expect(inspectFiles(all, directories).filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    const again = openOutbox(data);
    again.enqueue(anOp({ uuid: 'b', state: 'failed' }), null);
    again.close();
    expect(find(inspectStores(directories).outbox, 'waiting')?.verdict).toBe('note');
  });

  test('what waits under the former address of a profile is found', async () => {
    const all = paths({}, 'linux', temporaryDirectory());
    configured(all);
    const former = profileDirectories(all, { server: 'http://chat.example:8484', profile: 'work' });
    const now = profileDirectories(all, { server: 'https://chat.example', profile: 'work' });
    for (const { data } of [former, now]) {
      const outbox = openOutbox(data);
      outbox.enqueue(anOp({ uuid: 'a' }), null);
      outbox.close();
    }
    const text = `1 unsent text in ${former.data}, which no profile uses`;
    const remedy = expect.stringContaining('or set MSG_TUI_SERVER as it was then');
    const found = [{ section: 'Outbox', name: 'elsewhere', verdict: 'note', text, remedy }];
    expect(await findUnsentElsewhere(all, now)).toMatchObject(found);
    expect(await findUnsentElsewhere(all, null)).toMatchObject(found);
    configured(all, '[profiles.work]\nserver = "http://chat.example:8484"\n');
    expect(await findUnsentElsewhere(all, now)).toEqual([]);
    configured(all, 'nothing that can be read');
    expect(await findUnsentElsewhere(all, now)).toEqual([]);
  });

  test('damaged files are reported without changing them', () => {
    const { all, directories, data, cache } = places();
    openOutbox(data).close();
    mkdirSync(cache, { mode: 0o700 });
    for (const file of [join(data, 'outbox.db'), join(cache, 'cache.db')]) {
      writeFileSync(file, 'not a database at all, but long enough to look like one'.repeat(200));
      chmodSync(file, 0o600);
    }
    writeFileSync(join(data, 'outbox.corrupt-5.db'), '', { mode: 0o600 });
    const before = readdirSync(data).map((name) => [name, readFileSync(join(data, name), 'hex')]);
    const { outbox, cache: cached } = inspectStores(directories);
    expect(find(outbox, 'outbox.db')).toMatchObject({ verdict: 'wrong', remedy: expect.stringContaining('saves') });
    expect(find(cached, 'cache.db')).toMatchObject({ verdict: 'wrong', remedy: expect.stringContaining('again') });
    expect(find(inspectFiles(all, directories), 'put aside')).toMatchObject({ verdict: 'note' });
    expect(readdirSync(data).map((name) => [name, readFileSync(join(data, name), 'hex')])).toEqual(before);
  });

  test.each<[string, (data: string) => void, string]>([
    ['open to others', (data) => chmodSync(data, 0o755), 'can be used by others (0755)'],
    ['with a file open to others', (data) => chmodSync(join(data, 'outbox.db'), 0o644), 'outbox.db can be used by'],
    ['with a link in it', (data) => symlinkSync('/etc/passwd', join(data, 'x')), 'x is a symbolic link'],
  ])('a directory %s', (_, harm, said) => {
    const { all, directories, data } = places();
    openOutbox(data).close();
    harm(data);
    const mode = statSync(data).mode;
    expect(find(inspectFiles(all, directories), 'data')).toMatchObject({
      verdict: 'wrong',
      text: expect.stringContaining(said),
    });
    expect(statSync(data).mode).toBe(mode);
  });

  test('a parent directory that the chat refuses is reported, also before the profile has files in it', () => {
    const { all } = places();
    const directories = profileDirectories(all, { server: 'https://chat.example', profile: 'work' });
    const elsewhere = temporaryDirectory();
    mkdirSync(dirname(all.cache), { recursive: true });
    symlinkSync(elsewhere, all.cache);
    mkdirSync(directories.data, { recursive: true, mode: 0o700 });
    chmodSync(all.data, 0o777);
    const checks = inspectFiles(all, directories);
    expect(find(checks, 'cache')).toMatchObject({ verdict: 'wrong', text: `${all.cache} is a symbolic link` });
    expect(find(checks, 'data')).toMatchObject({ verdict: 'wrong', text: `${all.data} can be used by others (0777)` });
    mkdirSync(directories.cache, { recursive: true, mode: 0o700 });
    expect(find(inspectFiles(all, directories), 'cache')).toMatchObject({ verdict: 'wrong' });
  });
});

/** The variables name a new home, and stdout is kept from the terminal. */
function quietHome() {
  const home = temporaryDirectory();
  for (const name of ['DATA', 'CACHE', 'CONFIG', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, join(home, name));
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    write.mockRestore();
  });
  return write;
}

describe('forgetting what was learned', () => {
  test('prints a JSON document with --json', async () => {
    const write = quietHome();
    configured(currentPaths());
    await runDoctor({ forget: true, json: true });
    expect(JSON.parse(String(write.mock.calls[0]?.[0]))).toEqual({ schema: 1, forgotten: [] });
  });

  test('says of an outbox of an earlier version that a start of the chat migrates it first', async () => {
    const home = temporaryDirectory();
    for (const name of ['DATA', 'CACHE', 'CONFIG', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, join(home, name));
    onTestFinished(() => void vi.unstubAllEnvs());
    const here = currentPaths();
    configured(here);
    const directory = profileDirectories(here, { server: 'https://chat.example', profile: 'work' }).data;
    mkdirSync(directory, { recursive: true });
    const database = openDatabase(join(directory, 'outbox.db'));
    migrate(database, outboxMigrations.slice(0, 2), null);
    database.close();
    const before = readFileSync(join(directory, 'outbox.db'));
    await expect(runDoctor({ forget: true })).rejects.toThrow(
      /^nothing was forgotten: outbox\.db has an earlier version; start msg-tui once/,
    );
    expect(readFileSync(join(directory, 'outbox.db')).equals(before)).toBe(true);
    const lock = acquireSenderLock(directory);
    onTestFinished(() => void ('release' in lock && lock.release()));
    const data = { data: directory, cache: join(home, 'CACHE') };
    expect(inspectStores(data).awaitsStart).toBe(false);
  });
});

test('a wrong config.toml is a failure of status and of forgetting, and not a missing account', async () => {
  quietHome();
  onTestFinished(() => {
    process.exitCode = 0;
  });
  configured(currentPaths());
  writeFileSync(currentPaths().configFile, 'theme = [\n');
  await expect(runDoctor({ forget: true })).rejects.toThrow(/^\S+config\.toml:\d: /);
  await runStatus({});
  expect(process.exitCode).toBe(1);
});

test('status names keys of config.toml that mean nothing, and a directory that cannot be used is its failure', async () => {
  const write = quietHome();
  const exitCode = process.exitCode;
  onTestFinished(() => {
    process.exitCode = exitCode ?? 0;
  });
  const here = currentPaths();
  configured(here);
  const settings = readFileSync(here.configFile, 'utf8');
  writeFileSync(here.configFile, `${settings}\n[keys.bind]\n"conversation.muet" = "f9"\n`);
  const checks = async () => {
    vi.stubEnv('MSG_TUI_TOKEN', token);
    await runStatus({ json: true });
    return JSON.parse(String(write.mock.calls.at(-1)?.[0])).checks as readonly Check[];
  };
  expect(find(await checks(), 'config.toml')).toMatchObject({
    verdict: 'note',
    text: expect.stringContaining('did you mean conversation.mute?'),
  });
  expect(process.exitCode).toBe(exitCode);
  const { data } = profileDirectories(here, { server: 'https://chat.example', profile: 'work' });
  mkdirSync(dirname(data), { recursive: true, mode: 0o700 });
  symlinkSync(temporaryDirectory(), data);
  expect(find(await checks(), 'data')).toMatchObject({ verdict: 'wrong', text: `${data} is a symbolic link` });
  expect(process.exitCode).toBe(1);
});

describe('the machine', () => {
  test('an old Node is wrong', () => {
    expect(verdicts(inspectProgram())).toEqual({ 'msg-tui': 'ok', node: 'ok', sqlite: 'ok' });
    expect(verdicts(inspectProgram('20.18.9')).node).toBe('wrong');
    expect(verdicts(inspectProgram('22.0.0')).node).toBe('ok');
  });

  test('a terminal of kind dumb is wrong, and no terminal at all is not', () => {
    const size = { columns: 80, rows: 24 };
    const look = (env: Variables, of: typeof size | null) => inspectTerminal(readEnvironment(env), of);
    expect(find(look({ TERM: 'dumb' }, size), 'kind')?.verdict).toBe('wrong');
    expect(find(look({ TERM: 'dumb' }, null), 'kind')?.verdict).toBe('ok');
    const usual = look({ TERM: 'tmux-256color', TMUX: 'socket,1,0', SSH_TTY: '/dev/x', LANG: 'C.UTF-8' }, size);
    expect(usual.map(({ text }) => text)).toEqual(['tmux-256color, tmux, ssh', '80 x 24', '256', 'Unicode']);
    expect(find(look({ TERM: 'xterm' }, { columns: 30, rows: 5 }), 'size')?.verdict).toBe('note');
    expect(find(look({ TERM: 'xterm' }, size), 'characters')?.verdict).toBe('note');
  });
});

describe('the report', () => {
  const { ok, note, wrong } = sectionOf('Server');
  const evil = `\u001b]52;c;cm0gLXJmIH4=\u0007 \u009b2J \u202e${token}\nOutbox\n  ok    forged`;
  const capabilities: ServerCapabilities = {
    messageOrder: { value: 'newest-first', at: new Date().setHours(9, 5), from: 'GET /v1/messages' },
    ownReactionsOnly: { value: true, at: Date.UTC(2001, 5, 5, 12), from: evil },
    largestLimit: { value: 50, at: 1e300, from: 'GET /v1/messages' },
  };
  const report = {
    checks: [ok('reached', 'fine'), note('future', evil, evil), wrong('clock', 'off', 'set it')],
    learned: learnedLines(capabilities),
  };
  const redact = createRedact(token);

  test('fits into 80 columns', () => {
    const text = reportText(report, redact, 80);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual(['Server', '  ok    reached        fine']);
    expect(lines).toContain('  WRONG clock          off');
    expect(lines).toContain('                       -> set it');
    expect(lines).toContain('Learned of this server');
    expect(text).toMatch(/^ {2}messageOrder {8}newest first {8}\d\d \w{3} 09:05 GET \/messages$/m);
    expect(lines).toContain('  largestLimit        50                  unknown      GET /messages');
    expect(text).toMatch(/^ {2}ownReactionsOnly {4}yes {17}05 Jun 2001 {2}␛/m);
    expect(isHealthy(report)).toBe(false);
    expect(summary(report)).toBe('One thing is wrong.');
  });

  test('contains no control sequence, forged line or token: as text and as JSON', () => {
    for (const text of [reportText(report, redact, 80), reportJson(report, redact)]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(text).not.toMatch(/^Outbox/m);
      expect(text).not.toContain(token);
    }
    const { healthy, checks, learned } = JSON.parse(reportJson(report, redact));
    expect(healthy).toBe(false);
    expect(checks[0]).toEqual({ section: 'Server', name: 'reached', verdict: 'ok', text: 'fine', remedy: null });
    expect(learned.map(({ name, at }: { name: string; at: string | null }) => [name, at])).toContainEqual([
      'largestLimit',
      null,
    ]);
  });

  test('a path that is too long for its column has a line of its own', () => {
    const path = `/${'long'.repeat(17)}`;
    const lines = reportText({ checks: [ok('data', `yours, at ${path}`)], learned: null }, redact, 80).split('\n');
    expect(lines).toEqual(['Server', '  ok    data           yours, at', `        ${path}`, '']);
  });

  test('on a narrow terminal, what does not fit after the name is below it, in one column', () => {
    const { ok, note } = sectionOf('Server');
    const checks = [ok('clock', 'the same'), ok('reached', 'it answers, and accepts the token (114 ms)')];
    const report = { checks: [...checks, note('bell', 'quiet', 'msg-tui doctor --notify')], learned: null };
    expect(reportText(report, redact, 40).split('\n')).toEqual([
      'Server',
      '  ok    clock          the same',
      '  ok    reached',
      '        it answers, and accepts the',
      '        token (114 ms)',
      '  note  bell',
      '        quiet',
      '        -> msg-tui doctor --notify',
      '',
    ]);
  });

  test('has a text for every capability that can be learned, and every value fits', () => {
    const value = (raw: unknown) => ({ value: raw, at: 1, from: 'x' });
    const values: Readonly<Record<string, readonly unknown[]>> = {
      messageOrder: ['newest-first', 'oldest-first'],
      conversationOrder: ['newest-first', 'oldest-first'],
      messagePaging: [{ kind: 'hint' }, { kind: 'parameter', name: 'starting_after' }, { kind: 'limit' }],
      conversationPaging: [{ kind: 'none' }],
      largestLimit: [10_000],
      timeFormat: [{ kind: 'iso' }, { kind: 'digits', unit: 'ms' }, { kind: 'number', unit: 'us' }],
      reactionRule: ['replace', 'add', 'append', 'toggle'],
      reactionAuthors: ['username', 'id'],
      ownReactionsOnly: [true, false],
      omittedText: ['kept', 'dropped'],
      omittedReactions: ['kept', 'dropped'],
      omittedFiles: ['kept', 'dropped'],
      appendsFiles: [true, false],
      clearPinnedMessage: ['', 'null', null],
      clearArchivedAt: ['', 'null', '0', null],
      conversationPutRule: ['partial', 'full-replace'],
      textChange: ['none', 'trim', 'escape', 'unknown'],
      waitsForNews: [true, false],
    };
    expect(Object.keys(values)).toEqual(capabilityNames);
    for (const [name, all] of Object.entries(values))
      for (const raw of all) {
        const [line] = learnedLines({ [name]: parseCapability(value(raw), name) });
        expect(line?.words ?? `${name} ${JSON.stringify(raw)} is lost`).toMatch(/^[\w -]{1,19}$/);
      }
  });

  test('sizes and counts are written with their units', () => {
    expect([0, 1023, 1024, 15_000_000, 5e12].map(bytes)).toEqual([
      '0 bytes',
      '1023 bytes',
      '1.0 KB',
      '14 MB',
      '4.5 TB',
    ]);
    expect([counted(1, 'draft'), counted(2, 'draft')]).toEqual(['1 draft', '2 drafts']);
  });
});
