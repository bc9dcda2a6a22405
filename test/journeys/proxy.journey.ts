/** HTTPS_PROXY: the chat and `doctor` reach a server that only the proxy can reach, and the proxy reads nothing. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  hostCertificate,
  type ProxiedHost,
  type ProxiedHostOptions,
  proxiedHost,
} from '../support/servers/proxied-host.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { seed } from './cast.ts';

interface Proxied {
  readonly j: Journey;
  readonly host: ProxiedHost;
  /** What the program is told of the proxy; `who`: `user:password@`. */
  variables(who?: string): Readonly<Record<string, string>>;
}

async function proxied(options: Omit<ProxiedHostOptions, 'upstream'> = {}): Promise<Proxied> {
  const j = await journey({ seed, start: false });
  const host = await proxiedHost({ ...options, upstream: j.server.url });
  onTestFinished(() => host.close());
  mkdirSync(j.folder, { recursive: true });
  const certificate = join(j.folder, 'host.pem');
  writeFileSync(certificate, hostCertificate);
  const variables = (who = ''): Readonly<Record<string, string>> => ({
    MSG_TUI_SERVER: host.url,
    MSG_TUI_TOKEN: j.server.me.token,
    HTTPS_PROXY: `http://${who}127.0.0.1:${host.proxyPort}`,
    NODE_EXTRA_CA_CERTS: certificate,
  });
  return { j, host, variables };
}

function doctor(folder: string, env: Readonly<Record<string, string>>): Promise<{ code: number; out: string }> {
  const whole = { PATH: process.env.PATH ?? '', ...environmentIn(folder), ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'doctor'], { env: whole }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out + err }),
    );
  });
}

test('the chat reads and sends through a proxy that asks for a password', async () => {
  const { j, host, variables } = await proxied({ credentials: 'me:pa:ss word' });
  j.start(variables('me:pa%3Ass%20word@'));
  await j.open('ann');
  await j.see('Bring the tickets');
  j.type('through the tunnel');
  j.press('message.send');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('through the tunnel');
  await j.quit();
  expect(new Set(host.tunnels.map(({ target }) => target))).toEqual(new Set([new URL(host.url).host]));
  expect(host.readable()).not.toContain(j.server.me.token);
  expect(host.readable()).not.toContain('through the tunnel');
  expect(host.readable()).not.toContain('/v1/');
});

test('doctor uses a proxy without a password', async () => {
  const { j, host, variables } = await proxied();
  const { code, out } = await doctor(j.folder, variables());
  expect(out).toContain('it answers, and accepts the token');
  expect(code).toBe(0);
  expect(host.tunnels).toEqual([{ target: new URL(host.url).host, authorization: undefined }]);
});

test.each([
  ['a wrong password', 'me:wrong@'],
  ['no password', ''],
])('%s: the refusal of the proxy is reported, and nothing reaches the server', async (_name, who) => {
  const { j, host, variables } = await proxied({ credentials: 'me:right' });
  const { code, out } = await doctor(j.folder, variables(who));
  expect(out).toMatch(/WRONG reached .*the proxy answered 407/);
  expect(out).not.toContain('wrong@');
  expect(code).toBe(1);
  expect(host.tunnels).toHaveLength(1);
  expect(j.server.asked).toEqual([]);
});

test('a server on this machine is reached without the proxy', async () => {
  const { j, host, variables } = await proxied({ credentials: 'me:right' });
  const { code, out } = await doctor(j.folder, { ...variables(), MSG_TUI_SERVER: j.server.url });
  expect(out).toContain('it answers, and accepts the token');
  expect(code).toBe(0);
  expect(host.tunnels).toEqual([]);
});
