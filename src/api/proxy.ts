/** Decides whether a request goes through a proxy, and opens the tunnel when it does. */
import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { isLoopbackHost } from '../protocol/base-url.ts';

export interface ProxySettings {
  /** `http://[user:password@]host:port`, as in HTTPS_PROXY. */
  readonly url: string;
  /** Comma-separated hosts, `.suffixes` and `*`, as in NO_PROXY. */
  readonly noProxy?: string;
}

export interface Target {
  readonly hostname: string;
  readonly port: string;
  readonly protocol: string;
}

/** Loopback is never sent through a proxy. */
export function needsProxy(target: Target, noProxy: string): boolean {
  if (isLoopbackHost(target.hostname)) return false;
  const port = target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port;
  return !noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => covers(entry.toLowerCase(), target.hostname.toLowerCase(), port));
}

/** A socket through which bytes reach `target` unchanged; the proxy sees its name and port alone. */
export async function openTunnel(proxy: ProxySettings, target: Target, connectMs: number): Promise<Socket> {
  const url = new URL(proxy.url);
  const client = new Client(url.origin, { connect: buildConnector({ timeout: connectMs }) });
  const authority = `${isIP(target.hostname) === 6 ? `[${target.hostname}]` : target.hostname}:${target.port}`;
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

function covers(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  const match = /^(.*?)(?::(\d+))?$/.exec(entry);
  const name = (match?.[1] ?? entry).replace(/^\*?\./, '');
  if (match?.[2] !== undefined && match[2] !== port) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}
