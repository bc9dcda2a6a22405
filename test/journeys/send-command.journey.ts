/** `msg-tui send` as a program: many at once, one killed while it sends, and without a server. */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findAccount, isWhole } from '../../src/cli/sign-in/find-account.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/file.ts';
import { systemKeyring } from '../../src/config/keyring.ts';
import { paths } from '../../src/config/paths.ts';
import { openSession } from '../../src/session.ts';
import { until } from '../../src/state/store.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import { startJourneyServer } from '../support/servers/journey-server.ts';
import { sideBySide } from '../support/system/side-by-side.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { shareCode } from '../support/terminals/shared-code.ts';
import { seed } from './cast.ts';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function stage() {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-send-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startJourneyServer(join(folder, 'server.db'), seed);
  onTestFinished(() => server.close());
  const home = join(folder, 'home');
  await shareCode(home);
  const account = { MSG_TUI_SERVER: server.url, MSG_TUI_TOKEN: server.me.token };
  const start = (...words: string[]) => {
    const env = { PATH: process.env.PATH ?? '', ...environmentIn(home), ...account };
    const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise<Ended>((resolve) => {
      let [out, err] = ['', ''];
      child.stdout.on('data', (data) => {
        out += String(data);
      });
      child.stderr.on('data', (data) => {
        err += String(data);
      });
      child.once('close', (code) => resolve({ code, out, err }));
    });
    return { child, ended };
  };
  const count = async (text: string): Promise<number> =>
    (await server.me.texts('ann')).filter((one) => one === text).length;
  const runOntoFullDisk = (...words: string[]): Promise<Ended> => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const env = { PATH: process.env.PATH ?? '', ...environmentIn(home), ...account };
    const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', full, 'pipe'] });
    let err = '';
    child.stderr?.on('data', (data) => {
      err += String(data);
    });
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, out: '', err })));
  };
  return { server, home, account, start, runOntoFullDisk, run: (...words: string[]) => start(...words).ended, count };
}

/** The files that the programs of the stage use, opened in this process as the chat does. */
async function openChat({ home, account }: Awaited<ReturnType<typeof stage>>) {
  const variables = { ...environmentIn(home), ...account };
  const own = paths(variables, process.platform, home);
  const options = { paths: own, insecureHttp: false, keyring: systemKeyring };
  const found = await findAccount({ ...options, environment: readEnvironment(variables) }, loadConfig(own.configFile));
  if (!isWhole(found)) throw new Error('no account');
  const chat = openSession(found);
  onTestFinished(() => chat.close());
  await chat.start();
  await until(chat.store, ({ view }) => view.connection.listComplete);
  return chat;
}

const sends = campaignSize(6, 200);
const people = ['ann', 'bob'];

test('many programs run at once beside an open chat, and each message is sent once', { timeout: 480_000 }, async () => {
  const here = await stage();
  for (const name of people) expect((await here.run('send', name, 'before')).code).toBe(0);
  const chat = await openChat(here);
  const isPost = ({ method }: { readonly method: string }): boolean => method === 'POST';
  const before = here.server.asked.filter(isPost).length;
  const numbers = Array.from({ length: sends }, (_, number) => number);
  // More at once than there are processors: they meet in the outbox.
  const ends = await sideBySide(20, numbers, async (number) => {
    const end = await here.run('send', people[number % people.length] ?? '', `words ${number}`);
    return [end];
  });
  expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
  await until(chat.store, ({ local }) => local.outbox.length === 0);
  const texts = (await Promise.all(people.map((name) => here.server.me.texts(name)))).flat();
  const words = texts.filter((text) => text.startsWith('words '));
  expect(words.sort()).toEqual(numbers.map((number) => `words ${number}`).sort());
  // The server would not have shown a message that was posted twice under one key.
  expect(here.server.asked.filter(isPost).length - before).toBe(sends);
});

test('a command that is killed while it sends leaves its message to the next one, and nothing is sent twice', async () => {
  const here = await stage();
  expect((await here.run('send', 'ann', 'before')).code).toBe(0);
  const { server } = here;
  // The first message is taken by the server, and its answer never leaves; the second one does not get there.
  for (const isTaken of [true, false]) {
    const text = isTaken ? 'taken' : 'not taken';
    const running = here.start('send', 'ann', text);
    const arrived = new Promise<void>((resolve) => {
      server.setHook(async (request, next) => {
        if (request.method !== 'POST') return next();
        if (isTaken) await next();
        running.child.kill('SIGKILL');
        resolve();
        return new Promise(() => undefined);
      });
    });
    await arrived;
    await running.ended;
    server.setHook(null);
    const listed = JSON.parse((await here.run('outbox', '--json')).out) as { data: { op: string; state: string }[] };
    const retried = await here.run('outbox', 'retry', listed.data[0]?.op ?? '', '--timeout', isTaken ? '60' : '5');
    expect(await here.count(text)).toBe(isTaken ? 1 : 0);
    expect(retried.code).toBe(isTaken ? 0 : 1);
    if (!isTaken) expect(retried.err).toMatch(/^msg-tui: unsure: /);
  }
});

test('without the server the message is queued with exit code 4, and sent by the next run', async () => {
  const here = await stage();
  expect((await here.run('send', 'ann', 'before')).code).toBe(0);
  await here.server.stop();
  const late = await here.run('send', 'ann', 'late', '--timeout', '1', '--json');
  expect([late.code, late.out]).toEqual([4, '']);
  expect(JSON.parse(late.err)).toMatchObject({ schema: 1, error: { code: 'not_reached', queued: true } });
  await here.server.start();
  expect((await here.run('send', 'ann', 'next', '--timeout', '60')).code).toBe(0);
  expect((await here.server.me.texts('ann')).slice(-3)).toEqual(['before', 'late', 'next']);
});

test.runIf(process.platform === 'linux')(
  'a message that was sent is no failure where its id cannot be written, so that no script sends it again',
  async () => {
    const { runOntoFullDisk, count } = await stage();
    const why = 'but the output cannot be written: the disk is full; free some space (ENOSPC)';
    const sent = await runOntoFullDisk('send', 'ann', 'only once');
    expect(sent).toEqual({ code: 0, out: '', err: expect.stringMatching(/^msg-tui: sent \(\w+\), but the output /) });
    expect(await runOntoFullDisk('edit', 'ann', 'last', 'edited once', '--json')).toEqual({
      code: 0,
      out: '',
      err: `msg-tui: sent, ${why}\n`,
    });
    expect(await count('edited once')).toBe(1);
    expect((await runOntoFullDisk('read', 'ann')).code).toBe(1);
  },
);
