/** Files from addresses that others wrote into messages: what is asked, what is refused, and in which words. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type DownloadSettings, download } from '../../../src/api/http/download.ts';
import { reachOf, reachOfHost } from '../../../src/api/http/private-networks.ts';

const settings: DownloadSettings = {
  allowed: ['public', 'loopback'],
  maxBytes: 1_000_000,
  wholeMs: 60_000,
  idleMs: 60_000,
};
const impatient: DownloadSettings = { ...settings, wholeMs: 1_000, idleMs: 400 };

/** The address of a host that answers so. */
async function host(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<string> {
  const server = createServer((request, response) => answer(response, request));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png?size=1`;
}

test('returns the bytes, and sends no token', async () => {
  let asked: IncomingMessage | undefined;
  const address = await host((response, request) => {
    asked = request;
    response.end(Buffer.from([1, 2, 255]));
  });
  expect([...(await download(address, settings))]).toEqual([1, 2, 255]);
  expect(asked?.url).toBe('/a.png?size=1');
  expect(Object.keys(asked?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
});

describe('the download is refused for', () => {
  const drip = (response: ServerResponse, everyMs: number): void => {
    const timer = setInterval(() => response.write('x'), everyMs);
    response.on('close', () => clearInterval(timer));
  };
  const endless = (response: ServerResponse): void => {
    const more = (): void =>
      void (response.write(Buffer.alloc(65_536)) ? setImmediate(more) : response.once('drain', more));
    more();
  };
  const tooSlow = 'its server is too slow';
  const cases = [
    ['a body without an end', endless, 'it is larger than 1 MB'],
    [
      'a length that is too large',
      (r: ServerResponse) => r.writeHead(200, { 'content-length': 9e9 }).write('x'),
      'it is larger than 1 MB',
    ],
    ['a byte now and then', (r: ServerResponse) => drip(r, 100), tooSlow],
    ['silence', () => undefined, tooSlow],
    [
      'a redirect',
      (r: ServerResponse) => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'it has moved to another address',
    ],
    ['401', (r: ServerResponse) => r.writeHead(401).end(), 'its server wants a sign-in'],
    ['404', (r: ServerResponse) => r.writeHead(404).end(), 'it is gone from its server'],
    ['500', (r: ServerResponse) => r.writeHead(500).end(), 'its server answered 500'],
    ['a connection that breaks', (r: ServerResponse) => r.destroy(), 'its server cannot be reached'],
  ] as const;

  test.each(cases)('%s', async (_, answer, words) => {
    const address = await host(answer);
    const limits = words === tooSlow ? impatient : settings;
    await expect(download(address, limits)).rejects.toThrow(words);
  });

  test('addresses of this machine are refused if the service is elsewhere, however they are written', async () => {
    let asked = 0;
    const address = await host((response) => response.end(String(asked++)));
    const { port } = new URL(address);
    for (const name of ['127.0.0.1', '127.1', '0x7f000001', '2130706433', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0'])
      await expect(download(`http://${name}:${port}/`, { ...settings, allowed: ['public'] }), name).rejects.toThrow(
        'its address is inside a private network',
      );
    expect(asked).toBe(0);
  });
});

test('knows addresses that are inside', async () => {
  const inside = [
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '::10.0.0.1',
    '::ffff:0:10.0.0.1',
    '2001::a00:1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
  ];
  expect(inside.map(reachOf)).toEqual(inside.map(() => 'private'));
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(reachOf)).toEqual(Array(4).fill('loopback'));
  expect(['1.1.1.1', '172.32.0.1', '2606:4700::1111'].map(reachOf)).toEqual(Array(3).fill('public'));
  expect([await reachOfHost('localhost'), await reachOfHost('[::1]')]).toEqual(['loopback', 'loopback']);
});
