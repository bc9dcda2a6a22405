/** Errors, validators, idempotency and limits of our own server (docs/server.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, conversationWith, sendTo } from './call.ts';
import { isForeign, type OwnTarget, openOwnTarget } from './target.ts';

describe.skipIf(isForeign)('http', () => {
  let target: OwnTarget;
  let conversationId: string;
  let second = 1_800_000_000;

  beforeAll(async () => {
    target = await openOwnTarget({ now: () => second });
    conversationId = await conversationWith(target, { contact_id: target.contactId });
  });
  afterAll(() => target.close());

  describe('errors', () => {
    test('have one shape and the id of the request', async () => {
      const reply = await call(target, 'GET', '/v1/messages?limit=0');
      expect(reply.json).toEqual({
        type: 'invalid_request',
        message: expect.stringContaining('limit'),
        documentation_url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.1',
        code: 'parameter_invalid',
        param: 'limit',
        request_id: reply.headers.get('request-id'),
      });
    });

    test('every answer has a request id of its own', async () => {
      const seen = new Set<string | null>();
      for (const path of ['/v1/messages', '/v1/messages/x', '/nothing', '/v1/conversations']) {
        seen.add((await call(target, 'GET', path)).headers.get('request-id'));
      }
      expect(seen.has(null)).toBe(false);
      expect(seen.size).toBe(4);
    });

    test.each([undefined, 'Basic x', 'Bearer', 'Bearer wrong', 'Bearer a b'])('401 for %s', async (authorization) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      for (const path of ['/v1/messages', '/v1/conversations/x', '/nothing']) {
        const response = await fetch(target.url + path, { headers });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
        expect(await response.json()).toMatchObject({ type: 'authentication' });
      }
    });

    test.each([
      ['PATCH', '/v1/messages', 'HEAD, GET, POST'],
      ['DELETE', '/v1/conversations', 'HEAD, GET, POST'],
      ['POST', '/v1/messages/x', 'HEAD, GET, PUT, DELETE'],
      ['OPTIONS', '/v1/conversations/x', 'HEAD, GET, PUT, DELETE'],
    ])('405 for %s %s', async (method, path, allow) => {
      const reply = await call(target, method, path);
      expect({ status: reply.status, allow: reply.headers.get('allow') }).toEqual({ status: 405, allow });
    });

    test.each(['/', '/v1', '/v2/messages', '/v1/messages/', '/v1/contacts', '/v1/messages/a/b', '/v1/messages/a%2Fb'])(
      '404 for %s',
      async (path) => {
        expect((await call(target, 'GET', path)).status).toBe(404);
      },
    );

    test.each([
      ['application/json', '{"message":"x"}'],
      ['text/plain', 'message=x'],
      ['multipart/form-data; boundary=x', '--x--'],
      ['application/x-www-form-urlencoded; charset=latin1', 'message=x'],
    ])('415 for %s', async (type, form) => {
      const sent = await sendTo(target, conversationId, 'kept');
      for (const [method, path] of [
        ['POST', '/v1/messages'],
        ['PUT', `/v1/messages/${sent.id}`],
        ['POST', '/v1/conversations'],
      ] as const) {
        expect((await call(target, method, path, { form, headers: { 'content-type': type } })).status).toBe(415);
      }
    });

    test('415 for a compressed body', async () => {
      const headers = { 'content-encoding': 'gzip' };
      expect((await call(target, 'POST', '/v1/messages', { form: 'message=x', headers })).status).toBe(415);
    });

    test.each(['message=%', 'message=%ff', 'message=a&message=b', 'a[b[c]]=1', 'x[a][b][c][d]=1', '=x'])(
      '400 for the form %s',
      async (form) => {
        expect((await call(target, 'POST', '/v1/messages', { form })).status).toBe(400);
      },
    );

    test('unknown parameters are refused everywhere', async () => {
      const sent = await sendTo(target, conversationId, 'x');
      const attempts = [
        call(target, 'GET', `/v1/messages/${sent.id}?x=1`),
        call(target, 'DELETE', `/v1/messages/${sent.id}?x=1`),
        call(target, 'DELETE', `/v1/messages/${sent.id}`, { form: 'x=1' }),
        call(target, 'PUT', `/v1/messages/${sent.id}`, { form: 'x=1' }),
        call(target, 'POST', '/v1/messages?x=1', { form: { conversation_id: conversationId, message: 'x' } }),
      ];
      for (const reply of await Promise.all(attempts)) expect(reply.json).toMatchObject({ param: 'x' });
      expect((await call(target, 'GET', `/v1/messages/${sent.id}`)).status).toBe(200);
    });
  });

  describe('validators', () => {
    test('a GET has a strong ETag and answers 304 to it until something changes', async () => {
      for (const path of ['/v1/conversations', `/v1/messages?conversation_id=${conversationId}`]) {
        const etag = (await call(target, 'GET', path)).headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[\w-]+"$/);
        for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
          const reply = await call(target, 'GET', path, { headers: { 'if-none-match': value } });
          expect({ status: reply.status, text: reply.text, etag: reply.headers.get('etag') }).toEqual({
            status: 304,
            text: '',
            etag,
          });
        }
        second += 1;
        await sendTo(target, conversationId, 'news');
        const changed = await call(target, 'GET', path, { headers: { 'if-none-match': etag } });
        expect(changed.status).toBe(200);
        expect(changed.headers.get('etag')).not.toBe(etag);
      }
    });

    test('writes have none', async () => {
      const reply = await call(target, 'POST', '/v1/messages', {
        form: { conversation_id: conversationId, message: 'x' },
        headers: { 'if-none-match': '*' },
      });
      expect({ status: reply.status, etag: reply.headers.get('etag') }).toEqual({ status: 201, etag: null });
    });
  });

  test('what is created has its address in Location, also when the answer is repeated', async () => {
    const options = {
      form: { conversation_id: conversationId, message: 'x' },
      headers: { 'idempotency-key': 'where' },
    };
    const sent = await call(target, 'POST', '/v1/messages', options);
    const path = sent.headers.get('location') ?? '';
    expect((await call(target, 'GET', path)).json.id).toBe(sent.json.id);
    expect((await call(target, 'POST', '/v1/messages', options)).headers.get('location')).toBe(path);
    const present = await call(target, 'POST', '/v1/conversations', { form: { contact_id: target.contactId } });
    expect({ status: present.status, location: present.headers.get('location') }).toEqual({
      status: 200,
      location: null,
    });
  });

  describe('idempotency keys', () => {
    const send = (message: string, key: string, who: { url: string; token: string } = target) =>
      call(who, 'POST', '/v1/messages', {
        form: { conversation_id: conversationId, message },
        headers: { 'idempotency-key': key },
      });

    test('the same key gets the same answer, and one message is posted', async () => {
      const first = await send('once', 'key-1');
      const again = await send('once', 'key-1');
      expect(again.text).toBe(first.text);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.headers.get('idempotency-key')).toBe('key-1');
      const { json } = await call(target, 'GET', `/v1/messages?conversation_id=${conversationId}&limit=50`);
      expect(json.data.filter((message: { message: string }) => message.message === 'once')).toHaveLength(1);
    });

    test('another body with the same key is refused', async () => {
      await send('one', 'key-2');
      expect((await send('two', 'key-2')).json).toMatchObject({ code: 'idempotency_key_reused' });
      const path = await call(target, 'POST', '/v1/conversations', {
        form: { conversation_id: conversationId, message: 'one' },
        headers: { 'idempotency-key': 'key-2' },
      });
      expect(path.status).toBe(400);
    });

    test('a refusal is not stored', async () => {
      expect((await send(' ', 'key-3')).status).toBe(400);
      expect((await send('now', 'key-3')).status).toBe(201);
    });

    test('a key belongs to its user', async () => {
      await send('mine', 'key-4');
      const other = { url: target.url, token: target.other.token };
      expect((await send('mine', 'key-4', other)).json).toMatchObject({ param: 'conversation_id' });
    });

    test('keys are forgotten after 24 hours', async () => {
      const first = await send('day', 'key-5');
      second += 24 * 60 * 60 - 1;
      expect((await send('day', 'key-5')).json.id).toBe(first.json.id);
      second += 1;
      expect((await send('day', 'key-5')).json.id).not.toBe(first.json.id);
    });

    test('keys work for conversations too', async () => {
      const options = { form: { contact_id: target.silentId }, headers: { 'idempotency-key': 'key-6' } };
      expect((await call(target, 'POST', '/v1/conversations', options)).status).toBe(201);
      expect((await call(target, 'POST', '/v1/conversations', options)).status).toBe(201);
    });
  });
});

describe.skipIf(isForeign)('rate limit', () => {
  test('60 requests may come at once, then 429 with Retry-After is the answer', async () => {
    const target = await openOwnTarget({ rateLimit: 'on' });
    const started = performance.now();
    const replies = await Promise.all(Array.from({ length: 200 }, () => call(target, 'GET', '/v1/conversations')));
    const seconds = (performance.now() - started) / 1000;
    const refused = replies.filter((reply) => reply.status === 429);
    expect(replies.filter((reply) => reply.status === 200).length).toBeGreaterThanOrEqual(60);
    // On a machine that takes long for them, the rate allows more of them.
    expect(refused.length).toBeGreaterThanOrEqual(Math.floor(200 - 61 - 20 * seconds));
    for (const { headers, json } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(json).toMatchObject({ type: 'rate_limit' });
    }
    await target.close();
  });

  test('there is no limit on loopback', async () => {
    const target = await openOwnTarget();
    const replies = await Promise.all(Array.from({ length: 90 }, () => call(target, 'GET', '/v1/conversations')));
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    await target.close();
  });
});
