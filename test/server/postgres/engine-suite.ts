/** What the engine promises, on any PostgreSQL. */
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { JoiningSocket, openPool } from '../../../src/server/store/postgres/connections.ts';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import { checkVersion, migrate } from '../../../src/server/store/postgres/migrate.ts';
import { Client } from '../../../src/server/store/postgres/pg-driver.ts';
import { isWithinRate } from '../../../src/server/store/postgres/rate-limit.ts';
import { migrations } from '../../../src/server/store/postgres/schema.ts';
import { type DatabaseEngine, sendTogether } from '../../../src/server/store/sql.ts';
import { inTransaction } from '../../../src/server/store/store.ts';
import { extrasOf, extrasSent, sendMessages } from '../messages-with-extras.ts';
import type { TestDatabase } from './databases.ts';

const ann = { id: 'ann-id', username: 'ann', is_user: 1, created_at: 1_800_000_000 };

export function describeEngine(database: () => TestDatabase): void {
  describe('engine', () => {
    let engine: DatabaseEngine;
    beforeAll(() => database().clear());
    beforeEach(async () => {
      engine = await openPostgres(database());
    });
    afterEach(async () => {
      await engine.close();
      await database().clear();
    });

    test('counts, times and truth values are numbers, and bytes are bytes', async () => {
      const seq = await engine.transaction((sql) => sql.insert('people', ann));
      const digest = new Uint8Array([0, 1, 255]);
      await engine.transaction(async (sql) => {
        await sql.insert('tokens', { id: 't', digest, person_seq: seq, label: '', created_at: 1 });
      });
      const row = await engine.sql.get<{ seq: number; is_user: number; created_at: number }>(
        'SELECT seq, is_user, created_at FROM people WHERE id = ?',
        'ann-id',
      );
      expect(row).toEqual({ seq, is_user: 1, created_at: 1_800_000_000 });
      const found = await engine.sql.get<{ id: string }>('SELECT id FROM tokens WHERE digest = ?', digest);
      expect(found).toEqual({ id: 't' });
      const sums = await engine.sql.get('SELECT count(*) AS n, sum(created_at) AS total FROM people');
      expect(sums).toEqual({ n: 1, total: 1_800_000_000 });
    });

    test('a statement is planned once, and not for each of its values', async () => {
      const [row] = await engine.sql.all("SELECT current_setting('plan_cache_mode') AS mode");
      expect(row).toEqual({ mode: 'force_generic_plan' });
    });

    test('the kept answers of a deleted message are found by their index', async () => {
      const { prosrc = '' } =
        (await engine.sql.get<{ prosrc: string }>("SELECT prosrc FROM pg_proc WHERE proname = 'empty_kept_answer'")) ??
        {};
      const update =
        /UPDATE[^;]+/.exec(prosrc)?.[0].replace('old.id', 'm.id').replace(' WHERE', ' FROM messages m WHERE') ?? '';
      const plan = await engine.transaction(async (sql) => {
        // The table is empty, so that reading all of it would be cheaper.
        await sql.run("SELECT set_config('enable_seqscan', 'off', true)");
        return sql.all(`EXPLAIN ${update}`);
      });
      expect(JSON.stringify(plan)).toContain('idempotency_by_item');
    });

    test('a name is the same whatever the case of its letters from A to Z', async () => {
      await engine.transaction((sql) => sql.insert('people', ann));
      const second = engine.transaction((sql) => sql.insert('people', { ...ann, id: 'x', username: 'ANN' }));
      await expect(second).rejects.toThrow(/duplicate key/);
    });

    test('numbers and pairs can be given as one parameter', async () => {
      const { dialect } = engine.sql;
      const seqs = await engine.transaction(async (sql) => [
        await sql.insert('people', ann),
        await sql.insert('people', { ...ann, id: 'b', username: 'bob' }),
        await sql.insert('people', { ...ann, id: 'c', username: 'cyd' }),
      ]);
      const chosen = dialect.numbers([seqs[0]!, seqs[2]!]);
      const names = await engine.sql.all(
        `SELECT username FROM people WHERE ${dialect.inNumbers('seq')} ORDER BY seq`,
        chosen,
      );
      expect(names).toEqual([{ username: 'ann' }, { username: 'cyd' }]);
      const pairs = await engine.sql.all(
        `SELECT p.username, q.text FROM ${dialect.pairsTable} q JOIN people p ON p.seq = q.number`,
        dialect.pairs([[seqs[1]!, `it's a "?"`]]),
      );
      expect(pairs).toEqual([{ username: 'bob', text: `it's a "?"` }]);
    });

    test('a failure rolls everything back, also statements that were started beside it', async () => {
      let late: Promise<unknown> = Promise.resolve();
      const failing = engine.transaction(async (sql) => {
        await sql.insert('people', ann);
        late = Promise.allSettled([
          sql.run('SELECT 1 / 0'),
          sql.run("INSERT INTO people (id, username, created_at) VALUES ('x', 'x', 1)"),
        ]);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await late;
      expect(await engine.sql.all('SELECT id FROM people')).toEqual([]);
    });

    test('the last statements need not be awaited, and one that fails rolls its whole transaction back', async () => {
      const add = (...ids: readonly string[]) =>
        engine.transaction(async (sql) =>
          sendTogether(
            ...ids.map((id) => sql.run('INSERT INTO chat_groups (id, name, created_at) VALUES (?, ?, 0)', id, id)),
          ),
        );
      await add('last-a', 'last-b');
      await expect(add('last-c', 'last-a', 'last-d')).rejects.toThrow(/duplicate key/);
      expect(await engine.sql.all("SELECT id FROM chat_groups WHERE id LIKE 'last-%' ORDER BY seq")).toEqual([
        { id: 'last-a' },
        { id: 'last-b' },
      ]);
    });

    test('the last statements are sent together with the COMMIT', async () => {
      const writes = (['_write', '_writev'] as const).map((name) => vi.spyOn(JoiningSocket.prototype, name));
      onTestFinished(() => void vi.restoreAllMocks());
      const add = (id: string) =>
        engine.transaction(async (sql) =>
          sendTogether(
            sql.run('UPDATE people SET last_active_at = 1 WHERE id = ?', id),
            sql.run('UPDATE people SET last_active_at = 2 WHERE id = ?', id),
          ),
        );
      await add('none');
      for (const spy of writes) spy.mockClear();
      await add('none');
      expect(writes.flatMap((spy) => spy.mock.calls)).toHaveLength(1);
    });

    test('a message is written, delivered and dated by one statement', async () => {
      const queries = vi.spyOn(Client.prototype, 'query');
      onTestFinished(() => void vi.restoreAllMocks());
      const person = { phone_number: '', avatar_url: '', is_user: 1, created_at: 0 };
      const { seq, row } = await inTransaction(engine, async ({ people, conversations, messages }) => {
        const low = await people.add({ ...person, id: 'ann-id', username: 'ann' });
        const high = await people.add({ ...person, id: 'bob-id', username: 'bob' });
        const thread_seq = await conversations.threadOfPair(low, high);
        for (const person_seq of [low, high])
          await conversations.add({ id: `of-${person_seq}`, thread_seq, person_seq, created_at: 0 });
        const row = { id: 'm1', thread_seq, author_seq: high, text: 'hello', created_at: 5 };
        queries.mockClear();
        const seq = await messages.post(row, [low, high]);
        expect(queries).toHaveBeenCalledTimes(1);
        return { seq, row };
      });
      expect(await engine.sql.all('SELECT * FROM messages')).toEqual([
        { ...row, seq, read_at: null, updated_at: null, has_extras: 0 },
      ]);
      expect(
        await engine.sql.all('SELECT message_seq, is_own, read_at FROM deliveries ORDER BY conversation_seq'),
      ).toEqual([
        { message_seq: seq, is_own: 0, read_at: null },
        { message_seq: seq, is_own: 1, read_at: null },
      ]);
      const dates = `SELECT last_active_at AS at FROM conversations UNION ALL
        SELECT last_active_at FROM people WHERE id = 'bob-id'`;
      expect(await engine.sql.all(dates)).toEqual([{ at: 5 }, { at: 5 }, { at: 5 }]);
    });

    test('a transaction in which a failure was overlooked does not count as committed', async () => {
      const overlooked = engine.transaction(async (sql) => {
        await sql.insert('people', ann);
        await sql.run('SELECT 1 / 0').catch(() => undefined);
      });
      await expect(overlooked).rejects.toThrow(/division by zero/);
    });

    test('the rate limit allows a burst, and then as much as the rate says', async () => {
      const rate = { perSecond: 0.001, burst: 3 };
      const allowed: boolean[] = [];
      for (let request = 0; request < 5; request += 1) allowed.push(await isWithinRate(engine.sql, 1, rate));
      expect(allowed).toEqual([true, true, true, false, false]);
      expect(await isWithinRate(engine.sql, 2, rate)).toBe(true);
      await engine.sql.run('UPDATE rate_limits SET used_up_to = used_up_to - 1000 WHERE person_seq = 1');
      expect(await isWithinRate(engine.sql, 1, rate)).toBe(true);
      expect(await isWithinRate(engine.sql, 1, rate)).toBe(false);
    });

    test('a change is announced to its own process after the commit, and nothing that was rolled back is', async () => {
      const heard: (readonly number[])[] = [];
      engine.onChange((people) => void (people !== null && heard.push(people)));
      await engine
        .transaction(async (sql) => {
          await engine.announce(sql, [7]);
          throw new Error('no');
        })
        .catch(() => undefined);
      await engine.transaction(async (sql) => {
        await engine.announce(sql, [1, 2]);
        await engine.announce(sql, [2, 3]);
        expect(heard).toEqual([]);
      });
      expect(heard).toEqual([[1, 2, 3]]);
    });
  });

  describeMigrations(database);
}

function describeMigrations(database: () => TestDatabase): void {
  describe('migrations', () => {
    const withPool = async (work: (pool: Awaited<ReturnType<typeof openPool>>) => Promise<void>): Promise<void> => {
      const pool = await openPool(database());
      await database().drop();
      await work(pool).finally(() => pool.end());
      await database().drop();
    };

    test('an empty database gets all tables, and a second run finds nothing to do', () =>
      withPool(async (pool) => {
        expect(await migrate(pool)).toEqual({ from: 0, to: migrations.length });
        expect(await migrate(pool)).toEqual({ from: migrations.length, to: migrations.length });
      }));

    test('tables of an older version are changed only when that is asked for', () =>
      withPool(async (pool) => {
        await migrate(pool);
        const steps = [...migrations, 'CREATE TABLE added (seq bigint)'];
        const [known, needed] = [migrations.length, migrations.length + 1];
        await expect(checkVersion(pool, steps)).rejects.toThrow(
          `the tables of the database have version ${known}, and this program needs ${needed}; run msg-tui serve migrate`,
        );
        expect(await migrate(pool, steps)).toEqual({ from: known, to: needed });
        await checkVersion(pool, steps);
        await expect(checkVersion(pool)).rejects.toThrow(
          `have version ${needed}, and this program knows ${known} at most`,
        );
        await expect(migrate(pool)).rejects.toThrow(/at most/);
      }));

    test('reactions and attachments in tables of version 2 are read', () =>
      withPool(async (pool) => {
        const before = await openPostgres(database());
        await sendMessages(before);
        expect(await extrasOf(before)).toEqual(extrasSent);
        await before.close();
        await pool.query(`DROP FUNCTION note_extra() CASCADE; ALTER TABLE messages DROP COLUMN has_extras;
          DELETE FROM schema_versions WHERE version > 2; DEALLOCATE ALL`);
        expect(await migrate(pool)).toEqual({ from: 2, to: migrations.length });
        const after = await openPostgres(database());
        expect(await extrasOf(after)).toEqual(extrasSent);
        await after.close();
      }));

    test('a step that fails changes nothing', () =>
      withPool(async (pool) => {
        const broken = [...migrations, 'CREATE TABLE added (seq bigint); SELECT 1 / 0'];
        await expect(migrate(pool, broken)).rejects.toThrow(/division by zero/);
        const { rows } = await pool.query("SELECT to_regclass('people') AS people, to_regclass('added') AS added");
        expect(rows).toEqual([{ people: null, added: null }]);
      }));
  });
}
