/** Hostile and broken servers: redirects, bombs, false certificates, odd waits, endless lists. */
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import type { Client } from '../../../src/api/operations.ts';
import { noCapabilities } from '../../../src/protocol/capabilities.ts';
import { factsOf } from '../../support/builders/api-errors.ts';
import {
  type Certificate,
  expiredCertificate,
  goodCertificate,
  otherCertificate,
} from '../../support/builders/certificates.ts';
import { apiFault } from '../../support/servers/fake-service.ts';
import { listAllConversations } from '../../support/servers/list-all.ts';
import { conversation } from '../../support/servers/list-service.ts';
import { hostCertificate, proxiedHost } from '../../support/servers/proxied-host.ts';
import { httpServer, rawServer, type WireServer } from '../../support/servers/wire-server.ts';

const token = 'tok-canary-Zx81';
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

function clientOf(server: WireServer): Client {
  const client = createClient({ baseUrl: server.url, token });
  open.push(client, server);
  return client;
}

const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  GET: (client) => client.retrieveMessage('m1'),
  POST: (client) => client.sendMessage({ conversationId: 'c', message: 'secret words', idempotencyKey: 'k' }),
  PUT: (client) => client.updateMessage('m1', { message: 'secret words' }),
  DELETE: (client) => client.deleteMessage('m1'),
};

describe('redirects', () => {
  const redirects = [301, 302, 303, 307, 308].flatMap((status) =>
    Object.keys(calls).flatMap((method) => [true, false].map((isSame) => ({ status, method, isSame }))),
  );
  test.each(redirects)(
    '$status of $method, same origin $isSame, is not followed',
    async ({ status, method, isSame }) => {
      const elsewhere = await httpServer((_request, response) => response.end('{"id":"m1","message":"secret words"}'));
      const server = await httpServer((request, response) => {
        const location = isSame ? `http://${request.headers.host}/v1/other` : `${elsewhere.url}/v1/messages`;
        response.writeHead(status, { location }).end();
      });
      const client = clientOf(server);
      expect((await factsOf(calls[method]?.(client) ?? Promise.resolve())).kind).toBe('redirect');
      expect(server.seen).toHaveLength(1);
      expect(elsewhere.seen).toEqual([]);
      await elsewhere.close();
    },
  );
});

describe('decompression bombs', () => {
  const zeros = Buffer.alloc(9 * 1024 * 1024, 0x20);
  test.each([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['deflate', deflateSync(zeros)],
  ])('%s ends at 8 MB decoded', async (encoding, bytes) => {
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    });
    const facts = await factsOf(clientOf(server).retrieveMessage('m1'));
    expect(facts).toMatchObject({ kind: 'not-api', code: 'BODY_TOO_LARGE' });
  });

  test.each([
    ['gzip in gzip', 'gzip, gzip', gzipSync(gzipSync(zeros))],
    ['two hundred layers', Array.from({ length: 200 }, () => 'gzip').join(', '), gzipSync(zeros)],
  ])('%s is not unpacked, and takes no more than its share of memory', async (_name, encoding, bytes) => {
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    });
    const client = clientOf(server);
    const before = process.memoryUsage.rss();
    expect((await factsOf(client.retrieveMessage('m1'))).kind).toBe('not-api');
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });

  const endless: readonly (readonly [string, string, Buffer])[] = [
    ['without a length', '', Buffer.alloc(65_536, 0x20)],
    ['of ten gigabytes', 'content-length: 10000000000\r\n', Buffer.alloc(65_536, 0x20)],
    ['in chunks', 'transfer-encoding: chunked\r\n', Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`)],
  ];
  test.each(endless)('an endless body %s ends at 8 MB', async (_name, header, piece) => {
    let sent = 0;
    const server = await rawServer((socket) => {
      const pour = (): void => {
        while (!socket.destroyed) {
          sent += piece.length;
          if (!socket.write(piece)) break;
        }
      };
      socket.on('drain', pour);
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n`);
      pour();
    });
    const facts = await factsOf(clientOf(server).retrieveMessage('m1'));
    expect(facts).toMatchObject({ kind: 'not-api', code: 'BODY_TOO_LARGE' });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test('millions of objects in eight kilobytes are not made, read or written', async () => {
    const bytes = gzipSync(`{"data":[${'{},'.repeat(2_700_000)}{}]}`);
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
    });
    const client = clientOf(server);
    for (const call of Object.values(calls)) {
      const facts = await factsOf(call(client));
      expect(facts).toMatchObject({ kind: 'not-api', outcome: 'ambiguous', code: 'BODY_TOO_LARGE' });
      expect(facts.message).toBe('the server said OK (200), but the answer has more than 200000 values');
    }
    const before = process.memoryUsage().heapUsed;
    await factsOf(client.listMessages({}));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  });

  test('deeply nested JSON is refused without reading all of it', async () => {
    const server = await httpServer((_request, response) => response.end('['.repeat(100_000) + ']'.repeat(100_000)));
    const { kind, message } = await factsOf(clientOf(server).retrieveMessage('m1'));
    expect(kind).toBe('not-api');
    expect(message).toContain('the server said OK (200), but its answer is nested deeper than 64: [[[[');
  });
});

describe('TLS', () => {
  async function secure(
    certificate: Certificate,
    versions: { maxVersion?: 'TLSv1' | 'TLSv1.1'; minVersion?: 'TLSv1' } = {},
  ) {
    const seen: string[] = [];
    const server = createTlsServer(
      { ...certificate, ...versions, ciphers: 'DEFAULT@SECLEVEL=0' },
      (request, response) => {
        seen.push(String(request.headers.authorization));
        response.end('{"id":"m1"}');
      },
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const close = async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    };
    open.push({ close });
    return { seen, url: `https://localhost:${(server.address() as AddressInfo).port}` };
  }
  const clientAt = (url: string, ca?: string): Client => {
    const client = createClient({ baseUrl: url, token, ...(ca === undefined ? {} : { ca }) });
    open.push(client);
    return client;
  };

  test('a trusted certificate works, for reads and writes', async () => {
    const { url, seen } = await secure(goodCertificate);
    const client = clientAt(url, goodCertificate.cert);
    await client.retrieveMessage('m1');
    await client.deleteMessage('m1');
    expect(seen).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  });

  test.each([
    ['self-signed', goodCertificate, undefined, {}],
    ['expired', expiredCertificate, expiredCertificate.cert, {}],
    ['of another name', otherCertificate, otherCertificate.cert, {}],
    ['TLS 1.0', goodCertificate, goodCertificate.cert, { maxVersion: 'TLSv1', minVersion: 'TLSv1' }],
    ['TLS 1.1', goodCertificate, goodCertificate.cert, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }],
  ] as const)('%s: nothing is sent, whatever the environment says', async (_name, certificate, ca, versions) => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const { url, seen } = await secure(certificate, versions);
      for (const call of Object.values(calls)) {
        expect(await factsOf(call(clientAt(url, ca)))).toMatchObject({ kind: 'tls', outcome: 'not-applied' });
      }
      expect(seen).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });

  const notTls: Readonly<Record<string, (socket: Socket) => unknown>> = {
    'plain text': (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'a captive portal': (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: http://portal.example/\r\n\r\n'),
    'a handshake that breaks off': (socket) => socket.resetAndDestroy(),
    'an alert': (socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40])),
  };
  test.each(Object.entries(notTls))('%s in place of TLS is refused', async (_name, answer) => {
    const server = await rawServer(answer);
    open.push(server);
    const client = clientAt(server.url.replace('http:', 'https:'));
    const facts = await factsOf(calls.POST?.(client) ?? Promise.resolve());
    expect(facts).toMatchObject({ outcome: 'not-applied' });
    expect(['tls', 'network']).toContain(facts.kind);
    expect(server.seen.every((one) => !one.body.includes(token))).toBe(true);
  });

  test('through a proxy, the token is sent only inside the encrypted tunnel', async () => {
    const { url, seen } = await secure(goodCertificate);
    const heard: string[] = [];
    const proxy = createRawServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        heard.push(data.toString('latin1'));
        const target = connect(Number(new URL(url).port), '127.0.0.1');
        target.on('error', () => {});
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    open.push({ close: async () => void proxy.close() });
    const proxyUrl = `http://user:pa%3Ass@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const target = `https://chat.test:${new URL(url).port}`;
    const client = createClient({ baseUrl: target, token, ca: otherCertificate.cert, proxy: { url: proxyUrl } });
    open.push(client);
    // The name does not fit the certificate: reached through the tunnel, and refused there.
    expect(await factsOf(client.retrieveMessage('m1'))).toMatchObject({ kind: 'tls', outcome: 'not-applied' });
    expect(heard[0]).toContain(`CONNECT chat.test:${new URL(url).port}`);
    expect(heard[0]).toContain(`Basic ${Buffer.from('user:pa:ss').toString('base64')}`);
    expect(heard.join('')).not.toContain(token);
    expect(seen).toEqual([]);
    const direct = createClient({ baseUrl: url, token, ca: goodCertificate.cert, proxy: { url: proxyUrl } });
    open.push(direct);
    await direct.retrieveMessage('m1');
    expect(heard).toHaveLength(1);
  });

  describe('a server that only a proxy with a password can reach', () => {
    const behindProxy = async () => {
      const upstream = await httpServer((_request, response) => response.end('{"id":"m1","message":"secret words"}'));
      const host = await proxiedHost({ credentials: 'user:pa:ss', upstream: upstream.url });
      open.push(upstream, host);
      const clientAs = (who: string): Client => {
        const proxy = { url: `http://${who}127.0.0.1:${host.proxyPort}` };
        const client = createClient({ baseUrl: host.url, token, ca: hostCertificate, proxy });
        open.push(client);
        return client;
      };
      return { upstream, host, clientAs };
    };

    test.each(Object.entries(calls))('%s goes through with the password', async (method, call) => {
      const { upstream, host, clientAs } = await behindProxy();
      await call(clientAs('user:pa%3Ass@'));
      expect(upstream.seen.map((one) => [one.method, one.headers.authorization])).toEqual([
        [method, `Bearer ${token}`],
      ]);
      expect(host.readable()).not.toContain(token);
    });

    test.each(Object.entries(calls))('%s is not sent without it, or with a wrong one', async (_method, call) => {
      const { upstream, clientAs } = await behindProxy();
      for (const who of ['', 'user:wrong@']) {
        const facts = await factsOf(call(clientAs(who)));
        expect(facts).toMatchObject({ outcome: 'not-applied', code: 'PROXY_REFUSED' });
        expect(facts.message).toContain('407');
      }
      expect(upstream.seen).toEqual([]);
    });
  });

  test.each(Object.entries(calls))('%s asks a proxy that closes the connection once', async (_method, call) => {
    let asked = 0;
    const proxy = createRawServer((socket) => {
      socket.on('error', () => {});
      // A client that asks without an end gets an answer at last.
      socket.once('data', () => {
        asked += 1;
        socket.end(asked > 5 ? 'HTTP/1.1 502 Bad Gateway\r\n\r\n' : '');
      });
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = createClient({ baseUrl: 'https://chat.test', token, proxy: { url } });
    open.push(client);
    expect(await factsOf(call(client))).toMatchObject({ outcome: 'not-applied', code: 'PROXY_REFUSED' });
    expect(asked).toBe(1);
    await new Promise((done) => void proxy.close(done));
    const { message } = await factsOf(call(client));
    expect(message).toContain('the proxy cannot be used: connect ECONNREFUSED');
  });

  test('plain http is allowed for loopback only', () => {
    expect(() => createClient({ baseUrl: 'http://chat.example.com', token })).toThrow('plain http');
    expect(() => createClient({ baseUrl: 'https://u:hunter2@x.example', token })).toThrow(/^(?!.*hunter2).*user name/);
  });
});

describe('endless lists', () => {
  const page = (from: number, next: string | null, hasMore = true) => ({
    value: {
      items: Array.from({ length: 10 }, (_, index) => conversation(from + index)),
      hasMore,
      next: next === null ? null : ({ kind: 'query', parameters: { cursor: next } } as const),
      skipped: 0,
    },
    etag: null,
  });
  type Parameters = { cursor?: { parameters: Record<string, string> }; limit?: number };
  const list = async (answer: (parameters: Parameters, count: number) => unknown) => {
    let requests = 0;
    const listConversations = async (parameters: Parameters) => {
      requests += 1;
      return answer(parameters, requests);
    };
    const client = { listConversations } as unknown as Client;
    const all = await listAllConversations({ client, capabilities: noCapabilities });
    return { ...all, requests };
  };

  test.each([
    ['the same page for ever', () => page(0, null)],
    ['the same page and a cursor for ever', () => page(0, 'x')],
    ['cursors in a circle', (_parameters: Parameters, count: number) => page((count % 3) * 10, `x${count % 3}`)],
    [
      'empty pages',
      (_parameters: Parameters, count: number) => {
        const one = page(0, `x${count}`);
        return count === 1 ? one : { ...one, value: { ...one.value, items: [] } };
      },
    ],
    [
      'the same rows in another order each time',
      (_parameters: Parameters, count: number) => {
        const one = page(0, `x${count}`);
        const turned = [...one.value.items.slice(count % 10), ...one.value.items.slice(0, count % 10)];
        return { ...one, value: { ...one.value, items: turned } };
      },
    ],
    [
      'rows without ids for ever',
      (_parameters: Parameters, count: number) => {
        const one = page(0, `x${count}`);
        return count === 1 ? one : { ...one, value: { ...one.value, items: [], skipped: 10 } };
      },
    ],
    [
      'a cursor that is refused',
      (parameters: Parameters) => {
        if (parameters.cursor !== undefined) throw apiFault('invalid', 'rejected', { status: 400 });
        return page(0, 'x');
      },
    ],
    [
      'the last page once more, with another cursor',
      (_parameters: Parameters, count: number) => page(Math.min(count, 4) * 10, `x${count}`),
    ],
  ])('%s ends as incomplete', async (_name, answer) => {
    const result = await list(answer);
    expect(result.complete).toBe(false);
    expect(result.requests).toBeLessThan(20);
  });

  test('a list with one new row a page ends as incomplete', async () => {
    const result = await list((_parameters, count) => page(count, `x${count}`));
    expect(result.complete).toBe(false);
    expect(result.requests).toBeLessThanOrEqual(1001);
  });

  test('a list that always has more ends as incomplete after 1000 pages', async () => {
    const result = await list((_parameters, count) => page(count * 10, `x${count}`));
    expect(result.complete).toBe(false);
    expect(result.requests).toBe(1001);
  });
});
