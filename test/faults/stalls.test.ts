/** Servers that never come to an end (suite TP8, S3): every call ends at its time, and takes no more than its share of memory. */
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { factsOf } from '../support/builders/api-errors.ts';
import { rawServer } from '../support/servers/wire-server.ts';

const limits = { connectMs: 300, wholeMs: 400, wholePostMs: 400, idleMs: 150 };

/** Says it again and again, faster than silence is noticed. */
const drip = (socket: Socket, start: string, part: string): void => {
  socket.write(start);
  const timer = setInterval(() => socket.write(part), 20);
  socket.on('close', () => clearInterval(timer));
};

const stalls: Readonly<Record<string, (socket: Socket) => void>> = {
  silence: () => undefined,
  'a status line, letter by letter': (socket) => drip(socket, 'HTTP/1.1 200 O', 'K'),
  'headers, one by one': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'),
  'one header, letter by letter': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'y'),
  '1xx answers, one after the other': (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'a body, letter by letter': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n{', ' '),
  'chunks, one by one': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\n \r\n'),
  'a body of unknown length': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n{', ' '),
  'half a body, then nothing': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{'),
};

test.each(Object.entries(stalls))('requests end in time where the answer is: %s', async (_, stall) => {
  const server = await rawServer(stall);
  const client = createClient({ baseUrl: server.url, token: 'token-of-a-test', limits });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const began = performance.now();
  const facts = await Promise.all([
    factsOf(client.retrieveMessage('m1')),
    factsOf(client.sendMessage({ conversationId: 'c', message: 'words', idempotencyKey: 'k' })),
    factsOf(client.updateMessage('m1', { message: 'words' })),
  ]);
  for (const { outcome, kind } of facts)
    expect([outcome, kind === 'timeout' || kind === 'not-api']).toEqual(['ambiguous', true]);
  // Far above the limits, for a busy machine: without them no call would ever end.
  expect(performance.now() - began).toBeLessThan(20_000);
});
