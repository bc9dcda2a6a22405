/** Opens a tunnel through an HTTP proxy (CONNECT). */
import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { ServerAddress } from './no-proxy.ts';

export interface ProxySettings {
  /** `http://[user:password@]host:port`, as in HTTPS_PROXY. */
  readonly url: string;
  /** The servers that are reached without the proxy, as in NO_PROXY (`needsProxy`). */
  readonly noProxy?: string;
}

/** Opens a tunnel and resolves to a socket to `server`. The proxy learns only the name and port of the server. */
export async function openTunnel(proxy: ProxySettings, server: ServerAddress, connectMs: number): Promise<Socket> {
  const url = new URL(proxy.url);
  const client = new Client(url.origin, { connect: buildConnector({ timeout: connectMs }) });
  const authority = `${isIP(server.hostname) === 6 ? `[${server.hostname}]` : server.hostname}:${server.port}`;
  const headers: Record<string, string> = { host: authority };
  if (url.username !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers['proxy-authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  try {
    const { socket, statusCode } = await client.connect({
      path: authority,
      headers,
      signal: AbortSignal.timeout(connectMs),
    });
    if (statusCode === 200) return socket as Socket;
    socket.on('error', () => {}).destroy();
    throw Object.assign(new Error(`the proxy answered ${statusCode}`), { code: 'PROXY_REFUSED' });
  } finally {
    await client.destroy();
  }
}
