/** Which proxy leads to the server, by the variables that curl reads, and why one that is named cannot be used. */
import { needsProxy } from '../api/http/no-proxy.ts';
import type { Environment, ProxyVariable } from '../config/environment.ts';
import { ExitError, exitCodes } from './exit.ts';

/** With an address that is whole, and may hold a password. */
export interface ChosenProxy extends ProxyVariable {
  readonly noProxy: string;
}

/** What the variables say for this server. */
export type ProxyChoice =
  | { readonly kind: 'none' }
  /** One is named, and this server is reached without it. */
  | { readonly kind: 'direct'; readonly variable: string; readonly isLoopback: boolean }
  | { readonly kind: 'proxy'; readonly proxy: ChosenProxy }
  /** One line. The server must not be asked directly then: the proxy may be there so that it does not see who asks. */
  | { readonly kind: 'unusable'; readonly problem: string };

type Proxies = Pick<Environment, 'proxies'>;

/** @param server a normalised base URL */
export function chooseProxy(server: string, { proxies }: Proxies): ProxyChoice {
  const target = new URL(server);
  const { noProxy } = proxies;
  const named = target.protocol === 'https:' ? proxies.https : proxies.http;
  if (named === null) return { kind: 'none' };
  const { variable } = named;
  if (!needsProxy(target, noProxy)) return { kind: 'direct', variable, isLoopback: !needsProxy(target, '') };
  const url = readAddress(named.url);
  if (url === null) return unusable(variable, 'this is no address of a proxy');
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') return unusable(variable, `a ${scheme} proxy cannot be used`);
  return { kind: 'proxy', proxy: { variable, url: url.href, noProxy } };
}

/**
 * For connections; nothing where none leads to the server.
 * @throws ExitError where one is named that cannot be used
 */
export function proxySettings(server: string, environment: Proxies): { readonly proxy?: ChosenProxy } {
  const choice = chooseProxy(server, environment);
  if (choice.kind === 'unusable') throw new ExitError(exitCodes.usage, choice.problem);
  return choice.kind === 'proxy' ? { proxy: choice.proxy } : {};
}

/** Null when the server can be asked. */
export function proxyProblem(server: string, environment: Proxies): string | null {
  const choice = chooseProxy(server, environment);
  return choice.kind === 'unusable' ? choice.problem : null;
}

/** Without a scheme it is http, as in curl. */
function readAddress(text: string): URL | null {
  const whole = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) ? text : `http://${text}`;
  return URL.canParse(whole) && new URL(whole).hostname !== '' ? new URL(whole) : null;
}

const unusable = (variable: string, problem: string): ProxyChoice => ({
  kind: 'unusable',
  problem: `${variable}: ${problem}; set HTTPS_PROXY=http://HOST:PORT, or name the server in NO_PROXY to go without`,
});
