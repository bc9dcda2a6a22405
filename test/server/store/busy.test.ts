/** What another process that writes to the same data file, and a full disk, mean for those who ask the server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createService } from '../../../src/server/rules/service.ts';
import { importSeed } from '../../../src/server/seed/seed.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { openOwnTarget } from '../../contract/target.ts';

const folder = mkdtempSync(join(tmpdir(), 'busy-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a write beside a long transaction gets 503 soon, reading goes on, and nothing is logged', async () => {
  const path = join(folder, 'locked.db');
  const failures: unknown[] = [];
  const target = await openOwnTarget({
    engine: openSqlite(openDatabase(path), { busyTimeoutMs: 250 }),
    onFailure: (error) => void failures.push(error),
  });
  const id = await conversationWith(target, { contact_id: target.contactId });
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  const started = performance.now();
  const [refused, read] = await Promise.all([
    call(target, 'POST', '/v1/messages', { form: { conversation_id: id, message: 'x' } }),
    call(target, 'GET', '/v1/messages'),
  ]);
  // The other transaction does not end before the answer; the limit leaves room for a busy machine.
  expect(performance.now() - started).toBeLessThan(30_000);
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '1']);
  expect(read.status).toBe(200);
  expect(failures).toEqual([]);
  other.exec('ROLLBACK');
  await sendTo(target, id, 'x');
  expect((await call(target, 'GET', '/v1/messages')).json.data).toHaveLength(1);
  other.close();
  await target.close();
});

test('a data file is opened, and its people are listed, while another process writes for long', async () => {
  const path = join(folder, 'opened.db');
  const first = createService({ engine: openSqlite(openDatabase(path)) });
  await first.admin.createUser({ username: 'ann' });
  await first.close();
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  const second = createService({ engine: openSqlite(openDatabase(path), { busyTimeoutMs: 0 }) });
  expect((await second.admin.users()).map(({ username }) => username)).toEqual(['ann']);
  other.exec('ROLLBACK');
  other.close();
  await second.close();
});

test('a write that finds the disk full gets 503, and the next one with room is carried out', async () => {
  const database = openDatabase(join(folder, 'full.db'));
  const failures: unknown[] = [];
  const target = await openOwnTarget({
    engine: openSqlite(database),
    onFailure: (error) => void failures.push(error),
  });
  const id = await conversationWith(target, { contact_id: target.contactId });
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  // To SQLite this limit is the same as a full disk.
  database.exec(`PRAGMA max_page_count = ${pages + 1}`);
  const form = { conversation_id: id, message: 'x'.repeat(9_000) };
  const refused = await call(target, 'POST', '/v1/messages', { form });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  database.exec('PRAGMA max_page_count = 100000');
  expect((await call(target, 'POST', '/v1/messages', { form })).status).toBe(201);
  expect((await call(target, 'GET', '/v1/messages')).json.data).toHaveLength(1);
  expect(failures).toEqual([]);
  await target.close();
});

test('a message for which a full disk had no room is posted when the same request is sent again', async () => {
  const database = openDatabase(join(folder, 'again.db'));
  const disk = { isFull: false };
  // Where the pages of a transaction are more than SQLite keeps in memory, a statement finds the disk full before the commit.
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    if (!sql.startsWith('INSERT INTO messages')) return statement;
    const run = (...values: Parameters<typeof statement.run>) => {
      if (!disk.isFull) return statement.run(...values);
      database.exec('ROLLBACK');
      throw new Error('database or disk is full');
    };
    return { run, get: statement.get.bind(statement), all: statement.all.bind(statement) };
  };
  const exec = database.exec.bind(database);
  const target = await openOwnTarget({ engine: openSqlite({ exec, prepare, close: () => database.close() }) });
  const id = await conversationWith(target, { contact_id: target.contactId });
  const send = () =>
    call(target, 'POST', '/v1/messages', {
      form: { conversation_id: id, message: 'x' },
      headers: { 'idempotency-key': 'k' },
    });
  disk.isFull = true;
  expect((await send()).status).toBe(503);
  expect((await call(target, 'GET', '/v1/conversations')).json.data[0].last_active_at).toBeNull();
  disk.isFull = false;
  const sent = await send();
  expect(sent.status).toBe(201);
  expect((await call(target, 'GET', '/v1/messages')).json.data).toEqual([sent.json]);
  await target.close();
});

test('between the blocks of an import others can write, and what is wrong is found before the first', async () => {
  const path = join(folder, 'seeded.db');
  const importing = createService({ engine: openSqlite(openDatabase(path)) });
  const beside = createService({ engine: openSqlite(openDatabase(path)) });
  const messages = Array.from({ length: 1200 }, (_, n) => ({ from: 'ann', text: `#${n}`, at: -2000 + n }));
  const seed = { users: [{ username: 'ann' }, { username: 'bob' }] };
  const wrong = [...messages, { from: 'ann', text: 'x', at: -1, reactions: { '👍': ['zed'] } }];
  await expect(
    importSeed(importing, { ...seed, conversations: [{ between: ['ann', 'bob'], messages: wrong }] }),
  ).rejects.toThrow('zed');
  expect(await beside.admin.users()).toEqual([]);
  let pauses = 0;
  await importSeed(importing, { ...seed, conversations: [{ between: ['ann', 'bob'], messages }] }, async () => {
    pauses += 1;
    await beside.admin.createContact({ username: `contact-${pauses}` });
  });
  expect(pauses).toBeGreaterThanOrEqual(3);
  expect(await beside.admin.contacts()).toHaveLength(pauses);
  const [newest] = (await beside.messages.list(await beside.admin.person('bob'), new Map())).data;
  expect(newest?.message).toBe('#1199');
  await importing.close();
  await beside.close();
});
