/** Chooses the proxy for a server by the variables that curl reads, and says why one cannot be used. */

import { needsProxy } from '../../api/http/no-proxy.ts';
import type { Environment, ProxyVariable } from '../../config/environment.ts';
import { parseUrl } from '../../protocol/web-address.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

/** A proxy with its complete address, which may hold a password. */
export interface ChosenProxy extends ProxyVariable {
  readonly noProxy: string;
}

/** How the variables say that a server is reached. */
export type ProxyChoice =
  | { readonly kind: 'none' }
  /** A proxy is set, and this server is reached without it. */
  | { readonly kind: 'direct'; readonly variable: string; readonly isLoopback: boolean }
  | { readonly kind: 'proxy'; readonly proxy: ChosenProxy }
  /** The server must not be asked directly then, since the proxy may be there to hide the user from it. */
  | { readonly kind: 'unusable'; readonly problem: string };

type Proxies = Pick<Environment, 'proxies'>;

/** @param server a normalised base URL */
export function chooseProxy(server: string, { proxies }: Proxies): ProxyChoice {
  const address = new URL(server);
  const { noProxy } = proxies;
  const named = address.protocol === 'https:' ? proxies.https : proxies.http;
  if (named === null) return { kind: 'none' };
  const { variable } = named;
  if (!needsProxy(address, noProxy)) return { kind: 'direct', variable, isLoopback: !needsProxy(address, '') };
  const url = readAddress(named.url);
  if (url === null) return unusable(variable, address, 'this is not the address of a proxy');
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') return unusable(variable, address, `a ${scheme} proxy cannot be used`);
  return { kind: 'proxy', proxy: { variable, url: url.href, noProxy } };
}

/**
 * Returns the settings of a connection.
 * @throws ExitError when the proxy that is set cannot be used
 */
export function proxySettings(server: string, environment: Proxies): { readonly proxy?: ChosenProxy } {
  const choice = chooseProxy(server, environment);
  if (choice.kind === 'unusable') throw new ExitError(exitCodes.usage, choice.problem);
  return choice.kind === 'proxy' ? { proxy: choice.proxy } : {};
}

/** Returns why the server cannot be asked; null when it can. */
export function proxyProblem(server: string, environment: Proxies): string | null {
  const choice = chooseProxy(server, environment);
  return choice.kind === 'unusable' ? choice.problem : null;
}

/** Reads an address; one without a scheme is http, as in curl. */
function readAddress(text: string): URL | null {
  const whole = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) ? text : `http://${text}`;
  const url = parseUrl(whole);
  return url === null || url.hostname === '' ? null : url;
}

function unusable(variable: string, { protocol }: URL, problem: string): ProxyChoice {
  // A variable for one scheme takes precedence over ALL_PROXY, which may be meant for other programs.
  const own = protocol === 'https:' ? 'HTTPS_PROXY' : 'http_proxy';
  const name = variable.toLowerCase() === 'all_proxy' ? own : variable;
  return {
    kind: 'unusable',
    problem: `${variable}: ${problem}; set ${name}=http://HOST:PORT, or name the server in NO_PROXY to go without`,
  };
}
