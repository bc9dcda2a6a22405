/** Every row of the classification of writes, provoked over real sockets. */

import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import type { ApiErrorKind, WriteOutcome } from '../../../src/api/errors.ts';
import { failureError } from '../../../src/api/http/failure.ts';
import { type Limits, WireFailure } from '../../../src/api/http/transport.ts';
import type { Client } from '../../../src/api/operations.ts';
import { factsOf } from '../../support/builders/api-errors.ts';
import { httpServer, rawServer, type WireServer } from '../../support/servers/wire-server.ts';

const token = 'tok-canary-Zx81';
const open: (WireServer | Client)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

function clientOf(server: WireServer | string, limits: Partial<Limits> = {}): Client {
  const client = createClient({ baseUrl: typeof server === 'string' ? server : server.url, token, limits });
  open.push(client);
  if (typeof server !== 'string') open.push(server);
  return client;
}

const send = (client: Client, signal?: AbortSignal) =>
  client.sendMessage(
    { conversationId: 'c', message: 'secret words', idempotencyKey: 'k' },
    signal === undefined ? {} : { signal },
  );

const statuses: readonly (readonly [number, ApiErrorKind, WriteOutcome])[] = [
  [301, 'redirect', 'not-applied'],
  [302, 'redirect', 'ambiguous'],
  [303, 'redirect', 'ambiguous'],
  [307, 'redirect', 'not-applied'],
  [308, 'redirect', 'not-applied'],
  [400, 'invalid', 'rejected'],
  [401, 'unauthorized', 'not-applied'],
  [403, 'forbidden', 'not-applied'],
  [404, 'not-found', 'rejected'],
  [405, 'invalid', 'rejected'],
  [408, 'timeout', 'ambiguous'],
  [409, 'invalid', 'ambiguous'],
  [410, 'not-found', 'rejected'],
  [413, 'too-large', 'rejected'],
  [414, 'invalid', 'rejected'],
  [415, 'invalid', 'rejected'],
  [422, 'invalid', 'rejected'],
  [425, 'server', 'ambiguous'],
  [429, 'rate-limited', 'not-applied'],
  [431, 'invalid', 'rejected'],
  [500, 'server', 'ambiguous'],
  [502, 'server', 'ambiguous'],
  [503, 'server', 'ambiguous'],
  [504, 'server', 'ambiguous'],
  [520, 'server', 'ambiguous'],
  [599, 'server', 'ambiguous'],
];

describe('statuses', () => {
  test.each(statuses)('%i is %s, %s', async (status, kind, outcome) => {
    const server = await httpServer((_request, response) => {
      response.writeHead(status, { location: 'https://moved.example/x?token=1' }).end('{"message":"because"}');
    });
    const facts = await factsOf(send(clientOf(server)));
    expect(facts).toMatchObject({ kind, outcome, status });
    expect(facts.message).toContain(kind === 'redirect' ? 'https://moved.example/x' : 'because');
    expect(facts.message).not.toContain('token=1');
    expect(server.seen).toHaveLength(1);
  });

  test('a refusal whose body breaks off is still a refusal', async () => {
    const server = await rawServer((socket) => {
      socket.end('HTTP/1.1 422 no\r\ncontent-length: 100\r\n\r\n{"mess');
    });
    expect(await factsOf(send(clientOf(server)))).toMatchObject({ kind: 'invalid', outcome: 'rejected', status: 422 });
  });
});

test.each([
  ['a connection that is closed', (socket: Socket) => void socket.destroy(), 'the connection was broken off'],
  [
    'an answer that is not HTTP',
    (socket: Socket) => void socket.end('SSH-2.0-OpenSSH\r\n'),
    'the answer is not HTTP: Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)',
  ],
  [
    'a header without an end',
    (socket: Socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}\r\n\r\n{}`),
    'the header of the answer is longer than is read',
  ],
  [
    'an answer that breaks off',
    (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"da'),
    'the server said OK (200), but its answer is incomplete: the connection was broken off',
  ],
])('%s is reported in words, without the code of a library', async (_, answer, text) => {
  const facts = await factsOf(send(clientOf(await rawServer(answer))));
  expect(facts.message).toBe(text);
  expect(facts.code).toMatch(/^(UND_ERR|HPE)_/);
});

describe('without a connection, a write counts as not applied', () => {
  test('when no program listens at the port', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    await new Promise((done) => server.close(done));
    const facts = await factsOf(send(clientOf(`http://127.0.0.1:${port}`)));
    expect(facts).toMatchObject({ kind: 'network', outcome: 'not-applied', code: 'ECONNREFUSED', status: 0 });
    expect(facts.message).toBe('nothing listens at the address of the server');
  });

  test('a process that may open no more files gets an error in words', () => {
    const thrown = Object.assign(new Error('connect EMFILE 127.0.0.1:443'), { code: 'EMFILE' });
    const { facts } = failureError('GET /v1/conversations', thrown, (text) => text);
    expect(facts.message).toBe('no more files can be opened; raise the limit with ulimit -n');
  });

  test.each([
    [false, 'the connection is not secure, nothing was sent: ERR_SSL_ALERT certificate required'],
    [true, 'the connection is not secure: ERR_SSL_ALERT certificate required'],
  ])(
    'an alert of TLS, on a connection that was established: %s, says whether anything was sent',
    (wasConnected, text) => {
      const cause = Object.assign(new Error('certificate required'), { code: 'ERR_SSL_ALERT' });
      const { facts } = failureError('GET /v1/messages', new WireFailure(cause, wasConnected), (all) => all);
      expect([facts.message, facts.outcome]).toEqual([text, wasConnected ? 'ambiguous' : 'not-applied']);
    },
  );

  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'set NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'set NODE_EXTRA_CA_CERTS'],
    ['CERT_HAS_EXPIRED', 'has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name than that in the address'],
  ])('a certificate that is refused (%s) gets an error in words, with the code', (code, words) => {
    const cause = Object.assign(new Error('words of OpenSSL'), { code });
    const { kind, message } = failureError('GET /v1/messages', new WireFailure(cause, false), (all) => all).facts;
    expect(kind).toBe('tls');
    expect(message).toContain(words);
    expect(message).toMatch(new RegExp(`^the connection is not secure, nothing was sent: .* \\(${code}\\)$`));
  });

  test('a server without TLS at an https address', async () => {
    const server = await httpServer((_request, response) => response.end());
    open.push(server);
    const facts = await factsOf(send(clientOf(server.url.replace('http:', 'https:'))));
    expect(facts).toMatchObject({ kind: 'tls', outcome: 'not-applied' });
    expect(facts.message).toBe('the server does not use TLS at this port; its address may begin with http://');
  });

  test('when the host name is unknown', async () => {
    expect(await factsOf(send(clientOf('https://no-such-host.invalid')))).toMatchObject({
      kind: 'network',
      outcome: 'not-applied',
    });
  });

  test('when TLS is never established', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    const client = clientOf(`https://127.0.0.1:${port}`, { connectMs: 200 });
    expect(await factsOf(send(client))).toMatchObject({ kind: 'timeout', outcome: 'not-applied' });
    silent.close();
  });

  test('when the request is cancelled before it begins', async () => {
    const server = await httpServer((_request, response) => response.end());
    const facts = await factsOf(send(clientOf(server), AbortSignal.abort()));
    expect(facts).toMatchObject({ kind: 'aborted', outcome: 'not-applied' });
    expect(server.seen).toEqual([]);
  });
});

describe('after a connection breaks, a write may have been applied', () => {
  const head = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n';
  test.each([
    ['a reset', null, 'network'],
    ['closed without a word', '', 'network'],
    ['half a status line', 'HTTP/1.1 20', 'network'],
    ['not HTTP', 'SSH-2.0-OpenSSH\r\n', 'not-api'],
    ['endless header', `${head}x: ${'a'.repeat(40_000)}`, 'not-api'],
    ['cut body', `${head}content-length: 99\r\n\r\n{"id":`, 'network'],
    ['cut chunk', `${head}transfer-encoding: chunked\r\n\r\n50\r\n{"id"`, 'network'],
    ['short body, no length', `${head}\r\n{"id":"m1"`, 'not-api'],
    ['broken gzip', `${head}content-encoding: gzip\r\n\r\nnope`, 'not-api'],
    ['unknown encoding', `${head}content-encoding: zstd\r\n\r\nnope`, 'not-api'],
    ['two encodings', `${head}content-encoding: gzip, gzip\r\n\r\nx`, 'not-api'],
    ['an upgrade', 'HTTP/1.1 101 x\r\nupgrade: y\r\nconnection: upgrade\r\n\r\n', 'network'],
  ] as const)('%s', async (_name, answer, kind) => {
    const server = await rawServer((socket) => {
      if (answer === null) socket.resetAndDestroy();
      else socket.end(answer);
    });
    const facts = await factsOf(send(clientOf(server)));
    expect(facts).toMatchObject({ kind, outcome: 'ambiguous' });
    expect(facts.message).not.toContain(token);
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ['a whole one', 'content-length: 2\r\n\r\n{}', null],
    ['a cut one', 'content-length: 99\r\n\r\n{', expect.any(String)],
  ])('the error of a 500 tells %s from the other', async (_name, rest, code) => {
    const server = await rawServer((socket) => void socket.end(`HTTP/1.1 500 x\r\n${rest}`));
    expect(await factsOf(send(clientOf(server)))).toMatchObject({ status: 500, outcome: 'ambiguous', code });
  });

  test('when the request is cancelled, or the client closed, during the wait', async () => {
    const controller = new AbortController();
    const server = await rawServer(() => controller.abort());
    expect(await factsOf(send(clientOf(server), controller.signal))).toMatchObject({
      kind: 'aborted',
      outcome: 'ambiguous',
    });
    let begun = (): void => {};
    const waiting = new Promise<void>((done) => {
      begun = done;
    });
    const client = clientOf(await rawServer(() => begun()));
    const facts = factsOf(send(client));
    await waiting;
    await client.close();
    expect(await facts).toMatchObject({ kind: 'aborted', outcome: 'ambiguous' });
  });
});

describe('time limits', () => {
  test('a request that is cancelled while connecting ends at once, and nothing was sent', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    const controller = new AbortController();
    silent.once('connection', () => controller.abort());
    const client = clientOf(`https://127.0.0.1:${port}`);
    expect(await factsOf(send(client, controller.signal))).toMatchObject({ kind: 'aborted', outcome: 'not-applied' });
    silent.close();
  });

  const brief = { wholeMs: 1_000, wholePostMs: 1_000, idleMs: 900 };
  const impatient = { wholeMs: 20_000, wholePostMs: 20_000, idleMs: 150 };
  const drip = (start: string, piece: string) =>
    rawServer((socket) => {
      socket.write(start);
      const timer = setInterval(() => socket.write(piece), 40);
      socket.on('close', () => clearInterval(timer));
    });

  test.each([
    ['a head that drips', 'HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'],
    ['endless 1xx', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['a body that drips', 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', ' '],
    ['endless chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\n \r\n'],
  ])('%s ends at the deadline', async (_name, start, piece) => {
    const facts = await factsOf(send(clientOf(await drip(start, piece), brief)));
    expect(facts).toMatchObject({ kind: 'timeout', outcome: 'ambiguous', code: 'DEADLINE' });
    expect(facts.message).not.toContain('DEADLINE');
  });

  test('silence ends a read, and so does a body that stalls', async () => {
    const silent = clientOf(await rawServer(() => {}), impatient);
    expect(await factsOf(silent.retrieveMessage('m'))).toMatchObject({ kind: 'timeout', code: 'IDLE' });
    const stalled = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{');
    });
    expect(await factsOf(send(clientOf(stalled, impatient)))).toMatchObject({
      kind: 'timeout',
      code: 'IDLE',
      outcome: 'ambiguous',
    });
  });

  test('a slow answer to a send is waited for longer than to a read', async () => {
    const server = await httpServer((_request, response) => {
      setTimeout(() => response.end('{"id":"m","conversation_id":"c","message":"secret words"}'), 300);
    });
    const client = clientOf(server, { wholeMs: 200, wholePostMs: 5000, idleMs: 100 });
    expect((await send(client)).value.id).toBe('m');
    expect((await factsOf(client.retrieveMessage('m'))).kind).toBe('timeout');
  });
});
