/** What the server reports to its operator: metrics, readiness and one line for each request. */
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openAdminAddress } from '../../../src/server/http/monitoring/admin-address.ts';
import { createMetrics, type Gauges } from '../../../src/server/http/monitoring/metrics.ts';
import { type AnsweredRequest, observeRequests } from '../../../src/server/http/monitoring/observe-requests.ts';
import { createReadiness } from '../../../src/server/http/monitoring/readiness.ts';
import { requestLine } from '../../../src/server/http/monitoring/request-log.ts';
import { metricsText } from '../../../src/server/http/monitoring/text-format.ts';
import { stopListening } from '../../../src/server/http/stop.ts';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { openOwnTarget } from '../../contract/target.ts';

const gauges: Gauges = { connections: () => 2, requestsInProgress: () => 1, requestsWaiting: () => 0 };
const request: AnsweredRequest = {
  requestId: 'r-1',
  method: 'GET',
  route: '/v1/messages',
  operation: 'listMessages',
  status: 200,
  seconds: 0.004,
  bytes: 120,
};

/** The samples of a text of Prometheus by name and labels; fails on a line that is none. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.slice(0, -1).split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (name !== undefined) types.set(name, type ?? '');
    if (line.startsWith('#')) continue;
    const sample = /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\.)*",?)*)\})? ([0-9.e+-]+|\+Inf)$/.exec(line);
    expect(sample, line).not.toBeNull();
    const own = sample?.[1] ?? '';
    expect(types.has(own) || types.get(own.replace(/_(bucket|sum|count)$/, '')) === 'histogram', line).toBe(true);
    samples.set(line.slice(0, line.lastIndexOf(' ')), Number(sample?.[3]));
  }
  return samples;
}

describe('metrics', () => {
  test('count requests by operation and status, and their durations in buckets that include the smaller ones', () => {
    const metrics = createMetrics('1.2.3');
    metrics.answered(request);
    metrics.answered({ ...request, seconds: 0.2 });
    metrics.answered({ ...request, status: 304, seconds: 90 });
    metrics.answered({ ...request, route: null, operation: null, status: null });
    metrics.databaseError('unavailable');
    const samples = samplesOf(metrics.text(gauges));
    expect(samples.get('msg_tui_requests_total{operation="listMessages",status="200"}')).toBe(2);
    expect(samples.get('msg_tui_requests_total{operation="listMessages",status="304"}')).toBe(1);
    expect(samples.get('msg_tui_requests_total{operation="none",status="none"}')).toBe(1);
    const bucket = (le: string) =>
      samples.get(`msg_tui_request_duration_seconds_bucket{operation="listMessages",le="${le}"}`);
    expect([bucket('0.0025'), bucket('0.005'), bucket('0.25'), bucket('60'), bucket('+Inf')]).toEqual([0, 1, 2, 2, 3]);
    expect(samples.get('msg_tui_request_duration_seconds_count{operation="listMessages"}')).toBe(3);
    expect(samples.get('msg_tui_request_duration_seconds_sum{operation="listMessages"}')).toBeCloseTo(90.204);
    expect(samples.get('msg_tui_database_errors_total{kind="unavailable"}')).toBe(1);
    expect(samples.get('msg_tui_database_errors_total{kind="failure"}')).toBe(0);
    expect(samples.get('msg_tui_connections')).toBe(2);
    expect(samples.get('msg_tui_build_info{version="1.2.3"}')).toBe(1);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  test('escape characters in labels', () => {
    const text = metricsText([
      {
        name: 'm',
        type: 'gauge',
        help: 'H.',
        samples: [{ labels: { a: 'x"y\\z\n' }, value: Number.POSITIVE_INFINITY }],
      },
    ]);
    expect(text).toBe('# HELP m H.\n# TYPE m gauge\nm{a="x\\"y\\\\z\\n"} +Inf\n');
  });
});

test('what is counted and logged of a request has no content, no token, no query and no id of a resource', async () => {
  const seen: AnsweredRequest[] = [];
  const target = await openOwnTarget({ onAnswered: (answered) => void seen.push(answered) });
  const id = await conversationWith(target, { contact_id: target.contactId });
  const sent = await sendTo(target, id, 'secret words');
  const read = await call(target, 'GET', `/v1/messages?conversation_id=${id}&limit=1`);
  const head = await call(target, 'HEAD', `/v1/messages?conversation_id=${id}&limit=1`);
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(read.text)));
  const etag = { 'if-none-match': read.headers.get('etag') ?? '' };
  await call(target, 'GET', `/v1/messages?conversation_id=${id}&limit=1`, { headers: etag });
  await call(target, 'PATCH', `/v1/messages/${sent.id}`);
  await call(target, 'GET', `/v1/${target.token}`);
  await target.close();
  expect(seen.map(({ method, route, operation, status }) => [method, route, operation, status])).toEqual([
    ['POST', '/v1/conversations', 'createConversation', 201],
    ['POST', '/v1/messages', 'sendMessage', 201],
    ['GET', '/v1/messages', 'listMessages', 200],
    ['HEAD', '/v1/messages', 'listMessages', 200],
    ['GET', '/v1/messages', 'listMessages', 304],
    ['PATCH', '/v1/messages/:id', null, 405],
    ['GET', null, null, 404],
  ]);
  expect(seen[2]).toMatchObject({ requestId: read.headers.get('request-id'), bytes: read.text.length });
  expect([seen[3]?.bytes, seen[4]?.bytes]).toEqual([0, 0]);
  const metrics = createMetrics('1');
  for (const answered of seen) metrics.answered(answered);
  const written = metrics.text(gauges) + seen.map((answered) => requestLine(answered, 0)).join('\n');
  for (const secret of ['secret words', target.token, id, sent.id, target.contactId, 'ann', 'bob', 'limit'])
    expect(written).not.toContain(secret);
  expect(JSON.parse(requestLine({ ...request, seconds: 0.0012345 }, 0))).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    request_id: 'r-1',
    method: 'GET',
    route: '/v1/messages',
    status: 200,
    ms: 1.23,
    bytes: 120,
  });
});

describe('the address of the operator', () => {
  const open = (more: Partial<Parameters<typeof openAdminAddress>[0]> = {}) =>
    openAdminAddress({
      host: '127.0.0.1',
      port: 0,
      allowNonLoopback: false,
      readiness: async () => ({ isReady: true }),
      metrics: () => 'm 1\n',
      ...more,
    });
  const get = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
  };

  test('answers /healthz, /readyz and /metrics without a token, and nothing else', async () => {
    const address = await open();
    expect(await get(`${address.url}/healthz`)).toMatchObject({ status: 200, text: 'ok\n' });
    expect(await get(`${address.url}/readyz?x=1`)).toMatchObject({ status: 200, text: 'ready\n' });
    expect(await get(`${address.url}/metrics`)).toEqual({
      status: 200,
      text: 'm 1\n',
      type: 'text/plain; version=0.0.4; charset=utf-8',
    });
    expect(await get(`${address.url}/metrics`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect((await get(`${address.url}/v1/messages`)).status).toBe(404);
    expect((await get(`${address.url}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await get(`${address.url}/metrics`, { headers: { origin: 'https://a.example' } })).status).toBe(403);
    await address.close();
  });

  test('is a loopback address unless others are allowed', async () => {
    await expect(open({ host: '0.0.0.0' })).rejects.toThrow('not a loopback address');
    const address = await open({ host: '0.0.0.0', allowNonLoopback: true });
    await address.close();
  });

  test('is not ready while the database does not answer, and during the stop', async () => {
    let ping = async (): Promise<void> => undefined;
    const readiness = createReadiness(() => ping());
    const address = await open({ readiness: readiness.check });
    expect((await get(`${address.url}/readyz`)).status).toBe(200);
    ping = () => Promise.reject(new Error('gone'));
    expect(await get(`${address.url}/readyz`)).toMatchObject({ status: 503, text: 'the database does not answer\n' });
    expect((await get(`${address.url}/healthz`)).status).toBe(200);
    ping = async () => undefined;
    readiness.stop();
    expect(await get(`${address.url}/readyz`)).toMatchObject({ status: 503, text: 'stopping\n' });
    await address.close();
  });
});

describe('stopping', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** A server that answers when it is allowed to, and a connection that collects what comes. */
  async function started() {
    const answers: (() => void)[] = [];
    const server = createServer((_incoming, outgoing) => void answers.push(() => outgoing.end('done')));
    const requests = observeRequests(server, () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const open = async (send: string) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      sockets.push(socket);
      const received: Buffer[] = [];
      socket.on('data', (data) => void received.push(data));
      const closed = new Promise<string>((resolve) =>
        socket.once('close', () => resolve(Buffer.concat(received).toString())),
      );
      await new Promise<void>((resolve) => socket.once('connect', resolve));
      socket.write(send);
      return closed;
    };
    return { server, requests, answers, open };
  }

  const until = async (holds: () => boolean): Promise<void> => {
    for (let step = 0; step < 500 && !holds(); step += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(holds()).toBe(true);
  };

  test('a request under way is answered, and connections without one are closed', async () => {
    const { server, requests, answers, open } = await started();
    const asked = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const silent = open('');
    await until(() => answers.length === 1 && requests.connections() === 2);
    expect(requests.requestsInProgress()).toBe(1);
    const stopped = stopListening(server, requests, 60_000);
    expect(await silent).toBe('');
    answers[0]?.();
    expect(await asked).toMatch(/^HTTP\/1\.1 200.*connection: close.*done/is);
    await stopped;
    expect([requests.connections(), requests.requestsInProgress()]).toEqual([0, 0]);
  });

  test('a request that comes on an open connection right after the stop is answered, and closes it', async () => {
    const { server, requests, answers, open } = await started();
    const asked = open('');
    await until(() => requests.connections() === 1);
    const stopped = stopListening(server, requests, 50_000);
    sockets[0]?.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => answers.length === 1);
    answers[0]?.();
    expect(await asked).toMatch(/^HTTP\/1\.1 200.*connection: close.*done/is);
    await stopped;
  });

  test('an answer that does not come in time is not waited for', async () => {
    const { server, requests, answers, open } = await started();
    const asked = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => answers.length === 1);
    await stopListening(server, requests, 20);
    expect(await asked).toBe('');
  });
});
