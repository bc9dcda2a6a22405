/** How many statements a request takes: on PostgreSQL each is a message to the database and back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { type OwnTarget, openOwnTarget } from '../../contract/target.ts';

const asked: string[] = [];
let target: OwnTarget;
let conversation: string;
let message: string;

beforeAll(async () => {
  const database = openDatabase(':memory:');
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    const recorded = (name: 'run' | 'get' | 'all') =>
      ((...parameters: Parameters<typeof statement.run>) => {
        asked.push(sql);
        return statement[name](...parameters);
      }) as never;
    return { run: recorded('run'), get: recorded('get'), all: recorded('all') };
  };
  const exec = (sql: string): void => database.exec(sql);
  target = await openOwnTarget({ engine: openSqlite({ exec, prepare, close: () => database.close() }) });
  conversation = await conversationWith(target, { contact_id: target.contactId });
  message = (await sendTo(target, conversation, 'one')).id;
  for (const name of ['👍', '🎉'])
    await call(target, 'PUT', `/v1/messages/${message}`, { form: { [`reactions[${name}][]`]: target.username } });
});
afterAll(() => target.close());

test('pages of all sizes are read by few statements, which the engine keeps prepared', async () => {
  asked.length = 0;
  for (let limit = 1; limit <= 100; limit += 1) {
    await call(target, 'GET', `/v1/messages?limit=${limit}&conversation_id=${conversation}`);
    await call(target, 'GET', `/v1/conversations?limit=${limit}`);
  }
  const lists = new Set(asked.filter((sql) => sql.includes('LIMIT')));
  expect([...lists].filter((sql) => sql.includes('LIMIT ?'))).toEqual([]);
  expect(lists.size).toBe(8);
});

test.each([
  ['the list of conversations', 2, () => call(target, 'GET', '/v1/conversations?limit=50')],
  ['a page of messages', 3, () => call(target, 'GET', `/v1/messages?limit=50&conversation_id=${conversation}`)],
  ['a message', 3, () => call(target, 'GET', `/v1/messages/${message}`)],
  ['a send, beside BEGIN and COMMIT', 7, () => sendTo(target, conversation, 'two')],
] as const)('%s takes %i statements', async (_, count, request) => {
  // Otherwise a list that was asked for before is not read again.
  await sendTo(target, conversation, 'news');
  asked.length = 0;
  await request();
  expect(asked.length, asked.join('\n')).toBe(count);
});
