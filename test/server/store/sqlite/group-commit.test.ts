/** Writes that are asked for at the same time share a commit, and each is still a transaction of its own. */
import { expect, test } from 'vitest';
import { createService } from '../../../../src/server/rules/service.ts';
import { openSqlite } from '../../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../../src/storage/sqlite/driver.ts';

/** Counts the commits, and fails statements while `isFull`, as a full disk does: the transaction is then over. */
function countingDatabase() {
  const database = openDatabase(':memory:');
  const seen = { commits: 0, isFull: false };
  const exec = (sql: string): void => {
    if (sql === 'COMMIT') seen.commits += 1;
    if (sql === 'RELEASE member' && seen.isFull) {
      database.exec('ROLLBACK');
      throw new Error('database or disk is full');
    }
    database.exec(sql);
  };
  return { seen, database: { exec, prepare: database.prepare.bind(database), close: () => database.close() } };
}

const insert = 'INSERT INTO chat_groups (id, name, created_at) VALUES (?, ?, 0)';

function open() {
  const { seen, database } = countingDatabase();
  const engine = openSqlite(database);
  const names = async () =>
    (await engine.sql.all<{ id: string }>('SELECT id FROM chat_groups ORDER BY seq')).map(({ id }) => id);
  const add = (id: string) => engine.transaction((sql) => sql.run(insert, id, id));
  seen.commits = 0;
  return { seen, engine, names, add };
}

test('fifty writes at once need one commit, in the order in which they were requested', async () => {
  const { seen, engine, names, add } = open();
  const ids = Array.from({ length: 50 }, (_, n) => `g${n}`);
  await Promise.all(ids.map(add));
  expect(seen.commits).toBe(1);
  expect(await names()).toEqual(ids);
  await engine.close();
});

test('a write that fails does not affect the others', async () => {
  const { engine, names, add } = open();
  const refused = engine.transaction(async (sql) => {
    await sql.run(insert, 'half', 'half');
    throw new Error('refused');
  });
  const results = await Promise.allSettled([add('a'), refused, add('b'), add('a')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(await names()).toEqual(['a', 'b']);
  await engine.close();
});

test('no write is answered as done when the disk is full', async () => {
  const { seen, engine, names, add } = open();
  seen.isFull = true;
  const results = await Promise.allSettled([add('a'), add('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  seen.isFull = false;
  await add('c');
  expect(await names()).toEqual(['c']);
  await engine.close();
});

test('messages sent at the same time are all stored, each once', async () => {
  const service = createService({ engine: openSqlite(openDatabase(':memory:')) });
  const ann = await service.admin.createUser({ username: 'ann' });
  const bob = await service.admin.createUser({ username: 'bob' });
  const { conversation } = await service.conversations.create(ann, new Map([['contact_id', bob.id]]));
  const texts = Array.from({ length: 30 }, (_, n) => `#${n}`);
  const send = (message: string) =>
    service.messages.send(
      ann,
      new Map([
        ['conversation_id', conversation.id],
        ['message', message],
      ]),
    );
  await Promise.all(texts.map(send));
  const { data } = await service.messages.list(bob, new Map([['limit', '100']]));
  expect(data.map(({ message }) => message).reverse()).toEqual(texts);
  await service.close();
});
