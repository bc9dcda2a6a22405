/** What is reported of requests: where they go, how large they are, and no content. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { type SentRequest, shownPath } from '../../../src/api/http/sent-request.ts';

async function clientOf(answer: ((response: ServerResponse) => void) | null) {
  const server = createServer((_request, response) => answer?.(response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((done) => server.close(done));
  if (answer === null) await close();
  else onTestFinished(() => void close());
  const requests: SentRequest[] = [];
  const onRequest = (request: SentRequest): void => void requests.push(request);
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'a-token-of-mine', onRequest });
  onTestFinished(() => client.close());
  return { client, requests, host: `127.0.0.1:${port}` };
}

test('the bytes of an answer are counted as received, before decompression', async () => {
  const body = gzipSync(JSON.stringify({ data: [], padding: 'x'.repeat(50_000) }));
  const { client, requests, host } = await clientOf((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end(body),
  );
  await client.listConversations({ limit: 5, cursor: { kind: 'query', parameters: { after: 'hidden' } } });
  expect(requests).toEqual([
    {
      at: expect.any(Number),
      method: 'GET',
      host,
      path: '/v1/conversations?limit=5&after=…',
      status: 200,
      problem: null,
      sent: 0,
      received: body.length,
      durationMs: expect.any(Number),
      reason: 'conversation list, next page',
    },
  ]);
});

test('a request without an answer is reported too; what did not leave has no size', async () => {
  const refused = await clientOf(null);
  const message = { conversationId: 'c1', message: 'hello', idempotencyKey: 'k' };
  await expect(refused.client.sendMessage(message)).rejects.toThrow();
  expect(refused.requests).toMatchObject([
    { method: 'POST', status: null, problem: 'ECONNREFUSED', sent: 0, reason: 'send' },
  ]);
  const broken = await clientOf((response) => response.destroy());
  await expect(broken.client.sendMessage(message)).rejects.toThrow();
  expect(broken.requests).toMatchObject([
    { status: null, sent: 'conversation_id=c1&message=hello'.length, received: 0 },
  ]);
  await broken.client.listMessages({ conversationId: 'c1' }).catch(() => undefined);
  expect(broken.requests[1]).toMatchObject({ path: '/v1/messages?conversation_id=c1', reason: 'newest messages' });
  const before = broken.requests.length;
  await broken.client.listMessages({ conversationId: 'c1' }, { signal: AbortSignal.abort() }).catch(() => undefined);
  expect(broken.requests).toHaveLength(before);
});

test('the path is reported with its ids, and with no other words of the address', () => {
  const path = (text: string) => shownPath(new URL(text, 'https://chat.example'));
  expect(path('/v1/messages/a%2Fb')).toBe('/v1/messages/a%2Fb');
  expect(path('/v1/messages?conversation_id=a&q=my%20words&limit=2')).toBe(
    '/v1/messages?conversation_id=a&q=…&limit=2',
  );
  expect(path(`/v1/messages/${'x'.repeat(5_000)}`)).toHaveLength(1_001);
});

test('an id that holds the token is reported without it', async () => {
  const { client, requests } = await clientOf((response) => response.writeHead(404).end());
  await expect(client.retrieveMessage('m 1 a-token-of-mine')).rejects.toThrow('404');
  await expect(client.listMessages({ conversationId: 'a-token-of-mine' })).rejects.toThrow('404');
  expect(requests.map(({ path }) => path)).toEqual([
    '/v1/messages/m%201%20[token]',
    '/v1/messages?conversation_id=[token]',
  ]);
});
