/** Two servers on one database answer as one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/server/http/start.ts';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import { type Caller, call, conversationWith, sendTo } from '../../contract/call.ts';
import type { TestDatabase } from './databases.ts';

export function describeTwoServers(database: () => TestDatabase): void {
  describe('two servers on one database', () => {
    let servers: readonly RunningServer[];
    /** Ann, by the first server and by the second one; then Bob. */
    let ann: readonly Caller[];
    let bob: readonly Caller[];
    let groupId: string;
    let conversationId: string;

    const start = async (rateLimit: 'on' | 'off') =>
      startServer({ engine: await openPostgres(database()), port: 0, rateLimit });

    beforeAll(async () => {
      await database().clear();
      servers = [await start('off'), await start('off')];
      const { admin } = servers[0]!.service;
      const tokens: string[] = [];
      for (const username of ['ann', 'bob']) {
        await admin.createUser({ username });
        tokens.push((await admin.createToken(username)).token);
      }
      groupId = (await admin.createGroup('Crew', ['ann', 'bob'])).id;
      [ann, bob] = tokens.map((token) => servers.map(({ url }) => ({ url, token }))) as [Caller[], Caller[]];
      conversationId = await conversationWith(ann[0]!, { group_id: groupId });
      await conversationWith(bob[1]!, { group_id: groupId });
    });
    afterAll(async () => {
      for (const server of servers) await server.close();
    });

    test('an ETag of one is valid at the other one, until something changes at either', async () => {
      await sendTo(ann[0]!, conversationId, 'one');
      const { headers } = await call(bob[0]!, 'GET', '/v1/messages');
      const asked = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
      for (const caller of bob) expect((await call(caller, 'GET', '/v1/messages', asked)).status).toBe(304);
      await sendTo(ann[0]!, conversationId, 'two');
      for (const caller of bob) expect((await call(caller, 'GET', '/v1/messages', asked)).status).toBe(200);
    });

    test('a request that waits at one is answered with what is written at the other one', async () => {
      for (const list of ['/v1/messages', '/v1/conversations']) {
        const { headers } = await call(bob[1]!, 'GET', list);
        const started = performance.now();
        const waiting = call(bob[1]!, 'GET', list, {
          headers: { 'if-none-match': headers.get('etag') ?? '', prefer: 'wait=50' },
        });
        await new Promise((resolve) => setTimeout(resolve, 300));
        // Times are whole seconds, and the list of conversations shows nothing else of a message.
        await new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000)));
        await sendTo(ann[0]!, conversationId, 'wake up');
        expect((await waiting).status).toBe(200);
        expect(performance.now() - started).toBeLessThan(45_000);
      }
    });

    test('a request that arrives at both at the same time has one effect', async () => {
      for (let round = 0; round < 5; round += 1) {
        const twice = {
          form: { conversation_id: conversationId, message: `once ${round}` },
          headers: { 'idempotency-key': `round-${round}` },
        };
        const replies = await Promise.all(ann.map((caller) => call(caller, 'POST', '/v1/messages', twice)));
        expect(replies.map(({ status }) => status)).toEqual([201, 201]);
        expect(replies[0]!.json).toEqual(replies[1]!.json);
      }
    });

    test('sends with and without a key do not lock each other out', async () => {
      const sends = Array.from({ length: 60 }, (_, n) =>
        call(ann[n % 2]!, 'POST', '/v1/messages', {
          form: { conversation_id: conversationId, message: `beside ${n}` },
          headers: n % 4 < 2 ? { 'idempotency-key': `beside-${n}` } : {},
        }),
      );
      const deadlocks = async () => {
        const engine = await openPostgres(database());
        const query = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
        const row = await engine.sql.get<{ deadlocks: number }>(query);
        await engine.close();
        return row?.deadlocks;
      };
      const before = await deadlocks();
      expect(new Set((await Promise.all(sends)).map(({ status }) => status))).toEqual(new Set([201]));
      expect(await deadlocks()).toBe(before);
    });

    test('the last two members who delete at the same time remove the rows', async () => {
      const { admin, store } = servers[0]!.service;
      const group = await admin.createGroup('Former', ['ann', 'bob']);
      const own = await Promise.all(
        [ann[0]!, bob[1]!].map((caller) => conversationWith(caller, { group_id: group.id })),
      );
      const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => sendTo(ann[0]!, own[0]!, `gone ${n}`)));
      for (const name of ['ann', 'bob']) await admin.removeMember('Former', name);
      const engine = await openPostgres(database());
      // Both requests wait for a lock until both have come.
      const deleting = await engine.transaction(async (sql) => {
        await sql.all('SELECT 1 FROM versions FOR UPDATE');
        const requests = [ann[0]!, bob[1]!].map((caller, index) =>
          call(caller, 'DELETE', `/v1/conversations/${own[index]}`),
        );
        const waiting =
          "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        while (((await engine.sql.get<{ n: number }>(waiting))?.n ?? 0) < 2);
        return { requests };
      });
      expect((await Promise.all(deleting.requests)).map(({ status }) => status)).toEqual([204, 204]);
      const row = await engine.sql.get('SELECT count(*) AS left_over FROM messages WHERE id = ?', sent[0].id);
      expect(row).toEqual({ left_over: 0 });
      await engine.close();
      expect(await store.people.groupByName('Former')).toBeDefined();
    });

    test('a first conversation that is opened at both at the same time is created once', async () => {
      const { admin } = servers[0]!.service;
      for (const username of ['cyd', 'dan', 'eve']) {
        const { id } = await admin.createContact({ username });
        const found = await Promise.all(ann.map((caller) => conversationWith(caller, { contact_id: id })));
        expect(found[0]).toBe(found[1]);
      }
    });

    test('the rate limit counts the requests to both', async () => {
      const limited = [await start('on'), await start('on')];
      try {
        const ask = () =>
          Promise.all(limited.map(({ url }) => call({ url, token: ann[0]!.token }, 'GET', '/v1/messages?limit=1')));
        expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
        await exhaustRate(database());
        for (const refused of await ask()) {
          expect(refused.status).toBe(429);
          expect(refused.headers.get('retry-after')).toBe('1');
        }
      } finally {
        for (const server of limited) await server.close();
      }
    });
  });
}

/** As if the only user who was counted had used up the burst; far ahead, as the machine may be slow. */
async function exhaustRate(database: TestDatabase): Promise<void> {
  const engine = await openPostgres(database);
  const rows = await engine.sql.all('UPDATE rate_limits SET used_up_to = used_up_to + 1000 RETURNING person_seq');
  expect(rows.length).toBe(1);
  await engine.close();
}
