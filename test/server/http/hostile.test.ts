/** Requests that a web page, a confused proxy or an attacker would send (W1). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { type OwnTarget, openOwnTarget } from '../../contract/target.ts';
import { raw } from './raw.ts';

let target: OwnTarget;
let conversationId: string;

beforeAll(async () => {
  target = await openOwnTarget();
  conversationId = await conversationWith(target, { contact_id: target.contactId });
});
afterAll(() => target.close());

interface Asked {
  readonly to?: OwnTarget;
  readonly host?: string;
}

const head = (line: string, more: readonly string[] = [], { to = target, host = new URL(to.url).host }: Asked = {}) =>
  `${[`${line} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${to.token}`, 'Connection: close', ...more].join('\r\n')}\r\n\r\n`;
const statusOf = (answer: string) => Number(answer.split(' ')[1]);
const count = async () => (await call(target, 'GET', '/v1/messages?limit=100')).json.data.length;

describe('the host that is named', () => {
  test.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1:1',
    'localhost:',
    '127.0.0.1:PORT.evil.example',
    '127.0.0.1.evil.example:PORT',
    '',
  ])('Host %j is refused', async (host) => {
    const answer = await raw(target.url, [
      head('GET /v1/messages', [], { host: host.replace('PORT', new URL(target.url).port) }),
    ]);
    expect([400, 403]).toContain(statusOf(answer));
    expect(answer).toMatch(/request-id: /i);
  });

  test('a request without Host and one with two of them are refused in the form of all errors', async () => {
    const { host } = new URL(target.url);
    for (const hosts of ['', `Host: ${host}\r\nHost: ${host}\r\n`]) {
      const answer = await raw(target.url, [`GET /v1/messages HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`]);
      expect(statusOf(answer)).toBe(400);
      expect(answer).toMatch(/request-id: /i);
      expect(answer).toContain('"code":"request_invalid"');
    }
  });

  test('an unknown expectation is ignored (RFC 9110 §10.1.1)', async () => {
    expect(statusOf(await raw(target.url, [head('GET /v1/messages', ['Expect: foo'])]))).toBe(200);
  });

  test('a body that is not UTF-8 is refused, and nothing of it is replaced', async () => {
    const before = await count();
    const body = Buffer.concat([Buffer.from(`conversation_id=${conversationId}&message=`), Buffer.from([0xff, 0xfe])]);
    const form = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
    const answer = await raw(target.url, [head('POST /v1/messages', form), body]);
    expect(statusOf(answer)).toBe(400);
    expect(await count()).toBe(before);
  });

  test.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])('Host %s with the own port is accepted', async (name) => {
    const answer = await raw(target.url, [
      head('GET /v1/messages', [], { host: `${name}:${new URL(target.url).port}` }),
    ]);
    expect(statusOf(answer)).toBe(200);
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])(
    'Host %s without a port is accepted, as a proxy sends it',
    async (name) => {
      expect(statusOf(await raw(target.url, [head('GET /v1/messages', [], { host: name })]))).toBe(200);
    },
  );

  test('a target in absolute form is accepted, and its host counts in place of the Host header (RFC 9112 §3.2.2)', async () => {
    const { host } = new URL(target.url);
    const list = await raw(target.url, [
      head(`GET http://${host}/v1/messages?limit=1`, [], { host: 'elsewhere.example' }),
    ]);
    expect(statusOf(list)).toBe(200);
    expect(list).toContain('"data":[');
    for (const other of ['evil.example', `${host}@evil.example`])
      expect([400, 403]).toContain(statusOf(await raw(target.url, [head(`GET http://${other}/v1/messages`)])));
  });

  test('Allow lists all methods that are answered, HEAD too', async () => {
    const answer = await raw(target.url, [head('PATCH /v1/messages')]);
    expect(statusOf(answer)).toBe(405);
    expect(answer).toMatch(/^allow: HEAD, GET, POST\r$/im);
  });

  // macOS has no loopback address but 127.0.0.1.
  test.skipIf(process.platform === 'darwin')(
    'the own address is accepted, whichever loopback address it is',
    async () => {
      const own = await openOwnTarget({ host: '127.0.0.2' });
      onTestFinished(() => own.close());
      expect((await call(own, 'GET', '/v1/messages')).status).toBe(200);
    },
  );

  test.each(['https://evil.example', 'null', 'http://127.0.0.1'])(
    'Origin %s is refused, for reads too',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await raw(target.url, [head(`${method} /v1/messages`, [`Origin: ${origin}`])]);
        expect(statusOf(answer)).toBe(403);
        expect(answer).not.toMatch(/access-control/i);
      }
    },
  );
});

describe('the path and the body', () => {
  test.each([
    '/v1/messages/..',
    '/v1/messages/.',
    '/v1/messages/%2e%2e',
    '/v1/messages/%2E.',
    '/v1/x/../messages',
    '/v1\\..\\messages',
    'http://127.0.0.1/v1/x/../messages',
    '*',
  ])('the path %s is refused', async (path) => {
    for (const method of ['GET', 'DELETE']) {
      expect(statusOf(await raw(target.url, [head(`${method} ${path}`)]))).toBe(400);
    }
  });

  test.each(['%00', '%2F', '%25', '%', 'a%20b', '%C3%A9', 'x'.repeat(65), '__proto__', '-1', "'"])(
    'the id %s is not found',
    async (id) => {
      expect(statusOf(await raw(target.url, [head(`DELETE /v1/messages/${id}`)]))).toBe(404);
    },
  );

  test('an id in a parameter is only compared', async () => {
    for (const id of ["' OR 1=1 --", '..', '\u001b[2J', '%']) {
      const reply = await call(target, 'GET', `/v1/messages?conversation_id=${encodeURIComponent(id)}`);
      expect(reply.status).toBe(404);
    }
  });

  test('a message that the request smuggles in a second body is not posted', async () => {
    const before = await count();
    const answer = await raw(target.url, [
      head('POST /v1/messages', [
        'Content-Length: 3',
        'Transfer-Encoding: chunked',
        'Content-Type: application/x-www-form-urlencoded',
      ]),
      '0\r\n\r\n',
    ]);
    expect(statusOf(answer)).toBe(400);
    expect(await count()).toBe(before);
  });

  test('pipelined requests are answered in order', async () => {
    const keep = head('GET /v1/conversations').replace('Connection: close', 'Connection: keep-alive');
    const answer = await raw(target.url, [keep, keep, head('GET /v1/messages?limit=0')]);
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '200', '400']);
  });
});

describe('the size and the speed of a request', () => {
  const form = 'Content-Type: application/x-www-form-urlencoded';

  test('a body that announces a length beyond the limit is refused before it is sent', async () => {
    const answer = await raw(target.url, [head('POST /v1/messages', [form, 'Content-Length: 104857600'])], /\r\n\r\n/);
    expect(statusOf(answer)).toBe(413);
  });

  test('a body without an announced length is cut off at the limit', async () => {
    const before = await count();
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const answer = await raw(
      target.url,
      [head('POST /v1/messages', [form, 'Transfer-Encoding: chunked']), ...Array.from({ length: 40 }, () => chunk)],
      /\r\n\r\n/,
    );
    expect(statusOf(answer)).toBe(413);
    expect(await count()).toBe(before);
  });

  test('exactly 256 KiB are still read', async () => {
    const body = (size: number) => `conversation_id=${conversationId}&message=x&`.padEnd(size, '&');
    expect((await call(target, 'POST', '/v1/messages', { form: body(256 * 1024) })).status).toBe(201);
    expect((await call(target, 'POST', '/v1/messages', { form: body(256 * 1024 + 1) })).status).toBe(413);
  });

  test('more than 1,000 parameters are refused', async () => {
    const many = Array.from({ length: 1001 }, (_, n) => `p${n}=1`).join('&');
    const reply = await call(target, 'POST', '/v1/messages', { form: many });
    expect(reply.json).toMatchObject({ type: 'invalid_request', message: expect.stringContaining('1000') });
  });

  test('headers beyond 16 KiB are refused with the shape of every error', async () => {
    const answer = await raw(target.url, [head('GET /v1/messages', [`X-Big: ${'x'.repeat(20_000)}`])]);
    expect(statusOf(answer)).toBe(431);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      request_id: expect.any(String),
      param: null,
    });
  });

  /** The other tests must not be refused on a machine that is slow itself. */
  const openHasty = async (): Promise<OwnTarget> => {
    const hasty = await openOwnTarget({ headersTimeoutMs: 500, requestTimeoutMs: 500 });
    onTestFinished(() => hasty.close());
    return hasty;
  };

  test('headers that never end are given up after a while', async () => {
    const { url } = await openHasty();
    expect(statusOf(await raw(url, ['GET /v1/messages HTTP/1.1\r\nHost: x\r\n']))).toBe(408);
  });

  test('a body that never ends is given up after a while', async () => {
    const hasty = await openHasty();
    const id = await conversationWith(hasty, { contact_id: hasty.contactId });
    const body = `conversation_id=${id}&message=x`;
    await raw(hasty.url, [head('POST /v1/messages', [form, 'Content-Length: 100'], { to: hasty }), body]);
    await expect.poll(async () => (await call(hasty, 'GET', '/v1/messages')).json.data).toEqual([]);
  });

  test('no refusal contains a stack trace or a path of ours', async () => {
    const answers = await Promise.all([
      call(target, 'GET', '/v1/messages?limit=%ff'),
      call(target, 'PUT', '/v1/messages/x', { form: 'a[' }),
      call(target, 'GET', `/${'a'.repeat(5000)}`),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(500);
      expect(text).not.toMatch(/\.ts|\.mjs|at \w+ \(|node_modules/);
    }
  });
});

test('an internal error is answered with a 500 without details, and the next request works', async () => {
  const failures: unknown[] = [];
  let isBroken = false;
  const own = await openOwnTarget({
    now: () => {
      if (isBroken) throw new Error('secret detail');
      return 1_800_000_000;
    },
    onFailure: (error) => failures.push(error),
  });
  const id = await conversationWith(own, { contact_id: own.contactId });
  isBroken = true;
  const reply = await call(own, 'POST', '/v1/messages', { form: { conversation_id: id, message: 'x' } });
  expect(reply.status).toBe(500);
  expect(reply.text).not.toContain('secret');
  expect(reply.json.request_id).toBe(reply.headers.get('request-id'));
  expect(failures).toHaveLength(1);
  isBroken = false;
  expect((await sendTo(own, id, 'x')).message).toBe('x');
  expect((await call(own, 'GET', '/v1/messages')).json.data).toHaveLength(1);
  await own.close();
});
