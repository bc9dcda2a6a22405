/** `msg-tui serve` as a process of its own: start, administer beside it, stop, and survive being killed. */
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { buildServeProgram, exitOf } from '../../support/servers/serve-program.ts';

const { folder, serve, serveWith, listen, killAll, remove } = buildServeProgram();
afterEach(killAll);
afterAll(remove);

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

test('a seed is imported, and --read-on-open=off takes effect', async () => {
  const data = join(folder, 'seeded.db');
  const seed = join(folder, 'seed.json');
  const messages = [{ from: 'bob', text: 'hello' }];
  const conversations = [{ between: ['ann', 'bob'], messages, state: { ann: { unread: 1 } } }];
  writeFileSync(seed, JSON.stringify({ users: [{ username: 'ann' }], contacts: [{ username: 'bob' }], conversations }));
  expect((await serve(data, 'seed', seed)).out).toBe('2 people, 0 groups, 1 message\n');
  const file = join(folder, 'token');
  expect((await serve(data, 'token', 'add', 'ann', '--out', file)).out).toMatch(/^\w{8}\n$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { url } = await listen(data, '--read-on-open=off');
  const caller = { url, token: readFileSync(file, 'utf8').trim() };
  const [message] = (await call(caller, 'GET', '/v1/messages')).json.data;
  await call(caller, 'GET', `/v1/conversations/${message.conversation_id}`);
  expect((await call(caller, 'GET', `/v1/messages/${message.id}`)).json.read_at).toBeNull();
});

test('an impossible option is one clear line and exit code 2', async () => {
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
    [data, ['token', 'revoke', 'x'], /serve: there is no token x\n$/],
    [data, ['group', 'members', 'None'], /serve: there is no group None\n$/],
    [data, ['group', 'add', 'Crew\nBoat'], /name: must not contain a line end or another control character/],
    [data, ['group', 'add', 'Crew\u009b31m'], /name: must not contain a line end/],
    [data, ['group', 'add', 'Crew\u2028'], /name: must not contain a line end/],
    [data, ['user', 'add', 'ann\n'], /username/],
    [data, ['contact', 'add', 'a\tb'], /username/],
    [data, ['seed', broken], /not JSON/],
    [data, ['seed', join(folder, 'none.json')], /none\.json cannot be read: there is no such file/],
    [data, ['--listen', 'nowhere'], /ADDRESS:PORT/],
    [data, ['--listen', '0.0.0.0:0'], /not a loopback address.*--allow-remote/],
    [data, ['--read-on-open', 'maybe'], /on, off/],
    [link, ['user', 'list'], /not a plain file/],
    [folder, ['user', 'list'], /not a plain file/],
    [noDatabase, ['user', 'list'], /junk\.db: file is not a database/],
    [join(folder, 'no', 'such.db'), ['user', 'add', 'ann'], /cannot create .*: there is no folder .*; make it first/],
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

test('a name that SQLite would read as an address or as memory is a file like any other', async () => {
  for (const name of ['file:address.db', ':memory:']) {
    expect((await serve(name, 'user', 'add', 'ann')).code).toBe(0);
    expect((await serve(name, 'user', 'list')).out).toMatch(/\tann\n$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(folder)).not.toContain('address.db');
});

test('a log file that is a link is refused in one line', async () => {
  const data = join(folder, 'planted.db');
  await serve(data, 'user', 'add', 'ann');
  symlinkSync(join(folder, 'target'), `${data}-wal`);
  const { code, err } = await serve(data, 'user', 'list');
  expect({ code, err }).toEqual({ code: 2, err: `serve: ${data}-wal is not a plain file\n` });
  expect(readdirSync(folder)).not.toContain('target');
});

test('names are spelled in ASCII where the locale is not UTF-8', async () => {
  const data = join(folder, 'names.db');
  await serve(data, 'group', 'add', 'caf\u00e9 \u00db31m');
  const env = { LC_ALL: 'de_DE.ISO-8859-1', LANG: 'de_DE.ISO-8859-1' };
  const { out } = await serveWith({ env }, [], data, 'group', 'list');
  expect(out).toMatch(/^\w+\tcaf\? \?31m\n$/);
});

test('without SQLite one line says which Node has it', async () => {
  const without = join(folder, 'without-sqlite.cjs');
  writeFileSync(
    without,
    `const Module = require('node:module'); const load = Module._load;
     Module._load = (name, ...rest) => { if (/sqlite/.test(name)) throw new Error('none'); return load(name, ...rest); };`,
  );
  const { code, out, err } = await serveWith(
    {},
    ['--require', without],
    join(folder, 'no-driver.db'),
    'user',
    'add',
    'ann',
  );
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^serve: No SQLite found: .*Node 22\.13 or later\.\n$/);
});

test('--max-connections takes effect, and must be a number', async () => {
  const data = join(folder, 'places.db');
  expect((await serve(data, '--max-connections', '0')).err).toMatch(/whole number/);
  const { url } = await listen(data, '--max-connections', '1');
  await serve(data, 'user', 'add', 'ann');
  const token = (await serve(data, 'token', 'add', 'ann')).out.trim();
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const status = () =>
    new Promise<number | undefined>((done, fail) => {
      get(`${url}/v1/messages`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        answer.resume();
        done(answer.statusCode);
      }).on('error', fail);
    });
  expect((await Promise.all([status(), status()])).sort()).toEqual([200, 503]);
  agent.destroy();
});
