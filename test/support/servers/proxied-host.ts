/** A server under a public name over TLS, and a proxy that is the only way to it, for the built program. */
import { createServer as createHttpServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { otherCertificate } from '../builders/certificates.ts';

export interface ProxiedHost {
  /** `https://other.example:PORT`, a name that no resolver knows. */
  readonly url: string;
  readonly proxyPort: number;
  /** The head of every CONNECT. */
  readonly tunnels: readonly { readonly target: string; readonly authorization: string | undefined }[];
  /** All that the proxy could read, heads and what passed through the tunnels. */
  readonly readable: () => string;
  close(): Promise<void>;
}

export interface ProxiedHostOptions {
  /** `user:password` that the proxy asks for; everybody is let through unless given. */
  readonly credentials?: string;
  /** What answers behind the TLS: a server of plain HTTP on this machine. */
  readonly upstream: string;
}

/** The certificate of other.example, to be trusted by means of NODE_EXTRA_CA_CERTS. */
export const hostCertificate = otherCertificate.cert;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

export async function proxiedHost({ credentials, upstream }: ProxiedHostOptions): Promise<ProxiedHost> {
  const host = createTlsServer(otherCertificate, (incoming, response) => {
    const { method, headers } = incoming;
    const { host: authority } = new URL(upstream);
    const onward = request(`${upstream}${incoming.url}`, { method, headers: { ...headers, host: authority } });
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  const hostPort = await listen(host);
  const tunnels: { target: string; authorization: string | undefined }[] = [];
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const proxy = createHttpServer((_request, response) => response.writeHead(405).end());
  proxy.on('connect', (asked: IncomingMessage, socket: Socket, first: Buffer) => {
    const authorization = asked.headers['proxy-authorization'];
    tunnels.push({ target: asked.url ?? '', authorization });
    heard.push(Buffer.from(asked.rawHeaders.join('\n')), first);
    sockets.add(socket);
    socket.on('error', () => undefined);
    const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (wanted !== undefined && authorization !== wanted) {
      const challenge = 'Proxy-Authenticate: Basic realm="proxy"';
      socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${challenge}\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const target = connect(hostPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.on('data', (bytes: Buffer) => heard.push(bytes));
      socket.pipe(target).pipe(socket);
    });
    sockets.add(target);
    target.on('error', () => socket.destroy());
  });
  const proxyPort = await listen(proxy);
  return {
    url: `https://other.example:${hostPort}`,
    proxyPort,
    tunnels,
    readable: () => Buffer.concat(heard).toString('latin1'),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      host.closeAllConnections();
      await Promise.all([host, proxy].map((server) => new Promise((done) => server.close(done))));
    },
  };
}
