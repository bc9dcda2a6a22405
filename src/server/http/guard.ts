/** Turns away what a browser page or a confused proxy would send (R-SERVER, W1), before the token is read. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../rules/service-error.ts';

export interface GuardOptions {
  /** The port the server really listens on. */
  readonly port: () => number;
  /** False when bound to another address on purpose: the names it may be called by are then not known. */
  readonly loopbackOnly: boolean;
}

/** Throws the refusal. */
export function guard(incoming: IncomingMessage, options: GuardOptions): void {
  const target = incoming.url ?? '';
  if (!target.startsWith('/') || hasDotSegment(target)) {
    throw new ServiceError(400, 'path_invalid', 'The path must be absolute and without dot segments.');
  }
  // A page in a browser always says where it comes from; no client of ours does.
  if (incoming.headers.origin !== undefined) {
    throw new ServiceError(403, 'origin_refused', 'Requests from web pages are refused.');
  }
  if (options.loopbackOnly && !isOwnHost(incoming.headers.host ?? '', options.port())) {
    throw new ServiceError(403, 'host_refused', 'The Host header does not name this server.');
  }
}

// URL parsing would resolve these silently, and a DELETE of the wrong thing would follow.
function hasDotSegment(target: string): boolean {
  const path = target.split('?')[0] ?? '';
  return path.split(/[/\\]/).some((part) => /^(\.|%2e){1,2}$/i.test(part));
}

function isOwnHost(host: string, port: number): boolean {
  const names = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  return names.includes(host.toLowerCase()) || (port === 80 && ['127.0.0.1', 'localhost', '[::1]'].includes(host));
}
