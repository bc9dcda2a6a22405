/** `msg-tui serve` as a process of its own: start, administer beside it, stop, and survive being killed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { call, conversationWith, sendTo } from '../contract/call.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'serve-'));
const program = join(folder, 'program.mjs');
// The driver is loaded by name, and a bundle in a temporary folder has no node_modules above it.
const environment = { ...process.env, NODE_PATH: join(root, 'node_modules') };
const running = new Set<ChildProcess>();

beforeAll(() => {
  buildSync({
    stdin: {
      contents: `
        import { Command } from 'commander';
        import { registerServe } from './src/cli/serve.ts';
        const program = new Command('msg-tui').exitOverride();
        registerServe(program);
        program.parseAsync().catch((error) => {
          if (error.name === 'ExitError') process.stderr.write(error.message + '\\n');
          process.exitCode = error.name === 'ExitError' ? error.code : error.exitCode === 0 ? 0 : 2;
        });`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@photostructure/sqlite'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    outfile: program,
  });
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function serve(data: string, ...words: string[]): Promise<Outcome> {
  return new Promise((done) => {
    execFile(process.execPath, [program, 'serve', '--data', data, ...words], { env: environment }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

async function listen(data: string, ...words: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program, 'serve', '--data', data, '--listen', '127.0.0.1:0', ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const url = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout }).once('line', (line) => done(line.replace('listening on ', '')));
    child.once('exit', (code) => fail(new Error(`ended with ${code}`)));
  });
  return { child, url };
}

const exitOf = (child: ChildProcess) =>
  new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));

test('users, contacts, groups and tokens are made beside the running server, and kill -9 loses nothing it confirmed', async () => {
  const data = join(folder, 'chat.db');
  const { child, url } = await listen(data);
  expect((await serve(data, 'user', 'add', 'ann')).out).toMatch(/^\w{16}\tann\n$/);
  const contact = (await serve(data, 'contact', 'add', 'bob', '--phone', '+1')).out.split('\t')[0] ?? '';
  const group = (await serve(data, 'group', 'add', 'Crew', 'ann', 'bob')).out.split('\t')[0] ?? '';
  const token = (await serve(data, 'token', 'add', 'ann', '--label', 'test')).out.trim();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect((await serve(data, 'group', 'members', 'Crew')).out).toMatch(/\tann\n.*\tbob\n/);

  for (const name of readdirSync(folder).filter((name) => name.startsWith('chat.db'))) {
    const path = join(folder, name);
    expect({ name, mode: statSync(path).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    expect(readFileSync(path).includes(token)).toBe(false);
  }

  const caller = { url, token };
  const id = await conversationWith(caller, { contact_id: contact });
  await conversationWith(caller, { group_id: group });
  const confirmed: string[] = [];
  const killed = exitOf(child);
  const sending = (async () => {
    for (let n = 0; ; n += 1) {
      confirmed.push((await sendTo(caller, id, `m${n}`)).message);
      if (n === 25) child.kill('SIGKILL');
    }
  })();
  await expect(sending).rejects.toThrow();
  await killed;

  const again = await listen(data);
  const { json } = await call({ url: again.url, token }, 'GET', `/v1/messages?conversation_id=${id}&limit=100`);
  const kept = json.data.map((message: { message: string }) => message.message);
  expect(confirmed.length).toBeGreaterThan(25);
  expect(kept).toEqual(expect.arrayContaining(confirmed));

  const listed = (await serve(data, 'token', 'list')).out.split('\t');
  expect(listed.slice(1, 2)).toEqual(['ann']);
  expect((await serve(data, 'token', 'revoke', listed[0] ?? '')).code).toBe(0);
  expect((await call({ url: again.url, token }, 'GET', '/v1/messages')).status).toBe(401);

  const ended = exitOf(again.child);
  again.child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a seed is imported, and --read-on-open=off is heard', async () => {
  const data = join(folder, 'seeded.db');
  const seed = join(folder, 'seed.json');
  const messages = [{ from: 'bob', text: 'hello' }];
  const conversations = [{ between: ['ann', 'bob'], messages, state: { ann: { unread: 1 } } }];
  writeFileSync(seed, JSON.stringify({ users: [{ username: 'ann' }], contacts: [{ username: 'bob' }], conversations }));
  expect((await serve(data, 'seed', seed)).out).toBe('2 people, 0 groups, 1 messages\n');
  const file = join(folder, 'token');
  expect((await serve(data, 'token', 'add', 'ann', '--out', file)).out).toMatch(/^\w{8}\n$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { url } = await listen(data, '--read-on-open=off');
  const caller = { url, token: readFileSync(file, 'utf8').trim() };
  const [message] = (await call(caller, 'GET', '/v1/messages')).json.data;
  await call(caller, 'GET', `/v1/conversations/${message.conversation_id}`);
  expect((await call(caller, 'GET', `/v1/messages/${message.id}`)).json.read_at).toBeNull();
});

test('what cannot be is one clear line and exit code 2', async () => {
  const data = join(folder, 'refusals.db');
  const link = join(folder, 'link.db');
  symlinkSync(join(folder, 'elsewhere.db'), link);
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{"users": [\u001b]0;x');
  const noDatabase = join(folder, 'junk.db');
  writeFileSync(noDatabase, 'no database, and longer than the header of one would be '.repeat(20));
  await serve(data, 'user', 'add', 'ann');
  const attempts: [string, string[], RegExp][] = [
    [data, ['user', 'add', 'ann'], /ann is already taken/],
    [data, ['user', 'add', 'a b'], /username/],
    [data, ['token', 'add', 'nobody'], /nobody/],
    [data, ['token', 'revoke', 'x'], /No such token/],
    [data, ['group', 'members', 'None'], /No such group/],
    [data, ['seed', broken], /not JSON/],
    [data, ['--listen', 'nowhere'], /ADDRESS:PORT/],
    [data, ['--listen', '0.0.0.0:0'], /not a loopback address.*--allow-remote/],
    [data, ['--read-on-open', 'maybe'], /on, off/],
    [link, ['user', 'list'], /not a plain file/],
    [folder, ['user', 'list'], /not a plain file/],
    [noDatabase, ['user', 'list'], /junk\.db: file is not a database/],
    [join(folder, 'no', 'such.db'), ['user', 'list'], /cannot create/],
  ];
  const outcomes = await Promise.all(attempts.map(([file, words]) => serve(file, ...words)));
  for (const [index, { code, out, err }] of outcomes.entries()) {
    expect(err).toMatch(attempts[index]?.[2] ?? /$^/);
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
  }
});

test('an address that is in use is named, with what to do', async () => {
  const { url } = await listen(join(folder, 'first.db'));
  const address = url.replace('http://', '');
  const { code, err } = await serve(join(folder, 'second.db'), '--listen', address);
  expect({ code, err }).toEqual({
    code: 1,
    err: `serve: ${address} is in use; choose another port with --listen\n`,
  });
});
