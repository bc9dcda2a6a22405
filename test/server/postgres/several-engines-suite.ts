/** What holds between several connections and processes, each of which is an engine of its own here. */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createService } from '../../../src/server/rules/service.ts';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import { migrations } from '../../../src/server/store/postgres/schema.ts';
import { type DatabaseEngine, DatabaseUnavailable } from '../../../src/server/store/sql.ts';
import type { TestDatabase } from './databases.ts';

/** A new attempt to connect waits for half a second. */
const patience = { timeout: 30_000 };

const person = (username: string) => ({ id: username, username, is_user: 1, created_at: 1 });

export function describeSeveralEngines(database: () => TestDatabase): void {
  describe('several engines on one database', () => {
    let one: DatabaseEngine;
    let other: DatabaseEngine;
    beforeEach(async () => {
      await database().clear();
      [one, other] = await Promise.all([openPostgres(database()), openPostgres(database())]);
    });
    afterEach(async () => {
      await Promise.all([one.close(), other.close()]);
    });
    afterAll(() => database().clear());

    /** Ends all connections of the engines, as a restart of the database server does. */
    const cutConnections = async (): Promise<void> => {
      const client = new pg.Client({ connectionString: database().url });
      await client.connect();
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'msg-tui' AND datname = current_database()",
      );
      await client.end();
    };

    test('both create the tables of an empty database at once', async () => {
      expect(await other.sql.all('SELECT version FROM schema_versions')).toHaveLength(migrations.length);
    });

    test('an insert of a row that another engine has just inserted reads it again', async () => {
      let runs = 0;
      const add = (engine: DatabaseEngine) =>
        engine.transaction(async (sql) => {
          runs += 1;
          const found = await sql.get<{ seq: number }>('SELECT seq FROM people WHERE id = ?', 'ann');
          await sql.run('SELECT pg_sleep(0.05)');
          return found?.seq ?? (await sql.insert('people', person('ann')));
        });
      const [first, second] = await Promise.all([add(one), add(other)]);
      expect(first).toBe(second);
      expect(runs).toBe(3);
    });

    test('a user who is being removed gets no token', async () => {
      const removing = createService({ engine: one });
      const adding = createService({ engine: other });
      await removing.admin.createUser({ username: 'ann' });
      const asked: Promise<unknown>[] = [];
      await removing.transaction(async ({ admin }) => {
        await admin.removeUser('ann');
        asked.push(adding.admin.createToken('ann').then(() => 'created', String));
        // Until the transaction ends, the other connection still finds a user.
        await setTimeout(300);
      });
      expect(await asked[0]).toContain('ann is a contact and not a user');
      expect(await adding.admin.tokens()).toEqual([]);
    });

    test('a deadlock is resolved without the caller noticing', async () => {
      const [ann, bob] = await one.transaction(async (sql) => [
        await sql.insert('people', person('ann')),
        await sql.insert('people', person('bob')),
      ]);
      const touch = (engine: DatabaseEngine, seqs: readonly number[]) =>
        engine.transaction(async (sql) => {
          for (const seq of seqs) {
            await sql.run('UPDATE people SET created_at = created_at + 1 WHERE seq = ?', seq);
            await sql.run('SELECT pg_sleep(0.05)');
          }
        });
      await Promise.all([touch(one, [ann!, bob!]), touch(other, [bob!, ann!])]);
      expect(await one.sql.all('SELECT created_at FROM people')).toEqual([{ created_at: 3 }, { created_at: 3 }]);
    });

    test('each engine hears of the changes of the other, and of its own once', async () => {
      const heard: (readonly number[])[] = [];
      let missed = 0;
      other.onChange((people) => {
        if (people === null) missed += 1;
        else heard.push(people);
      });
      await vi.waitFor(() => expect(missed).toBe(1), patience);
      const many = Array.from({ length: 3000 }, (_, index) => 1_000_000_000 + index);
      await one.transaction((sql) => one.announce(sql, many));
      await vi.waitFor(() => expect(heard.flat().length).toBe(many.length), patience);
      expect(new Set(heard.flat())).toEqual(new Set(many));
      await other.transaction((sql) => other.announce(sql, [5]));
      await one.transaction((sql) => one.announce(sql, [6]));
      await vi.waitFor(() => expect(heard.flat()).toContain(6), patience);
      expect(heard.flat().filter((seq) => seq === 5)).toEqual([5]);
    });

    test('when the connections are lost, new ones take their place, and missed changes are reported', async () => {
      const heard: (readonly number[] | null)[] = [];
      other.onChange((people) => void heard.push(people));
      await vi.waitFor(() => expect(heard.length).toBe(1), patience);
      await other.transaction((sql) => sql.insert('people', person('ann')));
      await cutConnections();
      await vi.waitFor(() => expect(heard.length).toBe(2), patience);
      expect(heard[1]).toBeNull();
      expect(await other.sql.all('SELECT username FROM people')).toEqual([{ username: 'ann' }]);
      await one.transaction((sql) => one.announce(sql, [1]));
      await vi.waitFor(() => expect(heard.length).toBe(3), patience);
      expect(heard[2]).toEqual([1]);
    });

    test('a connection that is lost within a transaction rolls it back and is reported as such', async () => {
      const cut = one.transaction(async (sql) => {
        await sql.insert('people', person('ann'));
        await cutConnections();
        await sql.insert('people', person('bob'));
      });
      await expect(cut).rejects.toThrow(DatabaseUnavailable);
      expect(await one.sql.all('SELECT username FROM people')).toEqual([]);
    });

    test('a lock that is not released in time is reported as such, also if another statement was sent after it', async () => {
      await one.transaction((sql) => sql.insert('people', person('ann')));
      let unlock = (): void => undefined;
      let isLocked = (): void => undefined;
      const locked = new Promise<void>((resolve) => {
        isLocked = resolve;
      });
      const holding = one.transaction(async (sql) => {
        await sql.run('SELECT 1 FROM people FOR UPDATE');
        isLocked();
        await new Promise<void>((resolve) => {
          unlock = resolve;
        });
      });
      await locked;
      const waiting = other.transaction(async (sql) => {
        await sql.run("SELECT set_config('lock_timeout', '100', true)");
        await Promise.all([
          sql.all('SELECT 1 FROM people FOR UPDATE').then((rows) => rows),
          sql.all('SELECT 1 FROM people'),
        ]);
      });
      await expect(waiting).rejects.toThrow(DatabaseUnavailable);
      unlock();
      await holding;
    });

    test('a snapshot does not see what is committed meanwhile, and cannot write', async () => {
      await one.snapshot(async (sql) => {
        expect(await sql.all('SELECT id FROM people')).toEqual([]);
        await other.transaction((inside) => inside.insert('people', person('ann')));
        expect(await sql.all('SELECT id FROM people')).toEqual([]);
      });
      await expect(one.snapshot((sql) => sql.insert('people', person('bob')))).rejects.toThrow(/read-only/);
    });
  });
}
