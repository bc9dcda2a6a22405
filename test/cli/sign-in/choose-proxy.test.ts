/** Which variables name the proxy of a server, as curl reads them, and what cannot be used as one. */
import { expect, test } from 'vitest';
import { askServer } from '../../../src/cli/health/server.ts';
import { chooseProxy, proxyProblem, proxySettings } from '../../../src/cli/sign-in/choose-proxy.ts';
import { findAccount } from '../../../src/cli/sign-in/find-account.ts';
import { readEnvironment, type Variables } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/file.ts';
import { paths } from '../../../src/config/paths.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { fakeKeyring } from '../../support/system/fake-keyring.ts';

const https = 'https://chat.example';
const http = 'http://chat.example';

/** Of the proxy that leads to the server; null when it is asked directly. */
function addressFor(server: string, env: Variables): string | null {
  return proxySettings(server, readEnvironment({ ...env })).proxy?.url ?? null;
}

test.each([
  [https, {}, null],
  [https, { HTTPS_PROXY: 'http://a:1' }, 'http://a:1/'],
  [https, { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:1' }, 'http://b:1/'],
  [https, { ALL_PROXY: 'http://a:1' }, 'http://a:1/'],
  [https, { ALL_PROXY: 'http://a:1', all_proxy: 'http://b:1' }, 'http://b:1/'],
  [https, { ALL_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:1' }, 'http://b:1/'],
  [https, { HTTPS_PROXY: '', ALL_PROXY: 'http://a:1' }, 'http://a:1/'],
  [https, { HTTP_PROXY: 'http://a:1', http_proxy: 'http://a:1' }, null],
  [http, { http_proxy: 'http://a:1', ALL_PROXY: 'http://b:1' }, 'http://a:1/'],
  [http, { ALL_PROXY: 'http://b:1' }, 'http://b:1/'],
  [http, { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://a:1' }, null],
  [https, { HTTPS_PROXY: 'a:1' }, 'http://a:1/'],
  [https, { HTTPS_PROXY: 'u:p@a:1' }, 'http://u:p@a:1/'],
  [https, { HTTPS_PROXY: 'https://a:1' }, 'https://a:1/'],
  ['http://127.0.0.1:8787', { ALL_PROXY: 'http://b:1' }, null],
  ['http://[::1]:8787', { ALL_PROXY: 'socks5://b:1' }, null],
])('%s with %j: %s', (server, env, address) => {
  expect(addressFor(server, env)).toBe(address);
});

test.each([
  [https, 'chat.example', true],
  [https, 'CHAT.example', true],
  [https, '.example', true],
  [https, '*.example', true],
  [https, 'other.example, *', true],
  [https, 'chat.example:443', true],
  [https, 'chat.example:444', false],
  [https, 'hat.example', false],
  [https, ',', false],
  ['https://[2001:db8::1]', '2001:db8::1', true],
  ['https://[2001:db8::1]', '2001:DB8:0:0::1', true],
  ['https://[2001:db8::1]', '[2001:db8::1]', true],
  ['https://[2001:db8::1]:8443', '[2001:db8::1]:8443', true],
  ['https://[2001:db8::1]', '[2001:db8::1]:8443', false],
  ['https://[2001:db8::1]', '2001:db8::2', false],
])('%s is reached without a proxy if NO_PROXY=%s: %s', (server, noProxy, isDirect) => {
  const address = addressFor(server, { ALL_PROXY: 'http://a:1', NO_PROXY: noProxy });
  expect(address).toBe(isDirect ? null : 'http://a:1/');
});

const proxies = [
  ['socks5://127.0.0.1:9050', 'ALL_PROXY: a socks5 proxy cannot be used; set HTTPS_PROXY=http://HOST:PORT, or'],
  ['socks5h://me:canary@127.0.0.1:9050', 'ALL_PROXY: a socks5h proxy cannot be used; '],
  ['socks4a://127.0.0.1', 'ALL_PROXY: a socks4a proxy cannot be used; '],
  ['http://', 'ALL_PROXY: this is not the address of a proxy; '],
  ['canary canary', 'ALL_PROXY: this is not the address of a proxy; '],
] as const;

test.each(proxies)('%s is refused in one line, and the server is not asked', async (url, said) => {
  const environment = readEnvironment({ ALL_PROXY: url, MSG_TUI_SERVER: https, MSG_TUI_TOKEN: 'a-token-of-a-test' });
  expect(proxyProblem(https, environment)).toContain(said);
  expect(proxyProblem(https, environment)).not.toContain('canary');
  expect(() => proxySettings(https, environment)).toThrow(said);
  const all = paths({}, 'linux', temporaryDirectory());
  const options = { environment, paths: all, insecureHttp: false, keyring: fakeKeyring('works') };
  await expect(findAccount(options, loadConfig(all.configFile))).rejects.toThrow(said);
  const checks = await askServer({ server: https, token: 'a-token-of-a-test' }, options);
  expect(checks).toEqual([expect.objectContaining({ verdict: 'wrong', text: expect.stringContaining(said) })]);
});

test('a proxy that cannot be used does not matter to a server that is reached without it', () => {
  const environment = readEnvironment({ ALL_PROXY: 'socks5://127.0.0.1:9050', NO_PROXY: 'chat.example' });
  expect(chooseProxy(https, environment)).toEqual({ kind: 'direct', variable: 'ALL_PROXY', isLoopback: false });
});
