/** A copy has everything that the original has, in both directions. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createService } from '../../../src/server/rules/service.ts';
import { importSeed } from '../../../src/server/seed/seed.ts';
import { copyDatabase, describeTables, tables } from '../../../src/server/store/copy.ts';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import type { DatabaseEngine, Sql } from '../../../src/server/store/sql.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import type { TestDatabase } from './databases.ts';

const seed = {
  users: [{ username: 'ann' }, { username: 'bob', phone_number: '+1 555 0100' }],
  contacts: [{ username: 'Änne' }],
  groups: [{ name: 'Crew', members: ['ann', 'bob', 'Änne'] }],
  conversations: [
    {
      group: 'Crew',
      messages: Array.from({ length: 600 }, (_, index) => ({
        from: 'bob',
        text: `it's "${index}" 👍\n`,
        at: index - 900,
      })),
    },
    {
      between: ['ann', 'bob'],
      messages: [
        {
          from: 'ann',
          text: 'hello',
          at: -60,
          reactions: { '👍': ['bob'] },
          attachments: [{ file_url: 'https://a.example/x' }],
        },
      ],
      state: { ann: { is_pinned: true, archived_at: -10, pinned_message: 0 } },
    },
  ],
};

/** A database in which every table has rows, and the last message was deleted; and the number of that message. */
async function fill(engine: DatabaseEngine): Promise<number> {
  const service = createService({ engine });
  await importSeed(service, seed);
  await service.admin.createToken('ann', 'laptop');
  const ann = await service.admin.person('ann');
  const list = await service.conversations.list(ann, new Map());
  const [first, second] = list.data;
  const form = new Map([
    ['conversation_id', first!.id],
    ['message', 'deleted soon'],
  ]);
  const sent = await service.messages.send(ann, form);
  const last = await engine.sql.get<{ seq: number }>('SELECT max(seq) AS seq FROM messages');
  await service.messages.delete(ann, sent.id);
  await service.conversations.delete(ann, second!.id);
  await service.transaction(async ({ store }) => {
    const kept = { request_digest: new Uint8Array([1, 0, 255]), status: 201, body: '{"id":"x"}' };
    await store.idempotency.save(ann.seq, 'key', kept, 1_800_000_000);
  });
  return last!.seq;
}

const openMemory = (): DatabaseEngine => openSqlite(openDatabase(':memory:'));

export function describeCopy(database: () => TestDatabase): void {
  describe('copy', () => {
    let postgres: DatabaseEngine;
    const opened: DatabaseEngine[] = [];
    const open = (): DatabaseEngine => {
      const engine = openMemory();
      opened.push(engine);
      return engine;
    };
    beforeEach(async () => {
      await database().clear();
      postgres = await openPostgres(database());
      opened.push(postgres);
    });
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close();
    });
    afterAll(() => database().clear());

    test('to PostgreSQL and back to SQLite has the same rows, and gives no number twice', async () => {
      const original = open();
      const lastNumber = await fill(original);
      const before = await original.snapshot(describeTables);
      expect(before.filter(({ rows }) => rows === 0)).toEqual([]);
      expect(await copyDatabase(original, postgres)).toEqual(before);
      const back = open();
      expect(await copyDatabase(postgres, back)).toEqual(before);
      expect(await back.sql.all("SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'")).toEqual([]);
      for (const engine of [postgres, back]) {
        const row = { id: 'new', thread_seq: 1, author_seq: 1, text: 'x', created_at: 1 };
        expect(await engine.transaction((sql) => sql.insert('messages', row))).toBeGreaterThan(lastNumber);
      }
      await expect(copyDatabase(back, postgres)).rejects.toThrow('the target is not empty: there are rows in people');
    });

    test('a target that differs afterwards is reported', async () => {
      const original = open();
      await fill(original);
      const forgetful: DatabaseEngine = {
        ...postgres,
        snapshot: async (work) => {
          await postgres.transaction((sql) => sql.run("UPDATE messages SET text = 'other' WHERE seq = 3"));
          return postgres.snapshot(work);
        },
      };
      await expect(copyDatabase(original, forgetful)).rejects.toThrow(/^the copy of messages differs/);
    });

    test('every column of every table is copied, except those that are computed', async () => {
      const wanted = tables.map(({ name, columns }) => [name, [...columns].sort()] as const).sort();
      expect(await columnsOfPostgres(postgres.sql)).toEqual(wanted);
      expect(await columnsOfSqlite(open().sql)).toEqual(wanted);
    });
  });
}

type Column = { readonly name: string; readonly column: string };

/** What belongs to one installation. */
const own = ['schema_versions', 'rate_limits'];

const columnsOfPostgres = async (sql: Sql) =>
  grouped(
    await sql.all<Column>(
      `SELECT table_name AS name, column_name AS "column" FROM information_schema.columns
       WHERE table_schema = 'public' AND is_generated = 'NEVER'`,
    ),
  );

const columnsOfSqlite = async (sql: Sql) =>
  grouped(
    await sql.all<Column>(
      `SELECT t.name AS name, c.name AS "column" FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.hidden = 0`,
    ),
  );

function grouped(rows: readonly Column[]) {
  const found = new Map<string, string[]>();
  for (const { name, column } of rows)
    if (!own.includes(name)) found.set(name, [...(found.get(name) ?? []), column].sort());
  return [...found].sort();
}
