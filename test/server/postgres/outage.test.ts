/** A database that goes away, that comes back, and that does not answer. Needs a real server. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { type OwnTarget, openOwnTarget } from '../../contract/target.ts';
import { hasRealServer, openRealDatabase, type TestDatabase } from './databases.ts';

/** A way to the database that can be closed, and on which nothing gets through when it is stuck. */
async function openWay(to: URL) {
  const folder = to.searchParams.get('host');
  const realPort = Number(to.searchParams.get('port') ?? (to.port === '' ? 5432 : to.port));
  const address = folder === null ? { host: to.hostname, port: realPort } : { path: `${folder}/.s.PGSQL.${realPort}` };
  const sockets = new Set<Socket>();
  let isStuck = false;
  let losesNextCommit = false;
  let server: Server;
  const open = (port: number): Promise<void> => {
    server = createServer((near) => {
      const far = connect(address);
      near.on('data', (bytes) => {
        if (!losesNextCommit || !bytes.includes('COMMIT\0')) return;
        losesNextCommit = false;
        // The commit arrives, and its answer does not come back.
        far.removeAllListeners('data').on('data', () => near.destroy());
      });
      for (const [one, other] of [[near, far] as const, [far, near] as const]) {
        sockets.add(one);
        one.on('data', (bytes) => void (!isStuck && other.write(bytes)));
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    return new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));
  };
  await open(0);
  const { port } = server!.address() as AddressInfo;
  const url = new URL(to.href.replace(/^postgres(ql)?:\/\/([^@/]*@)?[^/]*/, `postgres://$2127.0.0.1:${port}`));
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: url.href,
    close,
    reopen: () => open(port),
    loseNextCommit: () => {
      losesNextCommit = true;
    },
    stick: (value: boolean) => {
      isStuck = value;
    },
  };
}

describe.skipIf(!hasRealServer)('a database', () => {
  let database: TestDatabase;
  let way: Awaited<ReturnType<typeof openWay>>;
  let target: OwnTarget;
  let conversationId: string;
  const failures: string[] = [];

  beforeAll(async () => {
    database = await openRealDatabase();
  });
  beforeEach(async () => {
    failures.length = 0;
    await database.clear();
    way = await openWay(new URL(database.url));
    target = await openOwnTarget({
      engine: await openPostgres({ url: way.url, statementTimeoutMs: 500 }),
      onFailure: (error) => void failures.push(String(error)),
    });
    conversationId = await conversationWith(target, { contact_id: target.contactId });
  });
  afterEach(async () => {
    await target.close();
    await way.close().catch(() => undefined);
  });
  afterAll(() => database?.close());

  const send = (message: string) =>
    call(target, 'POST', '/v1/messages', { form: { conversation_id: conversationId, message } });

  test('that goes away is answered with 503 and Retry-After, and is used again when it is back', async () => {
    await sendTo(target, conversationId, 'before');
    await way.close();
    for (const reply of [await call(target, 'GET', '/v1/messages'), await send('meanwhile')]) {
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.json).toMatchObject({ code: 'busy', request_id: expect.any(String) });
    }
    await way.reopen();
    await sendTo(target, conversationId, 'after');
    const list = await call(target, 'GET', '/v1/messages');
    expect(list.json.data.map(({ message }: { message: string }) => message)).toEqual(['after', 'before']);
    expect(failures).toEqual([]);
  });

  test('that takes no connections any more is answered with 503, and is used again when it takes them', async () => {
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    const { pathname } = new URL(database.url);
    const name = pathname.slice(1);
    try {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      await expect.poll(async () => (await call(target, 'GET', '/v1/messages')).status).toBe(503);
      expect((await send('meanwhile')).status).toBe(503);
      expect(failures).toEqual([]);
    } finally {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await client.end();
    }
    await vi.waitFor(async () => expect((await send('after')).status).toBe(201));
  });

  test('whose answer to a commit is lost leaves a failure, and the same request again finds what was stored', async () => {
    await sendTo(target, conversationId, 'before');
    const request = {
      form: { conversation_id: conversationId, message: 'perhaps' },
      headers: { 'idempotency-key': 'perhaps' },
    };
    way.loseNextCommit();
    expect((await call(target, 'POST', '/v1/messages', request)).status).toBe(500);
    expect(failures).toEqual([expect.stringContaining('lost during a commit')]);
    const again = await call(target, 'POST', '/v1/messages', request);
    expect(again.status).toBe(201);
    const list = await call(target, 'GET', '/v1/messages');
    expect(list.json.data.map(({ message }: { message: string }) => message)).toEqual(['perhaps', 'before']);
    expect(list.json.data[0].id).toBe(again.json.id);
  });

  test('that does not answer is given up after a while, and is used again', async () => {
    await sendTo(target, conversationId, 'before');
    way.stick(true);
    expect((await call(target, 'GET', '/v1/messages')).status).toBe(503);
    way.stick(false);
    await vi.waitFor(async () => expect((await send('after')).status).toBe(201), { timeout: 30_000 });
  });
});
