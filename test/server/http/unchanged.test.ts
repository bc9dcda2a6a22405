/**
 * A list that has not changed is not read again: it is answered with 304, or with the text that was made before, and every
 * change that it shows ends that.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { type OwnTarget, openOwnTarget } from '../../contract/target.ts';

const asked: string[] = [];
let clock = 1_800_000_000;
let target: OwnTarget;
let conversation: string;

beforeAll(async () => {
  const database = openDatabase(':memory:');
  const recorded = (sql: string) => {
    const statement = database.prepare(sql);
    const record =
      <P extends readonly unknown[], R>(use: (...parameters: P) => R) =>
      (...parameters: P): R => {
        asked.push(sql);
        return use(...parameters);
      };
    return {
      run: record(statement.run.bind(statement)),
      get: record(statement.get.bind(statement)),
      all: record(statement.all.bind(statement)),
    };
  };
  const engine = openSqlite({
    exec: (sql) => database.exec(sql),
    prepare: recorded,
    close: () => database.close(),
  });
  target = await openOwnTarget({ engine, now: () => clock });
  conversation = await conversationWith(target, { contact_id: target.contactId });
  await sendTo(target, conversation, 'one');
});
afterAll(() => target.close());

const lists = ['/v1/messages?limit=5', '/v1/conversations?limit=5'];

async function poll(path: string, tag: string) {
  asked.length = 0;
  const { status, headers } = await call(target, 'GET', path, { headers: { 'If-None-Match': tag } });
  return { status, tag: headers.get('etag') ?? '', statements: [...asked] };
}

const readsOfLists = (statements: readonly string[]): readonly string[] =>
  statements.filter((sql) => /FROM (deliveries|conversations|reactions|attachments)/.test(sql));

test.each(lists)('%s is not read again as long as nothing has changed', async (path) => {
  const { tag } = await poll(path, '"none"');
  const { status, tag: same, statements } = await poll(path, tag);
  expect([status, same]).toEqual([304, tag]);
  expect(readsOfLists(statements)).toEqual([]);
});

test.each(lists)('%s is not read again for a caller who sends no validator', async (path) => {
  const first = await call(target, 'GET', path);
  asked.length = 0;
  const second = await call(target, 'GET', path);
  expect(readsOfLists(asked)).toEqual([]);
  expect([second.status, second.json]).toEqual([200, first.json]);
  expect([...second.headers.keys()]).toEqual([...first.headers.keys()]);
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
});

test('a stored list is used for one user, address and query only', async () => {
  await sendTo(target, conversation, 'another');
  const one = await call(target, 'GET', '/v1/messages?limit=1');
  expect((await call(target, 'GET', '/v1/messages?limit=100')).json.data).not.toEqual(one.json.data);
  const theirs = (await call(other(), 'GET', '/v1/messages?limit=1')).json.data;
  expect(theirs[0].conversation_id).not.toBe(one.json.data[0].conversation_id);
  expect((await call(target, 'GET', '/v1/conversations?limit=1')).json.data).not.toEqual(one.json.data);
});

const other = () => ({ url: target.url, token: target.other.token });
const bobsConversation = async () => conversationWith(other(), { contact_id: target.silentId });

const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a message of one’s own', () => sendTo(target, conversation, 'two')],
  [
    'a message of somebody else',
    async () => {
      const { json } = await call(other(), 'GET', '/v1/conversations');
      await sendTo(other(), json.data[0].id, 'three');
    },
  ],
];

test.each(changes)('both lists are read anew after %s', async (_, change) => {
  const tags = await Promise.all(lists.map(async (path) => (await poll(path, '"none"')).tag));
  clock += 1;
  await change();
  const now = await Promise.all(lists.map(async (path, index) => (await poll(path, tags[index]!)).status));
  expect(now).toEqual([200, 200]);
});

async function newest(): Promise<string> {
  return (await call(target, 'GET', '/v1/messages?limit=1')).json.data[0].id;
}

const changesOfMessages: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'a reaction of somebody else',
    async () => call(other(), 'PUT', `/v1/messages/${await newest()}`, { form: { 'reactions[ok][]': 'bob' } }),
  ],
  [
    'an edit of somebody else',
    async () => call(other(), 'PUT', `/v1/messages/${await newest()}`, { form: { message: 'edited' } }),
  ],
  // The author was active elsewhere, where the reader sees nothing but that.
  ['the author wrote to another person', async () => sendTo(other(), await bobsConversation(), 'elsewhere')],
  ['a deletion by somebody else', async () => call(other(), 'DELETE', `/v1/messages/${await newest()}`)],
  [
    'the first reading by somebody else',
    async () => {
      await sendTo(target, conversation, 'four');
      await poll(lists[0]!, '"none"');
      const { json } = await call(other(), 'GET', '/v1/conversations');
      const mine = json.data.find((one: { contact_id: string }) => one.contact_id !== target.silentId);
      await call(other(), 'GET', `/v1/conversations/${mine.id}`);
    },
  ],
];

test.each(changesOfMessages)('the messages are read anew after %s', async (_, change) => {
  const { tag } = await poll(lists[0]!, '"none"');
  clock += 1;
  await change();
  expect((await poll(lists[0]!, tag)).status).toBe(200);
});

test('the conversations are read anew after one is muted, opened or deleted', async () => {
  for (const [method, form] of [['PUT', { is_muted: 'true' }], ['GET'], ['DELETE']] as const) {
    const { tag } = await poll(lists[1]!, '"none"');
    clock += 1;
    await call(target, method, `/v1/conversations/${conversation}`, form === undefined ? {} : { form });
    expect((await poll(lists[1]!, tag)).status).toBe(200);
  }
});
