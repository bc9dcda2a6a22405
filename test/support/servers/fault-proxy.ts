/** A TCP proxy that lets most requests through and does something to the others: for long runs through bad networks. */
import { connect, createServer, type Socket } from 'node:net';
import type { FaultSites } from '../campaigns/fault-sites.ts';

export interface FaultProxy {
  readonly url: string;
  /** From now on everything goes through. */
  calm(): void;
  close(): Promise<void>;
}

type Fate = (client: Socket, server: Socket, request: Buffer) => void;

const fates: Readonly<Record<string, Fate>> = {
  'closed before the request': (client) => void client.destroy(),
  'reset before the request': (client) => void client.resetAndDestroy(),
  'closed after the request': (client, server, request) => void server.write(request, () => client.destroy()),
  'reset after the request': (client, server, request) => void server.write(request, () => client.resetAndDestroy()),
  'half an answer': (client, server, request) => {
    server.pause().removeAllListeners('data');
    server.once('data', (answer: Buffer) => client.end(answer.subarray(0, answer.length / 2)));
    server.resume().write(request);
  },
  'a late answer': (client, server, request) => {
    server.pause().write(request);
    setTimeout(() => client.destroyed || server.resume(), 2_000);
  },
  'a late request': (_client, server, request) => {
    setTimeout(() => server.destroyed || server.write(request), 2_000);
  },
  'an answer of somebody else': (client) =>
    void client.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 20\r\n\r\n<html>Sign in</html>'),
  '503 of a gateway': (client) =>
    void client.end('HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n'),
};

export const proxyFates: readonly string[] = Object.keys(fates);

/** `share`: how many of the requests meet a fate, 0 to 1. */
export async function faultProxy(
  target: string,
  share: number,
  random: () => number,
  sites: FaultSites,
): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCalm = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.end();
      });
    }
    upstream.on('data', (answer: Buffer) => client.destroyed || client.write(answer));
    client.on('data', (data: Buffer) => {
      // The server answers to its own name alone.
      const request = Buffer.from(
        data.toString('latin1').replace(/^host: .*$/im, `host: ${hostname}:${port}`),
        'latin1',
      );
      const name = !isCalm && random() < share ? proxyFates[Math.floor(random() * proxyFates.length)] : undefined;
      if (name === undefined) {
        upstream.write(request);
        return;
      }
      sites.hit(name);
      fates[name]?.(client, upstream, request);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    calm: () => {
      isCalm = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
