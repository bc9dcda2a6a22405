/** The proxy of docs/server.md: nginx with TLS in front of two processes that serve one database. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/server/http/start.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { goodCertificate } from '../../support/builders/certificates.ts';

const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const hasNginx = spawnSync('nginx', ['-v'], { env }).error === undefined;
const page = readFileSync(join(import.meta.dirname, '../../../docs/server.md'), 'utf8');
const documented = /```nginx\n(.*?)```/s.exec(page)?.[1] ?? '';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });

/** Replaces what each installation writes otherwise; fails where the page does not have it. */
function configuration(folder: string, port: number, ports: readonly number[]): string {
  const own: readonly (readonly [string, string])[] = [
    ['server 127.0.0.1:8787;', ports.map((one) => `server 127.0.0.1:${one};`).join(' ')],
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/ssl/chat.example.pem', join(folder, 'cert.pem')],
    ['/etc/ssl/private/chat.example.key', join(folder, 'key.pem')],
  ];
  let text = documented;
  for (const [from, to] of own) {
    expect(text.split(from)).toHaveLength(2);
    text = text.replace(from, to);
  }
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors; events {}
    http { access_log off; ${paths.join(' ')} ${text} }`;
}

describe.skipIf(!hasNginx)('the server behind nginx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const servers: RunningServer[] = [];
  let nginx: ChildProcess;
  let port = 0;
  let token = '';
  let contact = '';

  beforeAll(async () => {
    for (const _ of [1, 2])
      servers.push(await startServer({ engine: openSqlite(openDatabase(join(folder, 'chat.db'))), port: 0 }));
    const admin = servers[0]?.service.admin;
    await admin?.createUser({ username: 'ann' });
    contact = (await admin?.createContact({ username: 'bob' }))?.id ?? '';
    token = (await admin?.createToken('ann'))?.token ?? '';
    port = await freePort();
    writeFileSync(join(folder, 'cert.pem'), goodCertificate.cert);
    writeFileSync(join(folder, 'key.pem'), goodCertificate.key);
    writeFileSync(
      join(folder, 'nginx.conf'),
      configuration(
        folder,
        port,
        servers.map((server) => server.port),
      ),
    );
    nginx = spawn('nginx', ['-p', folder, '-e', join(folder, 'errors'), '-c', join(folder, 'nginx.conf')], { env });
    await until(() => isOpen(port));
  });
  afterAll(async () => {
    nginx.kill('SIGKILL');
    for (const server of servers) await server.close();
    rmSync(folder, { recursive: true });
  });

  interface Reply {
    readonly status: number | undefined;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly text: string;
  }

  const ask = (method: string, path: string, form?: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          ca: goodCertificate.cert,
          servername: 'localhost',
          headers: {
            authorization: `Bearer ${token}`,
            ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
            ...headers,
          },
        },
        (answer) => {
          let text = '';
          answer.on('data', (data) => {
            text += String(data);
          });
          answer.once('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
        },
      );
      outgoing.once('error', reject);
      outgoing.end(form);
    });

  test('answers operations, validators, waiting requests and refusals as it does alone', async () => {
    const made = await ask('POST', '/v1/conversations', `contact_id=${contact}`);
    expect(made.status).toBe(201);
    const { id } = JSON.parse(made.text);
    const sent = await ask('POST', '/v1/messages', `conversation_id=${id}&message=over+TLS`);
    expect(sent).toMatchObject({ status: 201, headers: { location: `/v1/messages/${JSON.parse(sent.text).id}` } });
    const path = `/v1/messages?conversation_id=${id}`;
    const list = await ask('GET', path);
    expect(JSON.parse(list.text).data).toHaveLength(1);
    const tag = { 'if-none-match': String(list.headers.etag) };
    expect((await ask('GET', path, undefined, tag)).status).toBe(304);
    const waited = await ask('GET', path, undefined, { ...tag, prefer: 'wait=1' });
    expect(waited).toMatchObject({ status: 304, headers: { 'preference-applied': 'wait=1' } });
    const large = await ask('POST', '/v1/messages', `message=${'x'.repeat(270_000)}`);
    expect(large.status).toBe(413);
    expect((await ask('GET', '/v1/messages', undefined, { authorization: 'Bearer wrong' })).status).toBe(401);
  });

  test('can lose one process without an error for those who read', async () => {
    await servers.pop()?.close();
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await ask('GET', '/v1/conversations')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
  });
});

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < 1000; step += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nginx did not start');
}
