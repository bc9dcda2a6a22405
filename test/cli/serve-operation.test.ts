/** `msg-tui serve` as its operator sees it: health, metrics, the log of requests, and a stop that loses no request. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { call, conversationWith } from '../contract/call.ts';
import { buildServeProgram, exitOf } from '../support/servers/serve-program.ts';

const { folder, serve, listen, killAll, remove } = buildServeProgram();
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

test('health, metrics and the log are there, and a stop answers the request that is under way', async () => {
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

test('an address for the operator that other machines reach has to be allowed, and one in use is named', async () => {
  const data = join(folder, 'refused.db');
  const open = await serve(data, '--listen', '127.0.0.1:0', '--admin-listen', '0.0.0.0:0');
  expect(open).toMatchObject({ code: 2, err: expect.stringMatching(/^serve: 0\.0\.0\.0 is not a loopback .*\n$/) });
  const { url } = await listen(data);
  const address = url.replace('http://', '');
  const taken = await serve(data, '--listen', '127.0.0.1:0', '--admin-listen', address);
  expect(taken).toMatchObject({
    code: 1,
    err: `serve: ${address} is in use; choose another port with --admin-listen\n`,
  });
});

test('people and groups are renamed and removed, and lists are printed as JSON', async () => {
  const data = join(folder, 'people.db');
  const json = async (...words: string[]) => JSON.parse((await serve(data, ...words, '--json')).out);
  const ann = (await serve(data, 'user', 'add', 'ann', '--phone', '+1')).out.split('\t')[0];
  await Promise.all([serve(data, 'user', 'add', 'bob'), serve(data, 'contact', 'add', 'cyd')]);
  await serve(data, 'token', 'add', 'bob', '--label', 'laptop');
  await serve(data, 'group', 'add', 'Crew', 'ann', 'bob');
  const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  const id = expect.stringMatching(/^\w{16}$/);
  expect((await serve(data, 'user', 'rename', 'ann', 'anna')).out).toBe(`${ann}\tanna\n`);
  const [users, tokens, groups, removed] = await Promise.all([
    json('user', 'list'),
    json('token', 'list'),
    json('group', 'list'),
    json('group', 'members', 'Crew', '--remove', 'bob'),
  ]);
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
  const outcomes = await Promise.all([
    serve(data, 'contact', 'remove', 'cyd'),
    serve(data, 'group', 'rename', 'Crew', 'Team'),
    serve(data, 'user', 'remove', 'bob'),
  ]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 2]);
  expect(outcomes[2]?.err).toMatch(/^serve: user: bob is a contact; .*\n$/);
  expect((await serve(data, 'group', 'remove', 'Team')).out).toMatch(/^\w{16}\tTeam\tmessages: 0\n$/);
  expect(await json('contact', 'list')).toMatchObject({ contacts: [{ username: 'bob' }] });
});
