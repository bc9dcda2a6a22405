/** Refuses requests of web pages, and those with a misleading path or `Host` (R-SERVER), before the token is read. */
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../protocol/base-url.ts';
import { ServiceError } from '../rules/service-error.ts';

export interface GuardOptions {
  /** The port that the server listens on. */
  readonly port: () => number;
  /** False when the server is bound to another address: the names that clients use for it are then not known. */
  readonly loopbackOnly: boolean;
}

/**
 * Takes a target like `http://chat.example/v1/messages` apart, which every server must accept (RFC 9112 §3.2.2). Its host
 * replaces that of the `Host` header. To be called before anything else reads the request.
 */
export function toOriginForm(incoming: IncomingMessage): void {
  const [, host, rest] = /^https?:\/\/([^/?]*)(.*)$/i.exec(incoming.url ?? '') ?? [];
  if (host === undefined || rest === undefined) return;
  incoming.headers.host = host;
  incoming.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Throws `ServiceError` when the request is refused. */
export function guard(incoming: IncomingMessage, options: GuardOptions): void {
  const target = incoming.url ?? '';
  if (!target.startsWith('/') || hasDotSegment(target)) {
    throw new ServiceError(400, 'path_invalid', 'The path must be absolute and without dot segments.');
  }
  const hosts = incoming.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  // RFC 9112 §3.2.
  if (hosts.length !== 1 && incoming.httpVersion !== '1.0')
    throw new ServiceError(400, 'request_invalid', 'A request must have one Host header.');
  // A browser sends its page's origin with every such request; clients of the API do not.
  if (incoming.headers.origin !== undefined) {
    throw new ServiceError(403, 'origin_refused', 'Requests from web pages are refused.');
  }
  if (options.loopbackOnly && !isOwnHost(incoming.headers.host ?? '', options.port())) {
    throw new ServiceError(403, 'host_refused', 'The Host header does not name this server.');
  }
}

// URL parsing would resolve these segments silently, and a DELETE would then remove something else.
function hasDotSegment(target: string): boolean {
  const path = target.split('?')[0] ?? '';
  return path.split(/[/\\]/).some((part) => /^(\.|%2e){1,2}$/i.test(part));
}

/**
 * Whether the `Host` header names this server, also without a port: a proxy sends all processes behind it the same name.
 * Every loopback address does, since a server may listen on 127.0.0.2; a web page has to use a name of its own.
 */
function isOwnHost(host: string, port: number): boolean {
  const [, name = '', written] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  return isLoopbackHost(name) && (written === undefined || Number(written) === port);
}
