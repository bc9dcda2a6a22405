/** The ten operations on the wire: what is sent, what is believed. */

import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { idMismatchCode } from '../../src/api/errors.ts';
import type { ResponseFacts } from '../../src/api/http/request.ts';
import type { Client } from '../../src/api/operations.ts';
import { factsOf } from '../support/builders/api-errors.ts';
import { httpServer, type WireServer } from '../support/servers/wire-server.ts';

const token = 'tok-canary-Zx81';
const sample = {
  id: 'm1',
  conversation_id: 'c1',
  contact: { id: 'p1', username: 'ann' },
  message: 'Hi',
  reactions: [{ like: ['ann'] }],
  attachments: [],
  read_at: null,
  created_at: 1_700_000_000,
  updated_at: null,
};
const room = { id: 'c1', contact_id: 'p1', group_id: null, is_pinned: false, created_at: 1_700_000_000 };

const open: (WireServer | Client)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(body: unknown, status = 200, headers: Record<string, string> = {}) {
  const server = await httpServer((_request, response) => {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(isRaw ? body : body === undefined ? undefined : JSON.stringify(body));
  });
  const client = createClient({ baseUrl: `${server.url}/chat/v1/`, token });
  open.push(client, server);
  return { server, client };
}

const send = (client: Client) => client.sendMessage({ conversationId: 'c1', message: 'Hi', idempotencyKey: 'key-1' });

describe('requests', () => {
  test('every operation has the method, path and body of the API document', async () => {
    const { server, client } = await serve(sample);
    const rooms = await serve(room);
    const lists = await serve({ has_more: false, data: [sample] });
    await send(client);
    await client.retrieveMessage('m1');
    await client.updateMessage('m1', {
      message: 'a b',
      reactions: [
        { name: 'like', by: ['ann', 'bob'] },
        { name: 'x y', by: [] },
      ],
      attachments: [{ file_url: 'http://x/?a=1&b', nested: { deep: [1, null, true] } }],
    });
    await client.updateMessage('m1', { reactions: [], attachments: [] });
    await client.deleteMessage('m1');
    await rooms.client.createConversation({ contactId: 'p1', idempotencyKey: 'k' });
    await rooms.client.retrieveConversation('c1');
    await rooms.client.updateConversation('c1', {
      isPinned: true,
      isMuted: false,
      archivedAt: '1700',
      pinnedMessageId: '',
    });
    await rooms.client.deleteConversation('c1');
    await lists.client.listMessages({ conversationId: 'c1', limit: 50 });
    await lists.client.listConversations({
      muted: true,
      groupId: 'g',
      cursor: { kind: 'query', parameters: { after: 'x' } },
    });
    const lines = [server, rooms.server, lists.server].flatMap((one) =>
      one.seen.map(({ method, url, body }) => `${method} ${url} ${body}`.trim()),
    );
    expect(lines).toEqual([
      'POST /chat/v1/messages conversation_id=c1&message=Hi',
      'GET /chat/v1/messages/m1',
      'PUT /chat/v1/messages/m1 message=a%20b&reactions[like][]=ann&reactions[like][]=bob&reactions[x%20y][]=' +
        '&attachments[0][file_url]=http%3A%2F%2Fx%2F%3Fa%3D1%26b&attachments[0][nested][deep][0]=1' +
        '&attachments[0][nested][deep][1]=&attachments[0][nested][deep][2]=true',
      'PUT /chat/v1/messages/m1 reactions=&attachments=',
      'DELETE /chat/v1/messages/m1',
      'POST /chat/v1/conversations contact_id=p1',
      'GET /chat/v1/conversations/c1',
      'PUT /chat/v1/conversations/c1 pinned_message_id=&is_pinned=true&is_muted=false&archived_at=1700',
      'DELETE /chat/v1/conversations/c1',
      'GET /chat/v1/messages?conversation_id=c1&limit=50',
      'GET /chat/v1/conversations?muted=true&group_id=g&after=x',
    ]);
    const [post, get] = server.seen;
    expect(post?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': 'key-1',
      'accept-encoding': 'identity',
    });
    expect(get?.headers['content-type']).toBeUndefined();
  });

  test('each write has a connection of its own, and reads share one', async () => {
    const { server, client } = await serve(sample);
    await client.retrieveMessage('m1');
    await send(client);
    await client.retrieveMessage('m1');
    await send(client);
    const [read1, write1, read2, write2] = server.seen.map((one) => one.port);
    expect(read1).toBe(read2);
    expect(new Set([read1, write1, write2]).size).toBe(3);
  });

  test('a kept connection that went stale is replaced without an error', async () => {
    const { server, client } = await serve(sample);
    await client.retrieveMessage('m1');
    const again = await httpServer((request, response) => {
      if (server.seen.length === 0) server.seen.push({ method: '', url: '', headers: {}, body: '', port: 0 });
      // The first request on each connection is answered, the second one meets a closed door.
      const socket = request.socket as typeof request.socket & { hasAnswered?: boolean };
      if (socket.hasAnswered === true) socket.destroy();
      else response.end(JSON.stringify(sample));
      socket.hasAnswered = true;
    });
    const other = createClient({ baseUrl: again.url, token });
    open.push(other, again);
    for (let index = 0; index < 3; index += 1) await other.retrieveMessage('m1');
    expect(again.seen.length).toBeGreaterThan(3);
  });

  test.each(['..', '.', '', 'a\nb', 'x'.repeat(257), '\ud800'])(
    'the id %j is refused before anything is sent',
    async (id) => {
      const { server, client } = await serve(sample);
      for (const call of [client.retrieveMessage(id), client.deleteMessage(id), client.deleteConversation(id)]) {
        expect(await factsOf(call)).toMatchObject({ kind: 'unusable-id', outcome: 'not-applied' });
      }
      expect(server.seen).toEqual([]);
    },
  );

  test.each(['a/b', '%2e%2e', 'a?b#c', 'é ü', "it's", 'a\\b'])('the id %j arrives as one segment', async (id) => {
    const { server, client } = await serve({ ...sample, id });
    await client.retrieveMessage(id);
    expect(decodeURIComponent(server.seen[0]?.url.split('/').at(-1) ?? '')).toBe(id);
  });

  test('a page of another origin is not asked for; one of the same origin is', async () => {
    const { server, client } = await serve({ has_more: false, data: [] });
    const elsewhere = await serve({ has_more: false, data: [] });
    const bad = [
      `${elsewhere.server.url}/v1/messages`,
      `http://u:p@127.0.0.1:${server.port}/`,
      'javascript:1',
      '//evil.example/',
    ];
    for (const url of bad) {
      const facts = await factsOf(client.listMessages({ cursor: { kind: 'url', url } }));
      expect(facts.kind).toBe('redirect');
    }
    expect([...server.seen, ...elsewhere.server.seen]).toEqual([]);
    await client.listMessages({ cursor: { kind: 'url', url: '/chat/v1/messages?page=2' } });
    expect(server.seen[0]?.url).toBe('/chat/v1/messages?page=2');
  });

  test.each(['two words', 'a\r\nb: c', '', 'seven-7', 'x'.repeat(4097), 'é'])(
    'the token %j never reaches a header or a message',
    (bad) => {
      const create = () => createClient({ baseUrl: 'http://127.0.0.1:1', token: bad });
      expect(create).toThrow('token');
      if (bad.length > 1) expect(create).not.toThrow(bad);
    },
  );
});

describe('answers', () => {
  test('a message is returned with the date, the ETag and the announcements of the headers', async () => {
    const headers = {
      date: 'Sat, 21 Nov 2026 10:00:00 GMT',
      etag: '"v1"',
      deprecation: '@1',
      sunset: 'soon',
    };
    const facts: unknown[] = [];
    const { server } = await serve(sample, 200, headers);
    const client = createClient({ baseUrl: server.url, token, onResponse: (seen) => facts.push(seen) });
    open.push(client);
    const serverDate = Date.UTC(2026, 10, 21, 10);
    expect(await client.retrieveMessage('m1')).toMatchObject({
      value: { id: 'm1', text: 'Hi', createdAt: 1_700_000_000_000, reactions: [{ name: 'like', by: ['ann'] }] },
      etag: '"v1"',
    });
    expect(facts).toEqual([{ method: 'GET', path: '/v1/messages/m1', serverDate, deprecation: '@1', sunset: 'soon' }]);
  });

  test('a 304 to a request with a validator is not an error', async () => {
    const { server, client } = await serve(undefined, 304, { etag: '"v1"' });
    expect(await client.listMessages({ ifNoneMatch: '"v1"' })).toEqual({ notModified: true });
    expect(server.seen[0]?.headers['if-none-match']).toBe('"v1"');
    expect((await factsOf(client.listMessages({}))).kind).toBe('redirect');
  });

  test('an answer with gzip, a byte order mark, a wrong content type or one wrapper is read', async () => {
    const bytes = gzipSync(`\ufeff${JSON.stringify({ data: sample })}`);
    const { client } = await serve(bytes, 200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
    expect((await client.retrieveMessage('m1')).value.text).toBe('Hi');
  });

  test.each([
    ['HTML', '<html><title>Sign in</title></html>'],
    ['nothing', ''],
    ['cut JSON', '{"id":"m1","conversation_id"'],
    ['no id', { ...sample, id: undefined }],
    ['another conversation', { ...sample, conversation_id: 'c2' }],
    ['another message', { ...sample, message: 'see you' }],
    ['another message without conversation', { id: 'm9', message: 'see you' }],
    ['ok: false', { ...sample, ok: false }],
    ['success: false', { ...sample, success: false }],
    ['an array', [sample]],
    ['null', 'null'],
  ])('a send answered 201 with %s counts as not sent', async (_name, body) => {
    const { client } = await serve(body, 201);
    expect(await factsOf(send(client))).toMatchObject({ kind: 'not-api', outcome: 'ambiguous', status: 201 });
  });

  test('returns the message that the server answered with, although its text differs', async () => {
    const { client } = await serve({ ...sample, id: 'm9', message: 'see ****' }, 201);
    expect(await factsOf(send(client))).toMatchObject({ outcome: 'ambiguous', namedId: 'm9' });
    const elsewhere = await serve({ ...sample, id: 'm9', conversation_id: 'c2' }, 201);
    expect((await factsOf(send(elsewhere.client))).namedId).toBeUndefined();
  });

  test('an answer with nothing but an id is not called another message', async () => {
    const { client } = await serve({ id: 'm9' }, 201);
    const { message } = await factsOf(send(client));
    expect(message).toContain('its answer does not show the message');
  });

  test.each([
    ['trimmed', ' Hi '],
    ['escaped', 'H&#105;'.replace('&#105;', 'i&amp;')],
    ['left out', undefined],
  ])('a send whose text came back %s counts as sent', async (_name, message) => {
    const { client } = await serve({ ...sample, message }, 201);
    expect((await send(client)).value.id).toBe('m1');
  });

  test('a deletion counts as done after any 2xx of the API, with or without a body, unless the body says no', async () => {
    for (const body of ['', ' \n', { id: 'm1', deleted: true }, { id: 'm1' }, 'true']) {
      expect((await (await serve(body)).client.deleteMessage('m1')).value).toBeNull();
    }
    for (const body of [{ deleted: false }, { ok: false }, { success: false }]) {
      expect((await factsOf((await serve(body)).client.deleteMessage('m1'))).kind).toBe('not-api');
    }
  });

  test('a 2xx that is not JSON may come from another server, whatever was asked', async () => {
    for (const body of ['<html>Sign in to the hotel</html>', 'gone']) {
      const { client } = await serve(body, 200, { 'content-type': 'text/html' });
      const calls = [
        client.deleteMessage('m1'),
        client.updateMessage('m1', { message: 'x' }),
        client.deleteConversation('c1'),
        client.updateConversation('c1', { isMuted: true }),
      ];
      for (const call of calls) {
        const error = await call.catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({
          kind: 'not-api',
          isForeignBody: true,
          acceptedUnreadable: true,
          facts: { outcome: 'ambiguous' },
        });
      }
    }
  });

  test('rows without a usable id are counted and reported', async () => {
    const { server } = await serve({ has_more: false, data: [sample, {}, { id: '' }] });
    const told: unknown[] = [];
    const client = createClient({ baseUrl: server.url, token, onSkippedRows: (...all) => told.push(all) });
    open.push(client);
    const answer = await client.listMessages({});
    expect('value' in answer && answer.value.items.length).toBe(1);
    expect(told).toEqual([[2, '/v1/messages']]);
  });

  test('an answer about another resource than the requested one is refused', async () => {
    const { client } = await serve({ ...sample, id: 'm2' });
    expect((await factsOf(client.updateMessage('m1', { message: 'x' }))).kind).toBe('not-api');
    expect(await factsOf(client.retrieveMessage('m1'))).toMatchObject({ kind: 'not-api', code: idMismatchCode });
    const rooms = await serve({ ...room, contact_id: 'p2' }, 201);
    const created = rooms.client.createConversation({ contactId: 'p1', idempotencyKey: 'k' });
    expect(await factsOf(created)).toMatchObject({ kind: 'not-api', outcome: 'ambiguous' });
  });

  test('an answer that is not a list is not read as an empty one; no rows, no content and null are', async () => {
    for (const body of [{ ok: 1 }, { data: null, message: 'no' }, 'x', { data: { id: 'm1' } }]) {
      const { client } = await serve(body);
      expect((await factsOf(client.listConversations({}))).kind).toBe('not-api');
    }
    for (const [body, status] of [[[]], [{}], [{ data: null }], [undefined, 204]] as const) {
      const { client } = await serve(body, status);
      expect(await client.listConversations({})).toMatchObject({ value: { items: [], next: null } });
    }
  });

  test("the text of a proxy's error page is shown without its status, which the message already contains", async () => {
    const { client } = await serve('<html><title>502 Bad Gateway</title></html>', 502);
    expect((await factsOf(client.listMessages({}))).message).toBe('the server has a fault (502): Bad Gateway');
  });

  test('the error text of a server is shown on one line and without the token', async () => {
    const { client } = await serve({ message: `no\n\nBearer abc.def is bad, ${token} too` }, 401, {
      'x-request-id': 'r7',
    });
    const facts = await factsOf(client.listMessages({}));
    expect(facts).toMatchObject({ kind: 'unauthorized', outcome: 'not-applied', status: 401, requestId: 'r7' });
    expect(facts.message).toBe('the server answered 401: no Bearer [token] is bad, [token] too');
    expect(facts.request).toBe('GET /v1/messages, request r7');
  });

  test('a long token is removed before anything is cut, wherever the server repeats it', async () => {
    const long = `eyJhbGciOiJIUzI1NiJ9.${'q7Wz'.repeat(57)}.k`;
    const headers = {
      'request-id': `${'r'.repeat(150)}${long}`,
      location: `https://x.example/${long}`,
      sunset: `${'s'.repeat(30)}${long}`,
    };
    const answers = [
      [401, JSON.stringify({ message: `Invalid token ${long}` })],
      [400, JSON.stringify({ message: `${'x'.repeat(160)} ${long.slice(0, 40)}…`, request_id: long.slice(0, 190) })],
      [400, `<p>${long}</p>`],
      [200, `no JSON: ${long}`],
      [307, ''],
    ] as const;
    const facts: ResponseFacts[] = [];
    let answer: (typeof answers)[number] = answers[0];
    const server = await httpServer((_, response) => void response.writeHead(answer[0], headers).end(answer[1]));
    const client = createClient({ baseUrl: server.url, token: long, onResponse: (seen) => facts.push(seen) });
    open.push(client, server);
    for (answer of answers) {
      const told = JSON.stringify([await factsOf(client.listMessages({})), facts]);
      // A failing comparison must not print the token either.
      const shown = told.includes(long.slice(0, 12)) ? `a part of the token after ${answer[0]}` : 'nothing of it';
      expect(shown).toBe('nothing of it');
      expect(told).toContain('[token]');
    }
  });
});
