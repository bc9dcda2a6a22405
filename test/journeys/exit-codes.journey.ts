/** Every exit code that a help promises is given by something, and no line for people leaves ASCII where the locale does. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { campaignPart, isFullRun } from '../support/campaigns/partition.ts';
import { startJourneyServer } from '../support/servers/journey-server.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { spawnTui } from '../support/terminals/pty.ts';
import { seed } from './cast.ts';

const token = 'a-token-that-must-not-be-shown';
const account = { MSG_TUI_SERVER: 'http://127.0.0.1:9', MSG_TUI_TOKEN: token };

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-exit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}, folder = home()) {
  const all = { PATH: process.env.PATH ?? '', ...environmentIn(folder), ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { env: all, input: '' });
  return { status, out: stdout.toString(), err: stderr.toString(), bytes: Buffer.concat([stdout, stderr]) };
}

/** A home whose outbox is no database. */
function damaged(): string {
  const folder = home();
  const { status } = run(['status'], account, folder);
  if (status !== 0) throw new Error(`status ended with ${status}`);
  const { out } = run(['doctor', '--offline', '--json'], account, folder);
  const data = (JSON.parse(out) as Report).checks.find(({ name }) => name === 'data')?.text.replace(/^.*?: /, '') ?? '';
  const made = spawnSync('mkdir', ['-p', '-m', '700', data]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  writeFileSync(join(data, 'outbox.db'), 'no database '.repeat(1_000), { mode: 0o600 });
  return folder;
}

interface Report {
  readonly healthy: boolean;
  readonly checks: readonly { readonly name: string; readonly text: string }[];
}

function inTerminal(...words: readonly string[]) {
  const args = [program, ...words];
  const tui = spawnTui({ args, env: { ...environmentIn(home()), ...account }, columns: 100, rows: 20 });
  onTestFinished(() => tui.close());
  return tui;
}

/** Ends the chat by a signal. */
async function signalled(signal: NodeJS.Signals): Promise<number> {
  const tui = inTerminal();
  await tui.waitFor('Conversations');
  tui.kill(signal);
  return (await tui.exited).code;
}

/** Ends the trial of keys by Ctrl-C. */
async function endedTrial(): Promise<number> {
  const tui = inTerminal('doctor', '--keys');
  await tui.waitFor('Shift-Enter');
  tui.send('\x03');
  return (await tui.exited).code;
}

/** Deletes a message of somebody else, by a server in this process. */
async function deletingOfOthers(): Promise<number | null> {
  const folder = home();
  const server = await startJourneyServer(join(folder, 'server.db'), seed);
  onTestFinished(() => server.close());
  const { id } = await server.me.find('bob', 'Did you read the draft?');
  const env = { ...environmentIn(folder), MSG_TUI_SERVER: server.url, MSG_TUI_TOKEN: server.me.token };
  const child = spawn(process.execPath, [program, 'delete', 'bob', id], { env, stdio: 'ignore' });
  return new Promise((resolve) => child.once('close', resolve));
}

/** What gives each code; by the command that promises it. */
const givers: Readonly<Record<string, Readonly<Record<number, () => unknown>>>> = {
  '': {
    0: () => run(['--version']).status,
    1: () => run(['doctor'], { MSG_TUI_SERVER: 'no address' }).status,
    2: () => run(['serev']).status,
    3: () => run(['status']).status,
    4: () => run(['send', 'ann', 'Hello', '--timeout', '1'], account).status,
    5: () => run(['outbox', 'discard', 'none'], account).status,
    6: () => deletingOfOthers(),
    130: () => signalled('SIGINT'),
    143: () => signalled('SIGTERM'),
  },
  doctor: {
    0: () => run(['doctor']).status,
    1: () => run(['doctor', '--offline'], account, damaged()).status,
    2: () => run(['doctor', '--no-such-option']).status,
    3: () => run(['doctor', '--forget']).status,
    130: endedTrial,
  },
  status: {
    0: () => run(['status'], account).status,
    1: () => run(['status'], account, damaged()).status,
    2: () => run(['status', '--no-such-option']).status,
    3: () => run(['status']).status,
  },
};

const helpOf = (command: string): string => run([...(command === '' ? [] : [command]), '--help']).out;

/** The numbers after *Exit codes:*. */
function promised(help: string): readonly number[] {
  const [, codes = ''] = /^Exit codes:([\s\S]*)/m.exec(help) ?? [];
  return [...codes.matchAll(/(?:^|·|\s{2,})\s*(\d+) /gm)].map(([, code]) => Number(code)).sort((a, b) => a - b);
}

test.each(campaignPart(Object.keys(givers), 2))(
  'the help of "%s" lists exactly the exit codes that occur',
  async (command) => {
    const known = givers[command] ?? {};
    expect(promised(helpOf(command))).toEqual(
      Object.keys(known)
        .map(Number)
        .sort((a, b) => a - b),
    );
    for (const [code, give] of Object.entries(known)) expect(await give(), `exit code ${code}`).toBe(Number(code));
  },
  60_000,
);

test.each([
  ['signed in', account, null],
  ['no account', {}, null],
  ['a damaged outbox', account, damaged],
] as const)('status prints "healthy" exactly when its exit code is 0: %s', (_, env, make) => {
  const { status, out } = run(['status', '--json'], env, make === null ? home() : make());
  expect((JSON.parse(out) as Report).healthy).toBe(status === 0);
});

test('help for an unknown command is one line', () => {
  const { status, out, err } = run(['help', 'zzz']);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^msg-tui: there is no command "zzz"; msg-tui --help lists them\n$/);
});

const commands = [
  ...readFileSync(join(import.meta.dirname, '../../docs/command-line.md'), 'utf8').matchAll(/^ {2}([a-z]+) /gm),
]
  .map(([, name = '']) => name)
  .filter((name) => !['msg-tui', 'help', 'user', 'contact', 'token', 'group', 'seed'].includes(name));
const served = ['user', 'contact', 'token', 'group', 'seed'].map((name) => ['serve', name]);
const all = [[], ...[...new Set(commands)].map((name) => [name]), ...served];

const lines = [
  ...all.flatMap((words) => [
    [...words, '--help'],
    [...words, '--no-such-option-\u00e9'],
  ]),
  [],
  ['help'],
  ['help', 'zzz'],
  ['doctor'],
  ['doctor', '--forget', '\u00e9'],
  ['status'],
  ['paths'],
  ['keys'],
  ['keys', '--format', '\u00e9'],
  ['--token-file', '/no/such/\u00e9'],
  ['serve', '--data', '/no/such/\u00e9/chat.db'],
  ['serve', '--data', 'x.db', '--listen', '\u00e9'],
];

test.runIf(isFullRun && process.platform === 'linux')(
  'no help and no error has a byte beyond ASCII in the C locale',
  () => {
    expect(all).toContainEqual(['doctor']);
    const beyond = campaignPart(lines, 5).filter((words) => {
      const env = { ...account, LC_ALL: 'C', MSG_TUI_PROFILE: '\u00e9' };
      const { bytes } = run(words, env);
      expect(bytes.length, words.join(' ')).toBeGreaterThan(0);
      return bytes.some((byte) => byte >= 0x80);
    });
    expect(beyond).toEqual([]);
  },
  120_000,
);

test('--timeout ends a token command, and says that nothing is queued', () => {
  const env = { MSG_TUI_SERVER: account.MSG_TUI_SERVER };
  const command = `${process.execPath} -e "setTimeout(() => {}, 60000)"`;
  const began = Date.now();
  const { status, err } = run(['send', 'ann', 'Hello', '--json', '--timeout', '1', '--token-command', command], env);
  expect(Date.now() - began).toBeLessThan(20_000);
  expect({ status, error: JSON.parse(err).error }).toEqual({
    status: 4,
    error: {
      code: 'not_reached',
      message: 'the token command did not end within 1 s (not done, and nothing is queued)',
      queued: false,
    },
  });
});

test('one signal ends an import that waits for the writer of a named pipe, and leaves no file', async () => {
  const folder = home();
  const pipe = join(folder, 'archive.jsonl');
  if (spawnSync('mkfifo', [pipe]).status !== 0) throw new Error('there is no named pipe');
  const args = [program, 'import', pipe, '--into', join(folder, 'made.db')];
  const child = spawn(process.execPath, args, { env: { ...environmentIn(folder) }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((done) => child.once('exit', (_, signal) => done(signal)));
  await expect.poll(() => readdirSync(folder).some((name) => name.endsWith('.tmp'))).toBe(true);
  child.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
  expect(readdirSync(folder).filter((name) => /tmp|made/.test(name))).toEqual([]);
});
