/** The threads that own the data file: reading does not wait for writing, and a change in one is heard in the other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PlainRequest } from '../../../src/server/http/exchange.ts';
import { rate } from '../../../src/server/http/rate-limit.ts';
import { startHttp } from '../../../src/server/http/start.ts';
import { createService } from '../../../src/server/rules/service.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { startThreads } from '../../../src/server/worker/start-threads.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { type Bundled, bundled } from '../../support/system/bundled.ts';

const folder = mkdtempSync(join(tmpdir(), 'threads-'));
let program: Bundled;
beforeAll(async () => {
  program = await bundled('src/cli/serve/database-thread.ts');
});
afterAll(() => {
  program.remove();
  rmSync(folder, { recursive: true });
});

async function open(name: string, limitsRate = false) {
  const path = join(folder, name);
  const service = createService({ engine: openSqlite(openDatabase(path)) });
  await service.admin.createUser({ username: 'ann' });
  const bob = await service.admin.createContact({ username: 'bob' });
  const { id: tokenId, token } = await service.admin.createToken('ann');
  const threads = await startThreads({ program: program.file, path, readOnOpen: true, limitsRate });
  const server = await startHttp(threads, { port: 0 });
  onTestFinished(async () => {
    await server.close();
    await service.close();
  });
  const caller = { url: server.url, token };
  return {
    path,
    service,
    tokenId,
    threads,
    server,
    caller,
    id: await conversationWith(caller, { contact_id: bob.id }),
  };
}

const listOfMessages: PlainRequest = {
  method: 'GET',
  route: '/v1/messages',
  id: null,
  path: '/v1/messages',
  query: '',
  token: null,
  ifNoneMatch: null,
  idempotencyKey: null,
  prefer: null,
  contentType: null,
  body: new Uint8Array(),
  bodyProblem: null,
};

test('a list is answered while a write waits for another process, and the HTTP thread goes on', async () => {
  const { path, caller, id, server } = await open('locked.db');
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  const answered: string[] = [];
  const write = call(caller, 'POST', '/v1/messages', { form: { conversation_id: id, message: 'x' } });
  const read = call(caller, 'GET', '/v1/messages');
  const [refused, list] = await Promise.all([
    write.finally(() => answered.push('write')),
    read.finally(() => answered.push('read')),
  ]);
  expect([refused.status, refused.json.code, list.status, answered]).toEqual([503, 'busy', 200, ['read', 'write']]);
  other.exec('ROLLBACK');
  other.close();
  await sendTo(caller, id, 'x');
  expect((await call(caller, 'GET', '/v1/messages')).json.data).toHaveLength(1);
  await server.ping();
});

test('a request that waits is answered when the other thread makes a change; a stop answers it too', async () => {
  const { caller, id, server } = await open('waiting.db');
  const wait = async () => {
    const tag = (await call(caller, 'GET', '/v1/messages')).headers.get('etag') ?? '';
    const headers = { 'If-None-Match': tag, Prefer: 'wait=50' };
    return { answer: call(caller, 'GET', '/v1/messages', { headers }) };
  };
  const first = await wait();
  await expect.poll(server.waiting).toBe(1);
  await sendTo(caller, id, 'hello');
  const { status, json } = await first.answer;
  expect([status, json.data[0].message]).toEqual([200, 'hello']);
  const second = await wait();
  await expect.poll(server.waiting).toBe(1);
  await server.close();
  expect((await second.answer).status).toBe(304);
});

test('a thread reports that the token of a waiting request is valid while it waits, and nothing of another token', async () => {
  const { caller, threads, server } = await open('valid.db');
  const tag = (await call(caller, 'GET', '/v1/messages')).headers.get('etag') ?? '';
  const valid: string[] = [];
  const asked = (token: string) =>
    threads.answer({ ...listOfMessages, token, ifNoneMatch: tag, prefer: 'wait=50' }, () => valid.push(token));
  const refused = await asked('x');
  const held = asked(caller.token);
  await expect.poll(() => valid).toEqual([caller.token]);
  expect(refused.person).toBeNull();
  await server.close();
  expect((await held).result).toMatchObject({ status: 304 });
});

test('a write and a first read do not count as waiting, whatever they prefer', async () => {
  const { path, caller, id, server } = await open('prefers.db');
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  const headers = { Prefer: 'wait=50' };
  const write = call(caller, 'POST', '/v1/messages', { form: { conversation_id: id, message: 'x' }, headers });
  expect((await call(caller, 'GET', '/v1/messages', { headers })).status).toBe(200);
  expect(server.waiting()).toBe(0);
  expect((await write).status).toBe(503);
  other.close();
});

test('a request that waits is answered when another process writes to the data file', async () => {
  const { caller, service, server } = await open('beside.db');
  const { data } = (await call(caller, 'GET', '/v1/conversations')).json;
  const tag = (await call(caller, 'GET', '/v1/messages')).headers.get('etag') ?? '';
  const answer = call(caller, 'GET', '/v1/messages', { headers: { 'If-None-Match': tag, Prefer: 'wait=30' } });
  await expect.poll(server.waiting).toBe(1);
  const began = performance.now();
  // This service has a connection of its own, as another process has.
  await service.messages.send(
    await service.admin.person('ann'),
    new Map([
      ['conversation_id', data[0].id],
      ['message', 'from beside'],
    ]),
  );
  const { status, json } = await answer;
  expect([status, json.data[0].message]).toEqual([200, 'from beside']);
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('the rate limit is one for both threads, and a revoked token is refused at once', async () => {
  const { caller, service, tokenId, id } = await open('limited.db', true);
  const began = performance.now();
  const mute = { form: { is_muted: 'true' } };
  const replies = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      n % 2 === 0 ? call(caller, 'GET', '/v1/messages?limit=1') : call(caller, 'PUT', `/v1/conversations/${id}`, mute),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  // The first request is not counted, since nobody knows yet whose the token is; a few come at the same time as it.
  const answered = replies.filter(({ status }) => status === 200).length;
  expect(answered).toBeLessThanOrEqual(rate.burst + rate.perSecond * seconds + 20);
  await service.admin.revokeToken(tokenId);
  await expect.poll(async () => (await call(caller, 'GET', '/v1/messages')).status).toBe(401);
});

/** Answers the path `/known` as the user 1, and everything else as a thread whose database fails before it finds the user. */
const failingThread = `
const { parentPort } = require('node:worker_threads');
const problem = { kind: 'refusal', status: 503, code: 'busy', message: 'x', param: null, headers: {} };
const replies = { '/known': { person: 1, result: { status: 204, headers: {}, body: null } } };
parentPort.on('message', ({ kind, number, request }) => {
  if (kind === 'close') parentPort.close();
  if (kind !== 'request') return;
  parentPort.postMessage({ kind: 'reply', number, reply: replies[request.path] ?? { person: null, result: { problem } } });
});
parentPort.postMessage({ kind: 'ready' });
`;

test('the requests of a user are limited while the database fails', async () => {
  const file = join(folder, 'failing-thread.cjs');
  writeFileSync(file, failingThread);
  const threads = await startThreads({ program: file, path: ':memory:', readOnOpen: true, limitsRate: true });
  onTestFinished(threads.close);
  const asked = async (path: string): Promise<number | null> => {
    const { result } = await threads.answer({ ...listOfMessages, token: 'x', path }, null);
    if ('status' in result) return result.status;
    return result.problem.kind === 'refusal' ? result.problem.status : null;
  };
  const began = performance.now();
  expect(await asked('/known')).toBe(204);
  const statuses: (number | null)[] = [];
  for (let n = 0; n < 300; n += 1) statuses.push(await asked('/v1/messages'));
  const seconds = (performance.now() - began) / 1000;
  expect(statuses.filter((status) => status === 503).length).toBeLessThanOrEqual(rate.burst + rate.perSecond * seconds);
  expect(statuses).toContain(429);
});

test('a file that cannot be opened is reported', async () => {
  const path = join(folder, 'nowhere', 'chat.db');
  const threads = startThreads({ program: program.file, path, readOnOpen: true, limitsRate: false });
  await expect(threads).rejects.toThrow('cannot create');
});
