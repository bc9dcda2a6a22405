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

/**
 * Opens a tunnel and resolves to a socket to `server`. The proxy learns only the name and port of the server. Every failure has
 * the code PROXY_REFUSED: with its own it would be described as one of the server. And where a connector gives undici the code
 * UND_ERR_SOCKET, as for a proxy that closes the connection, undici connects again at once, without an end.
 */
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
    const tunnel = client.connect({ path: authority, headers, signal: AbortSignal.timeout(connectMs) });
    const { socket, statusCode } = await tunnel.catch((error: unknown) => {
      throw refusal(`the proxy cannot be used: ${error instanceof Error ? error.message : 'it failed'}`);
    });
    if (statusCode === 200) return socket as Socket;
    socket.on('error', () => {}).destroy();
    throw refusal(`the proxy answered ${statusCode}`);
  } finally {
    await client.destroy();
  }
}

const refusal = (text: string): Error => Object.assign(new Error(text), { code: 'PROXY_REFUSED' });
