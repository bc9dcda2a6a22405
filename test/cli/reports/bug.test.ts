/** `msg-tui bug` and `msg-tui ledger` on an account that is full of names, texts and secrets. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Output } from '../../../src/cli/output/print.ts';
import { createCrashReporter } from '../../../src/cli/process/crash-report.ts';
import { ExitError } from '../../../src/cli/process/exit.ts';
import { runProgram } from '../../../src/cli/program.ts';
import { type ReportAsker, reportBug } from '../../../src/cli/reports/bug.ts';
import { printLedger } from '../../../src/cli/reports/ledger.ts';
import { currentPaths, profileDirectories } from '../../../src/config/paths.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import { Ledger } from '../../../src/storage/ledger/ledger.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { aContact, aConversation, aMessage, anOp, temporaryDirectory } from '../../storage/builders.ts';

const server = 'https://secrethost.example:8443/secretpath';
const token = 'token-secrettoken-0123456789';
/** Every seed holds this word, so that one search finds a leak of any of them. */
const secret = 'secret';
const seeds = ['secrethost', 'secrettoken', 'secretname', 'secrettext', 'secretid', 'secretuser', 'secretword'];

let home = '';

beforeEach(() => {
  home = join(temporaryDirectory(), 'secretuser');
  mkdirSync(home);
  for (const name of Object.keys(process.env))
    if (/^(XDG_|MSG_TUI_|NO_COLOR|FORCE_COLOR|.*_proxy$)/i.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv('HOME', home);
  vi.stubEnv('TERM', 'xterm-256color');
  vi.stubEnv('MSG_TUI_SERVER', server);
  vi.stubEnv('MSG_TUI_TOKEN', token);
  vi.stubEnv('HTTPS_PROXY', 'http://secretuser:secretword@secrethost.example:1');
  return () => vi.unstubAllEnvs();
});

function seedAccount(): string {
  const all = currentPaths();
  mkdirSync(join(all.configFile, '..'), { recursive: true });
  const hooks = '[hooks]\nmention = ["/home/secretuser/on", "--key", "secretword"]\n';
  const notify = '[notify]\nkeywords = ["secretword"]\nprivacy = "sender"\ncommand = ["secretword"]\n';
  writeFileSync(all.configFile, `theme = "secretname.toml"\nmouse = false\n${notify}${hooks}`, { mode: 0o600 });
  const { data, cache: cacheDirectory } = profileDirectories(all, { server: server.replace(/\/$/, ''), token });
  const outbox = openOutbox(data);
  const action = { kind: 'message.send', conversationId: 'secretid-c', text: 'secrettext one' } as const;
  outbox.enqueue(anOp({ uuid: 'secretid-op', action, state: 'failed', reason: 'secrettext of the server' }), null);
  const attempt = { started: 1, ended: 2, outcome: 'rejected', evidence: 'secrettext said so, at length' } as const;
  outbox.enqueue(anOp({ uuid: 'secretid-op2', action, attempts: [attempt] }), null);
  const learned = { value: 'newest-first', at: 5, from: 'GET /v1/messages?conversation_id=secretid-c' } as const;
  outbox.saveRecords([
    ['drafts', 'secretid-c', { text: 'secrettext draft', cursor: 0 } as never],
    ['names', 'secretid-c', 'secretname local'],
    ['me', '', { contactId: 'secretid-me', username: 'secretname' }],
    ['capabilities', 'messageOrder', learned],
  ]);
  outbox.close();
  const cache = openCache(cacheDirectory);
  cache.saveConversations([aConversation({ id: 'secretid-c' })]);
  cache.saveContacts([aContact({ id: 'secretid-ann', username: 'secretname' })]);
  cache.saveMessages('secretid-c', [aMessage({ id: 'secretid-m', conversationId: 'secretid-c', text: 'secrettext' })]);
  cache.close();
  seedLedger(cacheDirectory);
  const crash = new TypeError('secrettext in an error', { cause: new Error(`secrettext and ${token}`) });
  createCrashReporter(all.state).report(crash);
  return cacheDirectory;
}

function seedLedger(cacheDirectory: string): void {
  const ledger = new Ledger(cacheDirectory, { keepDays: () => 7 });
  const request = { kind: 'request', at: Date.now() - 1_000, method: 'GET', problem: null, durationMs: 5 } as const;
  const own = { host: 'secrethost.example:8443', path: '/v1/messages/secretid-m', reason: 'one message' };
  ledger.add({ ...request, ...own, status: 200, sent: 0, received: 2_000 });
  ledger.add({
    ...request,
    host: 'img.secrethost.example',
    path: '/…',
    reason: 'picture',
    status: 404,
    sent: 0,
    received: 9,
  });
  const program = '/home/secretuser/on';
  ledger.add({ kind: 'hook', at: Date.now(), reason: 'hooks.mention', program, problem: null, sent: 3, durationMs: 1 });
  ledger.close();
}

function asker(answer: string, isTty: boolean) {
  const said = { out: '', remarks: '', questions: [] as string[] };
  const port: ReportAsker = {
    isTty,
    write: (text) => {
      said.out += text;
    },
    remark: (text) => {
      said.remarks += `${text}\n`;
    },
    ask: async (question) => {
      said.questions.push(question);
      return answer;
    },
  };
  return { port, said };
}

test('the report has what is needed, and no text that a person has written', async () => {
  seedAccount();
  const output = temporaryDirectory();
  const { port, said } = asker('', false);
  await reportBug({ output, yes: true }, port);
  const [name = ''] = readdirSync(output);
  const folder = join(output, name);
  const files = readdirSync(folder);
  expect(files).toEqual(['doctor.json', 'ledger.json', 'report.json']);
  const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  // Every byte was shown before.
  expect(said.out).toBe(
    ['report.json', 'doctor.json', 'ledger.json'].map((one) => `==> ${one} <==\n${texts.get(one)}\n`).join(''),
  );
  for (const [file, text] of texts) {
    expect(text, file).not.toContain(secret);
    for (const seed of seeds) expect(text, file).not.toContain(Buffer.from(seed).toString('base64').slice(0, 8));
    expect(text, file).toMatch(/^[\n -~]*$/);
    if (process.platform !== 'win32') expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
  const report = JSON.parse(texts.get('report.json') ?? '');
  expect(report).toMatchObject({
    schema: 1,
    program: { node: process.version, platform: process.platform },
    terminal: { term: 'xterm-256color' },
    settings: {
      values: {
        theme: 'set (not shown)',
        mouse: false,
        density: 'default',
        'notify.privacy': 'sender',
        'notify.keywords': 'set (not shown)',
        'hooks.mention': 'set (not shown)',
      },
      problems: expect.any(Number),
    },
    account: {
      profile: 'environment',
      server: { protocol: 'https:', is_loopback: false, has_port: true, has_path: true },
    },
    stores: { 'outbox.db': { condition: 'whole' }, 'cache.db': { condition: 'whole' } },
    counts: { queued: 1, failed: 1, drafts: 1, conversations: 1, messages: 1, knows_own_id: true },
    capabilities: [{ name: 'messageOrder', value: 'newest-first' }],
    last_crash: {
      error: 'TypeError',
      stack: expect.arrayContaining([expect.stringMatching(/^at .*bug\.test\.ts:\d+/)]),
    },
  });
  const [failed, waits] = report.outbox;
  expect(failed).toMatchObject({ kind: 'message.send', state: 'failed' });
  expect(failed.conversation).toMatch(/^[0-9a-f]{10}$/);
  expect([waits.conversation, waits.attempts[0].evidence]).toEqual([failed.conversation, null]);
  const ledger = JSON.parse(texts.get('ledger.json') ?? '');
  expect(ledger).toMatchObject({ hosts: [{ host: 'server' }, { host: 'other 1' }], answers: { 200: 1, 404: 1 } });
  const checks: readonly { name: string; verdict: string }[] = JSON.parse(texts.get('doctor.json') ?? '').checks;
  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['node', 'outbox.db', 'cache.db', 'kind']));
});

test('on a terminal it asks; elsewhere it writes only with --yes', async () => {
  seedAccount();
  const output = temporaryDirectory();
  for (const [answer, isTty] of [
    ['', false],
    ['y', false],
    ['', true],
    ['no', true],
  ] as const) {
    const { port, said } = asker(answer, isTty);
    await reportBug({ output }, port);
    expect(said.questions).toHaveLength(isTty ? 1 : 0);
    expect(said.out).toContain('==> report.json <==');
    expect(said.remarks).toContain('Nothing was written');
  }
  expect(readdirSync(output)).toEqual([]);
  await reportBug({ output }, asker('y', true).port);
  expect(readdirSync(output)).toHaveLength(1);
  const file = join(output, 'file');
  writeFileSync(file, '');
  await expect(reportBug({ output: file, yes: true }, asker('', false).port)).rejects.toThrow('cannot be written');
});

test('a token file that others can read is named, as by every command', async () => {
  seedAccount();
  vi.stubEnv('MSG_TUI_TOKEN', undefined);
  const tokenFile = join(home, 'readable');
  writeFileSync(tokenFile, token, { mode: 0o644 });
  const { port, said } = asker('', false);
  await reportBug({ output: home, tokenFile }, port);
  expect(said.remarks).toMatch(/msg-tui: .*can read/);
  expect(said.out).not.toContain('readable');
});

test('without an account a report is made too', async () => {
  vi.stubEnv('MSG_TUI_SERVER', undefined);
  vi.stubEnv('MSG_TUI_TOKEN', undefined);
  const { port, said } = asker('', false);
  await reportBug({ output: home }, port);
  expect(said.out).toContain('"stores": null');
});

function printed() {
  const said = { text: '', json: '', remarks: '' };
  const output: Output = {
    text: (text) => {
      said.text += text;
    },
    json: (json) => {
      said.json += json;
    },
    remark: (line) => {
      said.remarks += line;
    },
    columns: null,
  };
  return { output, said };
}

test('ledger prints lines, sums and JSON, of one host and since a time', async () => {
  seedAccount();
  const print = async (options: object) => {
    vi.stubEnv('MSG_TUI_TOKEN', token);
    const { output, said } = printed();
    await printLedger({ since: Date.now() - 60_000, ...options }, output);
    return said;
  };
  const { text } = await print({});
  expect(text.trimEnd().split('\n')).toHaveLength(3);
  expect(text).toMatch(/GET +200 +0 +2000 +5 +one message +secrethost\.example:8443 +\/v1\/messages\/secretid-m\n/);
  expect(text).toMatch(/run +ok +3 +- +1 +hooks\.mention +here +\/home\/secretuser\/on\n/);
  const narrow = printed();
  vi.stubEnv('MSG_TUI_TOKEN', token);
  await printLedger({ since: Date.now() - 60_000 }, { ...narrow.output, columns: 80 });
  expect(narrow.said.text).toMatch(/^TIME +WHAT +STATUS +REASON +HOST +PATH$/m);
  expect(narrow.said.text).toMatch(/GET +200 +one message +secrethost\S+ +\/v1\/messages\/secretid-m\n/);
  expect((await print({ host: 'IMG.secrethost.example' })).text.trimEnd().split('\n')).toHaveLength(1);
  expect((await print({ since: Date.now() + 1_000 })).remarks).toBe('nothing left this machine in that time');
  expect(JSON.parse((await print({ json: true })).json)).toMatchObject({
    schema: 1,
    entries: [{ kind: 'request', method: 'GET', status: 200, received: 2_000 }, { status: 404 }, { kind: 'hook' }],
  });
  expect(JSON.parse((await print({ json: true, summary: true })).json)).toMatchObject({
    hosts: [
      { host: 'secrethost.example:8443', requests: 1, failed: 0 },
      { requests: 1, failed: 1 },
    ],
    hooks: [{ reason: 'hooks.mention', runs: 1, failed: 0 }],
    lost: 0,
  });
  expect((await print({ summary: true })).text).toMatch(/1 +0 +0 bytes +2\.0 KB +secrethost\.example:8443 +all\n/);
  vi.stubEnv('MSG_TUI_TOKEN', undefined);
  await expect(printLedger({ since: 0 }, printed().output)).rejects.toMatchObject({ code: 3 });
  vi.stubEnv('MSG_TUI_SERVER', undefined);
  const noAccount = expect.stringContaining('run msg-tui login');
  await expect(printLedger({ since: 0 }, printed().output)).rejects.toMatchObject({ code: 3, message: noAccount });
});

test('a wrong config.toml is not reported as a missing account', async () => {
  seedAccount();
  writeFileSync(currentPaths().configFile, 'theme = [\n');
  await expect(printLedger({ since: 0 }, printed().output)).rejects.toThrow(/^\S+config\.toml:\d: /);
  await expect(printLedger({ since: 0 }, printed().output)).rejects.not.toBeInstanceOf(ExitError);
});

test('ledger names the place of an address that it refuses', async () => {
  vi.stubEnv('MSG_TUI_SERVER', 'http://chat.example');
  const inVariable = { code: 2, message: expect.stringMatching(/^MSG_TUI_SERVER: plain http /) };
  await expect(printLedger({ since: 0 }, printed().output)).rejects.toMatchObject(inVariable);
});

test('--since of ledger takes the same times as that of tail, read and export', async () => {
  seedAccount();
  vi.stubEnv('MSG_TUI_TOKEN', undefined);
  const tokenFile = join(home, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const since = async (word: string): Promise<number> => {
    await runProgram(['ledger', '--json', '--token-file', tokenFile, '--since', word]);
    return Date.parse(JSON.parse(String(write.mock.calls.at(-1)?.[0])).since);
  };
  const midnight = new Date().setHours(0, 0, 0, 0);
  expect(await since('today')).toBe(midnight);
  expect(await since('2026-11-22')).toBe(new Date(2026, 10, 22).getTime());
  expect(Math.abs((await since('90s')) - Date.now() + 90_000)).toBeLessThan(60_000);
  for (const word of ['x', '2', '-1h', '2026-13-01'])
    await expect(since(word)).rejects.toMatchObject({
      code: 2,
      message: expect.stringMatching(/^--since: .* is not a date/),
    });
});
