/** Servers and proxies that say "100 Continue" although nobody asked. */
import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Client } from '../../src/api/operations.ts';
import { rawServer } from '../support/wire-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const body = JSON.stringify({ id: 'm1', conversation_id: 'c', message: 'HTTP/1.1 100 words' });
const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const unasked = 'HTTP/1.1 100 Continue\r\n\r\n';

const cut = (text: string, length: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));

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
  ['apart', [unasked, answer]],
  ['with the answer', [unasked + answer]],
  ['twice, with headers', ['HTTP/1.1 100 Continue\r\nx: y\r\n\r\n', unasked + answer]],
  ['in pieces', [...cut(unasked, 5), ...cut(answer, 40)]],
  ['not at all', [answer]],
  ['not at all, in pieces', cut(answer, 7)],
])('a 100 that comes %s is passed over', async (_, pieces) => {
  const client = await clientOf(pieces);
  for (let round = 0; round < 3; round += 1)
    expect((await client.retrieveMessage('m1')).value.text).toBe('HTTP/1.1 100 words');
  const sent = { conversationId: 'c', message: 'HTTP/1.1 100 words', idempotencyKey: 'k' };
  expect((await client.sendMessage(sent)).value.id).toBe('m1');
});

test('an answer of megabytes comes whole', { timeout: 10_000 }, async () => {
  const text = 'x'.repeat(900_000);
  const long = JSON.stringify({ id: 'm1', conversation_id: 'c', message: text, more: text.repeat(4) });
  const client = await clientOf([`HTTP/1.1 200 OK\r\ncontent-length: ${long.length}\r\n\r\n${long}`]);
  for (let round = 0; round < 3; round += 1)
    expect((await client.retrieveMessage('m1')).value.text.length).toBe(900_000);
});
