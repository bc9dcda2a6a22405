/** The address that a server listens on. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackHost } from '../../protocol/base-url.ts';

/** Throws for an address that other machines can reach, unless it is allowed. */
export function checkHost(host: string, allowNonLoopback: boolean): void {
  if (!allowNonLoopback && !isLoopbackHost(host))
    throw new Error(`${host} is not a loopback address, so it has to be allowed (--allow-remote)`);
}

/** `http://127.0.0.1:8787`, without a slash at the end. */
export const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Resolves to the port, which the system chooses for 0. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
