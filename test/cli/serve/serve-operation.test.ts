/** `msg-tui serve` as its operator sees it: health, metrics, the log of requests, and a stop that loses no request. */
import { execFile, spawn } from 'node:child_process';
import fs, {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { buildServeProgram, exitOf, type Outcome, serveHere } from '../../support/servers/serve-program.ts';

const { folder, serve: serveAlone, serveWith, listen, killAll, remove } = buildServeProgram();
const serve = serveHere;
afterEach(killAll);
afterAll(remove);

/** A message whose body is sent in two parts: the second one when `finish` is called. */
function slowMessage(url: string, token: string, conversation: string) {
  const body = `conversation_id=${conversation}&message=late`;
  const outgoing = request(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
    },
  });
  const answered = new Promise<{ status: number | undefined; connection: string | undefined }>((done, fail) => {
    outgoing.once('error', fail);
    outgoing.once('response', (answer) => {
      answer.resume();
      answer.once('end', () => done({ status: answer.statusCode, connection: answer.headers.connection }));
    });
  });
  outgoing.write(body.slice(0, 20));
  return { answered, finish: () => void outgoing.end(body.slice(20)) };
}

const isRefused = (url: string): Promise<boolean> =>
  new Promise((done) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      done(false);
    });
    socket.once('error', () => done(true));
  });

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let step = 0; step < 1000; step += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it did not happen');
}

test('health, metrics and the log are available, and a stop answers the running request', async () => {
  const data = join(folder, 'chat.db');
  await serve(data, 'user', 'add', 'ann');
  const contact = (await serve(data, 'contact', 'add', 'bob')).out.split('\t')[0] ?? '';
  const token = (await serve(data, 'token', 'add', 'ann')).out.trim();
  const { child, url, adminUrl, errors } = await listen(data, '--admin-listen', '127.0.0.1:0', '--log-requests');
  const caller = { url, token };
  const conversation = await conversationWith(caller, { contact_id: contact });

  const page = async (path: string) => {
    const response = await fetch(`${adminUrl}${path}`);
    return { status: response.status, text: await response.text() };
  };
  expect(await page('/healthz')).toEqual({ status: 200, text: 'ok\n' });
  expect(await page('/readyz')).toEqual({ status: 200, text: 'ready\n' });
  expect((await page('/metrics')).text).toContain(
    '\nmsg_tui_requests_total{operation="createConversation",status="201"} 1\n',
  );
  expect((await call(caller, 'GET', '/metrics')).status).toBe(404);

  // Node's debugger would write a line that is not JSON.
  child.kill('SIGUSR1');
  const slow = slowMessage(url, token, conversation);
  await until(async () => (await page('/metrics')).text.includes('\nmsg_tui_requests_in_progress 1\n'));
  const ended = exitOf(child);
  child.kill('SIGTERM');
  await until(() => isRefused(url));
  expect(await page('/readyz')).toEqual({ status: 503, text: 'stopping\n' });
  slow.finish();
  expect(await slow.answered).toEqual({ status: 201, connection: 'close' });
  expect(await ended).toBe(0);

  const lines = errors().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line)).map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', '/v1/conversations', 201],
    ['GET', null, 404],
    ['POST', '/v1/messages', 201],
  ]);
  expect(errors()).not.toMatch(new RegExp([token, conversation, contact, 'late'].join('|')));
});

test('one line reports a database that cannot be used, however many requests fail', async () => {
  const data = join(folder, 'locked.db');
  await serveAlone(data, 'user', 'add', 'ann');
  const contact = (await serveAlone(data, 'contact', 'add', 'bob')).out.split('\t')[0] ?? '';
  const token = (await serveAlone(data, 'token', 'add', 'ann')).out.trim();
  const { url, errors } = await listen(data);
  const holder = openDatabase(data);
  holder.exec('BEGIN IMMEDIATE');
  for (let request = 0; request < 2; request += 1)
    expect((await call({ url, token }, 'POST', '/v1/conversations', { form: { contact_id: contact } })).status).toBe(
      503,
    );
  holder.close();
  expect(errors()).toMatch(/^\S+Z another process writes to the data file: requests are answered with 503\n$/);
});

test('the server goes on when nobody reads its log any more, and SIGHUP ends it as SIGTERM does', async () => {
  const { child, url } = await listen(join(folder, 'unread.db'), '--log-requests');
  child.stderr?.destroy();
  // A line of the log is written after its answer.
  for (let request = 0; request < 5; request += 1)
    expect((await call({ url, token: 'none' }, 'GET', '/v1/messages')).status).toBe(401);
  const ended = exitOf(child);
  child.kill('SIGHUP');
  expect(await ended).toBe(0);
});

test('an address for the operator that other machines reach has to be allowed, and one in use is reported', async () => {
  const data = join(folder, 'refused.db');
  const open = await serveAlone(data, '--listen', '127.0.0.1:0', '--admin-listen', '0.0.0.0:0');
  expect(open).toMatchObject({ code: 2, err: expect.stringMatching(/^serve: 0\.0\.0\.0 is not a loopback .*\n$/) });
  const { url } = await listen(data);
  const address = url.replace('http://', '');
  const taken = await serveAlone(data, '--listen', '127.0.0.1:0', '--admin-listen', address);
  expect(taken).toMatchObject({
    code: 1,
    err: `serve: ${address} is in use; choose another port with --admin-listen\n`,
  });
});

test('people and groups are renamed and removed, and lists are printed as JSON', async () => {
  const data = join(folder, 'people.db');
  const json = async (...words: string[]) => JSON.parse((await serve(data, ...words, '--json')).out);
  const ann = (await serve(data, 'user', 'add', 'ann', '--phone', '+1')).out.split('\t')[0];
  await serve(data, 'user', 'add', 'bob');
  await serve(data, 'contact', 'add', 'cyd');
  await serve(data, 'token', 'add', 'bob', '--label', 'laptop');
  await serve(data, 'group', 'add', 'Crew', 'ann', 'bob');
  const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  const id = expect.stringMatching(/^\w{16}$/);
  expect((await serve(data, 'user', 'rename', 'ann', 'anna')).out).toBe(`${ann}\tanna\n`);
  const users = await json('user', 'list');
  const tokens = await json('token', 'list');
  const groups = await json('group', 'list');
  const removed = await json('group', 'members', 'Crew', '--remove', 'bob');
  const anna = {
    id: ann,
    username: 'anna',
    phone_number: '+1',
    avatar_url: '',
    last_active_at: null,
    created_at: time,
  };
  expect(users).toEqual({ schema: 1, users: [anna, expect.objectContaining({ username: 'bob' })] });
  expect(tokens).toEqual({
    schema: 1,
    tokens: [{ id: expect.stringMatching(/^\w{8}$/), username: 'bob', label: 'laptop', created_at: time }],
  });
  expect(groups).toEqual({ schema: 1, groups: [{ id, name: 'Crew', created_at: time }] });
  expect(removed).toEqual({ schema: 1, members: [anna] });
  expect((await serve(data, 'user', 'remove', 'bob')).out).toMatch(/^\w{16}\tbob\ttokens: 1\tconversations: 0\n$/);
  expect((await serve(data, 'contact', 'remove', 'cyd')).code).toBe(0);
  expect((await serve(data, 'group', 'rename', 'Crew', 'Team')).code).toBe(0);
  expect(await serve(data, 'user', 'remove', 'bob')).toEqual({
    code: 2,
    out: '',
    err: 'serve: user: bob is a contact and not a user\n',
  });
  expect((await serve(data, 'group', 'remove', 'Team')).out).toMatch(/^\w{16}\tTeam\tmessages: 0\n$/);
  expect(await json('contact', 'list')).toMatchObject({ contacts: [{ username: 'bob' }] });
});

test('a contact who becomes a user keeps the number and the picture that the command does not give', async () => {
  const data = join(folder, 'kept.db');
  await serve(data, 'contact', 'add', 'bob', '--phone', '+1', '--avatar', 'https://a.example/bob.png');
  await serve(data, 'user', 'add', 'bob', '--phone', '+2');
  await serve(data, 'user', 'remove', 'bob');
  await serve(data, 'user', 'add', 'bob');
  const { users } = JSON.parse((await serve(data, 'user', 'list', '--json')).out);
  expect(users).toMatchObject([{ phone_number: '+2', avatar_url: 'https://a.example/bob.png' }]);
});

test('several members are changed all together, or not at all if one of them does not exist', async () => {
  const data = join(folder, 'members.db');
  for (const name of ['ann', 'bob', 'cleo']) await serve(data, 'user', 'add', name);
  await serve(data, 'group', 'add', 'Crew', 'ann');
  const names = async () => (await serve(data, 'group', 'members', 'Crew')).out.match(/\w+$/gm);
  for (const words of [
    ['bob', 'nobody'],
    ['bob', '--remove', 'ann', 'cleo'],
  ]) {
    expect((await serve(data, 'group', 'members', 'Crew', ...words)).code).toBe(2);
    expect(await names()).toEqual(['ann']);
  }
  expect((await serve(data, 'group', 'members', 'Crew', 'bob', 'cleo', '--remove', 'ann')).code).toBe(0);
  expect(await names()).toEqual(['bob', 'cleo']);
});

test.each([
  ['user', 'a b'],
  ['contact', ''],
  ['group', ' '],
])('%s add with the name %j, which is refused, creates no data file', async (kind, name) => {
  const data = join(folder, `refused-${kind}.db`);
  expect((await serve(data, kind, 'add', name)).code).toBe(2);
  expect(existsSync(data)).toBe(false);
});

test('a backup that is made while the server writes can be restored after a crash, and not while the server runs', async () => {
  const data = join(folder, 'saved.db');
  const backup = join(folder, 'backup.db');
  const seed = join(folder, 'seed.json');
  const conversations = [{ between: ['ann', 'bob'], messages: [{ from: 'bob', text: 'before the backup' }] }];
  writeFileSync(seed, JSON.stringify({ users: [{ username: 'ann' }], contacts: [{ username: 'bob' }], conversations }));
  // In this process the driver would keep the file open.
  await serveAlone(data, 'seed', seed);
  const token = (await serveAlone(data, 'token', 'add', 'ann')).out.trim();
  const { child, url } = await listen(data);
  const list = async (address: string) =>
    (await call({ url: address, token }, 'GET', '/v1/messages?limit=100')).json.data;
  const [{ id: early, conversation_id: id }] = await list(url);
  let isDone = false;
  const writing = (async () => {
    for (let n = 0; !isDone; n += 1) await sendTo({ url, token }, id, `m${n}`);
  })();
  const made = await serveAlone(data, 'backup', backup);
  isDone = true;
  await writing;
  expect(made).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/\tpeople: 2\tgroups: 0\tmessages: \d+\t/),
  });
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  const late = (await sendTo({ url, token }, id, 'after the backup')).id;
  expect(await serveAlone(data, 'restore', backup)).toMatchObject({
    code: 2,
    err: 'serve: saved.db is in use; stop the server before a restore\n',
  });

  const killed = exitOf(child);
  child.kill('SIGKILL');
  await killed;
  expect(statSync(`${data}-wal`).size).toBeGreaterThan(0);
  expect(await serveAlone(data, 'restore', backup)).toMatchObject({ code: 0, err: '' });
  expect(existsSync(`${data}-wal`)).toBe(false);
  expect(readdirSync(folder).filter((name) => /^saved\.db\.before-restore-\d{14}$/.test(name))).toHaveLength(1);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);

  const again = await listen(data);
  expect((await call({ url: again.url, token }, 'GET', `/v1/messages/${early}`)).status).toBe(200);
  expect((await call({ url: again.url, token }, 'GET', `/v1/messages/${late}`)).status).toBe(404);
  expect(await list(again.url)).toHaveLength(Math.min(100, Number(/messages: (\d+)/.exec(made.out)?.[1])));
});

test('a backup replaces no file that is there only once it is made', async () => {
  const data = join(folder, 'twice.db');
  await serveAlone(data, 'user', 'add', 'ann');
  const backup = join(folder, 'twice-backup.db');
  const { fsyncSync } = fs;
  const use = (synchronise: typeof fsyncSync): void => {
    fs.fsyncSync = synchronise;
    syncBuiltinESMExports();
  };
  use((descriptor) => {
    writeFileSync(backup, 'of another backup');
    fsyncSync(descriptor);
  });
  onTestFinished(() => use(fsyncSync));
  expect((await serve(data, 'backup', backup)).err).toMatch(
    /^serve: .*twice-backup\.db exists; choose another name\n$/,
  );
  expect(readFileSync(backup, 'utf8')).toBe('of another backup');
  expect(readdirSync(folder).filter((name) => name.startsWith('twice-backup'))).toEqual(['twice-backup.db']);
});

test.skipIf(process.platform === 'win32')('a backup that a signal ends leaves no part of it', async () => {
  const data = join(folder, 'held.db');
  await serveAlone(data, 'user', 'add', 'ann');
  const parts = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('held-backup.db'));
  const holder = openDatabase(data);
  // SQLite waits for this lock in the thread that would run the listener of the signal.
  holder.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  const words = [join(folder, 'program.mjs'), 'serve', '--data', data, 'backup', join(folder, 'held-backup.db')];
  const env = { ...process.env, NODE_PATH: resolve(import.meta.dirname, '../../../node_modules') };
  const child = spawn(process.execPath, words, { env, stdio: 'ignore' });
  const ended = exitOf(child);
  await until(() => parts().length > 0);
  child.kill('SIGTERM');
  holder.exec('ROLLBACK');
  holder.close();
  expect({ ended: await ended, parts: parts() }).toEqual({ ended: 'SIGTERM', parts: [] });
});

test('a restore that is killed before the restored file has its name leaves the data file in its place', async () => {
  const data = join(folder, 'killed.db');
  const backup = join(folder, 'killed-backup.db');
  await serveAlone(data, 'user', 'add', 'ann');
  await serveAlone(data, 'backup', backup);
  const program = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; const rename = fs.renameSync;
    fs.renameSync = (from, to) => from.endsWith('.tmp') ? process.kill(process.pid, 'SIGKILL') : rename(from, to);
    syncBuiltinESMExports();`;
  const killed = ['--import', `data:text/javascript,${encodeURIComponent(program)}`];
  await serveWith({}, killed, data, 'restore', backup);
  const [aside = ''] = readdirSync(folder).filter((name) => name.startsWith('killed.db.before-restore-'));
  expect([statSync(data).ino, statSync(data).nlink]).toEqual([statSync(join(folder, aside)).ino, 2]);
});

test('a log that is left without its data file changes nothing in the file that is restored', async () => {
  const data = join(folder, 'gone.db');
  const backup = join(folder, 'gone-backup.db');
  await serveAlone(data, 'user', 'add', 'ann');
  await serveAlone(data, 'backup', backup);
  const database = openDatabase(data);
  database.exec("PRAGMA journal_mode = WAL; UPDATE people SET username = 'bob'");
  copyFileSync(`${data}-wal`, `${data}-kept`);
  database.close();
  rmSync(data);
  renameSync(`${data}-kept`, `${data}-wal`);
  const { code, out } = await serveAlone(data, 'restore', backup);
  expect(code).toBe(0);
  expect((await serveAlone(data, 'user', 'list')).out).toMatch(/^\w+\tann\n$/);
  expect(out).toMatch(/^the former data is in .*gone\.db\.before-restore-\d{14}-wal\n/);
});

test('a full disk is a failure and not a usage error, and leaves no part of a backup', async () => {
  const data = join(folder, 'room.db');
  await serve(data, 'user', 'add', 'ann');
  // Less than an empty data file takes. By itself the signal of the limit would end the program.
  const ignore = ['--import', 'data:text/javascript,process.on("SIGXFSZ", () => undefined)'];
  const limited = (file: string, ...words: string[]) =>
    new Promise<Outcome>((done) => {
      const program = [process.execPath, ...ignore, join(folder, 'program.mjs'), 'serve', '--data', file, ...words];
      const env = { ...process.env, NODE_PATH: resolve(import.meta.dirname, '../../../node_modules') };
      execFile('sh', ['-c', 'ulimit -f 80; exec "$@"', 'sh', ...program], { env }, (error, out, err) =>
        done({ code: Number(error?.code ?? 0), out, err }),
      );
    });
  const full = (err: string) => ({ code: 1, out: '', err: `serve: ${err}\n` });
  const fresh = join(folder, 'fresh.db');
  expect(await limited(fresh, 'user', 'add', 'ann')).toEqual(full(`${fresh}: the disk of the data file is full`));
  expect(await limited(data, 'backup', join(folder, 'part.db'))).toEqual(full('the disk of the backup is full'));
  expect(readdirSync(folder).filter((name) => name.startsWith('part.db'))).toEqual([]);
});

test('a backup replaces no file, and an incomplete backup is not restored', async () => {
  const data = join(folder, 'whole.db');
  const backup = join(folder, 'whole-backup.db');
  await serve(data, 'user', 'add', 'ann');
  expect((await serve(data, 'backup', backup)).code).toBe(0);
  const refused = async (...words: string[]) => {
    const { code, out, err } = await serve(data, ...words);
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: 2, out: '', lines: 2 });
    return err;
  };
  expect(await refused('backup', backup)).toMatch(/whole-backup\.db exists; choose another name/);
  const damaged = join(folder, 'damaged.db');
  copyFileSync(backup, damaged);
  truncateSync(damaged, 20_000);
  expect(await refused('restore', damaged)).toMatch(/damaged\.db is (damaged|malformed)/);
  const text = join(folder, 'text.db');
  writeFileSync(text, 'no database, and longer than the header of one would be '.repeat(20));
  expect(await refused('restore', text)).toMatch(/text\.db is not a database/);
  writeFileSync(text, '');
  expect(await refused('restore', text)).toMatch(/text\.db is not a data file of msg-tui serve/);
  expect(await refused('restore', join(folder, 'none.db'))).toMatch(/none\.db does not exist/);
  expect(await refused('restore', folder)).toMatch(/is not a plain file/);
  const logged = join(folder, 'logged.db');
  copyFileSync(backup, logged);
  const database = openDatabase(logged);
  database.exec("PRAGMA journal_mode = WAL; UPDATE people SET username = 'bob'");
  expect(await refused('restore', logged)).toMatch(/logged\.db is no backup, as .*-wal has changes; run msg-tui serve/);
  database.close();
  const nowhere = join(folder, 'no', 'backup.db');
  const unwritten = {
    code: 1,
    out: '',
    err: `serve: ${nowhere} cannot be written: there is no such file or folder (ENOENT)\n`,
  };
  expect(await serve(data, 'backup', nowhere)).toEqual(unwritten);
  expect(await serve(nowhere, 'restore', backup)).toEqual(unwritten);
  const empty = await serve(text, 'backup', join(folder, 'of-text.db'));
  expect(empty).toEqual({ code: 2, out: '', err: `serve: ${text} is not a data file of msg-tui serve\n` });
  expect((await serve(data, 'user', 'list')).out).toMatch(/\tann\n$/);
});
