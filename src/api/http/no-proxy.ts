/** Decides whether a server is reached through the proxy. Loads no HTTP client, since the start asks it too. */
import { isIP } from 'node:net';
import { isLoopbackHost } from '../../protocol/base-url.ts';

export interface ServerAddress {
  /** An IPv6 address with or without brackets. */
  readonly hostname: string;
  /** Empty for the default port of the protocol. */
  readonly port: string;
  readonly protocol: string;
}

/**
 * Loopback is never sent through a proxy.
 * @param noProxy hosts, addresses, `.suffixes` and `*` between commas or blanks, each perhaps with a port, as in
 * NO_PROXY
 */
export function needsProxy(server: ServerAddress, noProxy: string): boolean {
  if (isLoopbackHost(server.hostname)) return false;
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  const hostname = comparable(server.hostname);
  return !noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => covers(entry, hostname, port));
}

function covers(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  const match = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry);
  if (match?.[2] !== undefined && match[2] !== port) return false;
  const name = comparable((match?.[1] ?? entry).replace(/^\*?\./, ''));
  return name !== '' && (hostname === name || hostname.endsWith(`.${name}`));
}

/** Lower case; an IPv6 address without brackets and in its one canonical form. */
function comparable(hostname: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 6 ? new URL(`http://[${bare.replace(/%.*$/, '')}]`).hostname.slice(1, -1) : bare.toLowerCase();
}
