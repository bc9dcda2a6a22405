/** Connections that are broken by a "100 Continue" for which nobody asked, or that have died unseen; many requests at once. */
import type { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { Client } from '../../../src/api/operations.ts';
import { httpServer, rawServer } from '../../support/servers/wire-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const body = JSON.stringify({ id: 'm1', conversation_id: 'c', message: 'HTTP/1.1 100 words' });
const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const unasked = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Every request is answered on its connection by `pieces`, a turn of the loop apart. */
async function clientOf(pieces: readonly string[]): Promise<Client> {
  const reply = async (socket: Socket): Promise<void> => {
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((done) => setTimeout(done, 2));
    }
  };
  const server = await rawServer((socket: Socket) => {
    socket.setNoDelay(true).on('data', () => void reply(socket));
    void reply(socket);
  });
  const client = createClient({ baseUrl: server.url, token: 'token-of-a-test' });
  open.push(client, server);
  return client;
}

test.each([
  ['before the answer', [unasked, answer]],
  ['together with the answer', [unasked + answer]],
])('a 100 that comes %s breaks the connection; a message that was sent on it may have arrived', async (_, pieces) => {
  const client = await clientOf(pieces);
  const sent = { conversationId: 'c', message: 'HTTP/1.1 100 words', idempotencyKey: 'k' };
  const problem: unknown = await client.sendMessage(sent).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(ApiError);
  expect((problem as ApiError).facts).toMatchObject({ outcome: 'ambiguous' });
});

test.each([
  ['before', ''],
  ['within', body.slice(0, 10)],
])(
  'after a silence %s an answer, requests leave on new connections and not on idle ones that may be dead as well',
  async (_, begun) => {
    /** Connections from before the change of network. */
    const dead = new Set<number | undefined>();
    const server = await httpServer((_, response, { port }) => {
      if (!dead.has(port)) response.end(body);
      else if (begun !== '') response.writeHead(200, { 'content-length': body.length }).write(begun);
    });
    const client = createClient({ baseUrl: server.url, token: 'token-of-a-test', limits: { idleMs: 300 } });
    open.push(client, server);
    const read = () => client.retrieveMessage('m1');
    await Promise.all([read(), read(), read()]);
    for (const { port } of server.seen) dead.add(port);
    expect(dead.size).toBe(3);
    await expect(read()).rejects.toThrow('silent');
    expect((await read()).value.id).toBe('m1');
  },
);

test('many requests at once print no warning of Node, which would stand on the screen', async () => {
  const server = await httpServer((_, response) => {
    setTimeout(() => response.end(body), 50);
  });
  const client = createClient({ baseUrl: server.url, token: 'token-of-a-test' });
  open.push(client, server);
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 12 }, () => client.retrieveMessage('m1', { signal })));
  const warnings = warn.mock.calls.map(([warning]) => String(warning));
  warn.mockRestore();
  expect(warnings).toEqual([]);
});
