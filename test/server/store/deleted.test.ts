/** What is deleted leaves the disk: the data file, the write-ahead log, and the answers kept for `Idempotency-Key`. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { call, conversationWith } from '../../contract/call.ts';
import { openOwnTarget } from '../../contract/target.ts';

const folder = mkdtempSync(join(tmpdir(), 'deleted-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = (path: string) => [path, `${path}-wal`].filter((file) => existsSync(file));
const holds = (path: string, text: string) => files(path).some((file) => readFileSync(file).includes(text));

const short = 'the-combination-of-the-safe-is-4711';
const long = `${'x'.repeat(6000)}the-name-of-the-rose${'y'.repeat(3000)}`;

async function sendAll(path: string) {
  const target = await openOwnTarget({ engine: openSqlite(openDatabase(path)) });
  const id = await conversationWith(target, { contact_id: target.silentId });
  const post = (message: string, key: string) =>
    call(target, 'POST', '/v1/messages', {
      form: { conversation_id: id, message },
      headers: { 'Idempotency-Key': key },
    });
  const sent = [await post(short, 'key-1'), await post(long, 'key-2')];
  expect(sent.map((reply) => reply.status)).toEqual([201, 201]);
  return { target, id, post, ids: sent.map((reply) => reply.json.id as string) };
}

test('a deleted message is in no file after some seconds, while the server runs', async () => {
  const path = join(folder, 'messages.db');
  const { target, ids, post } = await sendAll(path);
  expect(holds(path, short) && holds(path, 'the-name-of-the-rose')).toBe(true);
  for (const message of ids) expect((await call(target, 'DELETE', `/v1/messages/${message}`)).status).toBe(204);
  await expect.poll(() => holds(path, short) || holds(path, 'the-name-of-the-rose')).toBe(false);
  const again = await post(short, 'key-1');
  expect([again.status, again.json.code]).toEqual([404, 'not_found']);
  expect((await call(target, 'GET', '/v1/messages')).json.data).toEqual([]);
  await target.close();
});

test.each([
  ['the text of an edited message', { message: short }, { message: 'new' }],
  [
    'a removed attachment',
    { message: 'm', 'attachments[0][file_url]': `https://x.example/${short}` },
    { attachments: '' },
  ],
])('%s is in no file after some seconds', async (name, sent, change) => {
  const path = join(folder, `${name}.db`);
  const target = await openOwnTarget({ engine: openSqlite(openDatabase(path)) });
  const conversation = await conversationWith(target, { contact_id: target.silentId });
  const { json } = await call(target, 'POST', '/v1/messages', { form: { conversation_id: conversation, ...sent } });
  expect(holds(path, short)).toBe(true);
  expect((await call(target, 'PUT', `/v1/messages/${json.id}`, { form: change })).status).toBe(200);
  await expect.poll(() => holds(path, short), { timeout: 5000 }).toBe(false);
  await target.close();
});

test('a reaction that is taken back is in no file after some seconds', async () => {
  const path = join(folder, 'reaction.db');
  const { target, ids } = await sendAll(path);
  const react = (form: Record<string, string>) => call(target, 'PUT', `/v1/messages/${ids[0]}`, { form });
  expect((await react({ 'reactions[rare-name-of-it][]': target.username })).status).toBe(200);
  expect(holds(path, 'rare-name-of-it')).toBe(true);
  expect((await react({ reactions: '' })).status).toBe(200);
  await expect.poll(() => holds(path, 'rare-name-of-it'), { timeout: 5000 }).toBe(false);
  await target.close();
});

test('messages of a deleted conversation are in no file once the server has ended', async () => {
  const path = join(folder, 'conversation.db');
  const { target, id } = await sendAll(path);
  expect((await call(target, 'DELETE', `/v1/conversations/${id}`)).status).toBe(204);
  await target.close();
  expect(holds(path, short) || holds(path, 'the-name-of-the-rose')).toBe(false);
});
