/** Opens an address for the operator, which answers `/healthz`, `/readyz` and `/metrics` without a token. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '../../../protocol/base-url.ts';
import { checkHost, listen, urlOf } from '../address.ts';
import { guard, toOriginForm } from '../guard.ts';
import { contentType } from './text-format.ts';

/** Whether the server can answer requests now; otherwise why it cannot. */
export type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly reason: string };

export interface AdminAddressOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Allows a host that is not a loopback address. */
  readonly allowNonLoopback: boolean;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: () => string;
}

export interface AdminAddress {
  /** `http://127.0.0.1:8788`, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

/** Rejects when the address cannot be listened on, or is not loopback without `allowNonLoopback`. */
export async function openAdminAddress(options: AdminAddressOptions): Promise<AdminAddress> {
  checkHost(options.host, options.allowNonLoopback);
  let { port } = options;
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (incoming, outgoing) => {
    void answer(incoming, options, () => port).then((result) => send(outgoing, result));
  });
  server.maxConnections = 100;
  port = await listen(server, options.host, options.port);
  return {
    url: urlOf(options.host, port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(incoming: IncomingMessage, options: AdminAddressOptions, port: () => number): Promise<Answer> {
  toOriginForm(incoming);
  try {
    guard(incoming, { port, loopbackOnly: isLoopbackHost(options.host) });
  } catch {
    return { status: 403, text: 'refused\n' };
  }
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return { status: 405, text: 'only GET\n' };
  const [path] = (incoming.url ?? '').split('?', 1);
  if (path === '/healthz') return { status: 200, text: 'ok\n' };
  if (path === '/metrics') return { status: 200, text: options.metrics(), type: contentType };
  if (path !== '/readyz') return { status: 404, text: 'there are /healthz, /readyz and /metrics\n' };
  const readiness = await options.readiness();
  return readiness.isReady ? { status: 200, text: 'ready\n' } : { status: 503, text: `${readiness.reason}\n` };
}

function send(outgoing: ServerResponse, { status, text, type = 'text/plain; charset=utf-8' }: Answer): void {
  outgoing.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
  });
  outgoing.end(text);
}
