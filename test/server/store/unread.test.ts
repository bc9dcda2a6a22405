import { expect, onTestFinished, test } from 'vitest';
import { createService } from '../../../src/server/rules/service.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';

test('a message that comes while a conversation is marked as read stays unread', async () => {
  const service = createService({ engine: openSqlite(openDatabase(':memory:')) });
  onTestFinished(() => service.close());
  const [ann, bob] = [
    await service.admin.createUser({ username: 'ann' }),
    await service.admin.createUser({ username: 'bob' }),
  ];
  const { conversation } = await service.conversations.create(ann, new Map([['contact_id', bob.id]]));
  const send = (message: string) =>
    service.messages.send(
      ann,
      new Map([
        ['conversation_id', conversation.id],
        ['message', message],
      ]),
    );
  await send('first');
  const [{ id } = { id: '' }] = (await service.conversations.list(bob, new Map())).data;
  const { seq } = (await service.store.conversations.byId(id, bob.seq))!;
  const { messages } = service.store;
  const { last, authors } = await messages.unread(seq);
  expect(authors).toEqual([ann.seq]);
  await send('second');
  await messages.markRead(seq, 1_800_000_000, last);
  const { data } = await service.messages.list(bob, new Map());
  expect(data.map(({ message, read_at }) => [message, read_at])).toEqual([
    ['second', null],
    ['first', 1_800_000_000],
  ]);
});
