/** How many connections are open at once, and that callers without a token cannot keep the others out. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type OwnTarget, openOwnTarget } from '../../contract/target.ts';
import { raw } from './raw.ts';

const sockets = new Set<Socket>();
const targets = new Set<OwnTarget>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all([...targets].map((target) => target.close()));
  sockets.clear();
  targets.clear();
});

async function open(options: Parameters<typeof openOwnTarget>[0]): Promise<OwnTarget> {
  const target = await openOwnTarget(options);
  targets.add(target);
  return target;
}

/** A connection that the caller never closes, also when the server has ended its side. */
async function dial({ url }: OwnTarget): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  sockets.add(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const request = ({ url, token }: OwnTarget, connection: 'keep-alive' | 'close', more: readonly string[] = []) =>
  `${['GET /v1/messages HTTP/1.1', `Host: ${new URL(url).host}`, `Authorization: Bearer ${token}`, `Connection: ${connection}`, ...more].join('\r\n')}\r\n\r\n`;

/** Asks on a connection of its own. */
const ask = (target: OwnTarget) => raw(target.url, [request(target, 'close')]);

/** Asks with the token and keeps the connection. */
async function keep(target: OwnTarget): Promise<Socket> {
  const socket = await dial(target);
  socket.write(request(target, 'keep-alive'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  return socket;
}

test('one connection too many gets 503, and is accepted when another is closed', async () => {
  const target = await open({ maximumConnections: 3 });
  const [first] = [await keep(target), await keep(target), await keep(target)];
  const answer = await ask(target);
  expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\n/is);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    type: 'unavailable',
    code: 'too_many_connections',
    request_id: expect.any(String),
  });
  first?.destroy();
  await expect.poll(() => ask(target)).toMatch(/^HTTP\/1\.1 200 /);
});

test('without an option there is room for far more than a hundred', async () => {
  const target = await open({});
  for (let n = 0; n < 250; n += 1) await keep(target);
  expect(await ask(target)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a silent connection is closed for a caller with a token, and does not replace one', async () => {
  const target = await open({ maximumConnections: 3 });
  const known = await keep(target);
  const silent = [await dial(target), await dial(target)];
  await expect.poll(() => ask(target)).toMatch(/^HTTP\/1\.1 200 /);
  for (let n = 0; n < 5; n += 1) silent.push(await dial(target));
  known.write(request(target, 'close'));
  const [answer] = await once(known, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
});

test('silent connections, however many are opened at once, keep a caller with a token out for no longer than a second', async () => {
  const target = await open({ maximumConnections: 2 });
  await Promise.all(Array.from({ length: 110 }, () => dial(target)));
  await setTimeout(1_100);
  expect(await ask(target)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a first request that is held keeps its connection while connections without a token are opened', async () => {
  const target = await open({ maximumConnections: 1 });
  const tag = /^etag: (.*)\r$/im.exec(await ask(target))?.[1] ?? '';
  const holding = [`If-None-Match: ${tag}`, 'Prefer: wait=3'];
  const held = raw(target.url, [request(target, 'close', holding)]);
  const began = performance.now();
  // A connection without a token gives its place up after a second.
  while (performance.now() - began < 2000) {
    await dial(target);
    await setTimeout(300);
  }
  expect(await held).toMatch(/^HTTP\/1\.1 304 /);
});

test('a connection that its caller leaves open after a 408 no longer counts', async () => {
  const target = await open({ maximumConnections: 1, headersTimeoutMs: 500, requestTimeoutMs: 500 });
  const socket = await keep(target);
  socket.write('G');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(() => ask(target)).toMatch(/^HTTP\/1\.1 200 /);
});

test('an Origin after a thousand other headers is read', async () => {
  const target = await open({});
  const many = Array.from({ length: 1500 }, (_, n) => `a${n}:`);
  expect(await raw(target.url, [request(target, 'close', many)])).toMatch(/^HTTP\/1\.1 200 /);
  expect(await raw(target.url, [request(target, 'close', [...many, 'Origin: https://evil.example'])])).toMatch(
    /^HTTP\/1\.1 403 /,
  );
});
