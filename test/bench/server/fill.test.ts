import { expect, test } from 'vitest';
import { createService } from '../../../src/server/rules/service.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { conversationOf, fill, tokenOf } from './fill.ts';

test('the data of the benchmark are conversations that can be read and written to', async () => {
  const engine = openSqlite(openDatabase(':memory:'));
  await fill(engine, { users: 4, messages: 100 });
  const service = createService({ engine });
  const caller = (await service.authenticate(tokenOf(3)))!;
  const query = new Map([['conversation_id', conversationOf(3)]]);
  const list = await service.messages.list(caller, new Map([...query, ['limit', '50']]));
  expect(list.data).toHaveLength(50);
  expect(new Set(list.data.map(({ contact }) => contact.username))).toEqual(new Set(['user3', 'user4']));
  const sent = await service.messages.send(caller, new Map([...query, ['message', 'hello']]));
  const other = (await service.authenticate(tokenOf(4)))!;
  expect((await service.messages.list(other, new Map())).data[0]?.id).toBe(sent.id);
  await service.close();
});
