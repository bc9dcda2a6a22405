/** The rules of messages on our server that the contract cannot show by requests. */
import { expect, test } from 'vitest';
import { decodeForm } from '../../../src/protocol/form-decode.ts';
import { createService } from '../../../src/server/rules/service.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';

test('attachments that come with a message have its time, also where a second passes in between', async () => {
  let second = 1_750_000_000;
  const service = createService({ engine: openSqlite(openDatabase(':memory:')), now: () => second++ });
  try {
    const { id } = await service.admin.createUser({ username: 'ann' });
    const other = await service.admin.createUser({ username: 'bob' });
    const ann = (await service.store.people.byId(id))!;
    const { conversation } = await service.conversations.create(ann, decodeForm(`contact_id=${other.id}`));
    const addresses = [0, 1].map((index) => `attachments[${index}][file_url]=https://files.example/${index}`).join('&');
    const sent = await service.messages.send(
      ann,
      decodeForm(`conversation_id=${conversation.id}&message=see&${addresses}`),
    );
    expect(sent.attachments.map(({ created_at }) => created_at)).toEqual([sent.created_at, sent.created_at]);
    const added = 'attachments[0][file_url]=https://files.example/2';
    const { attachments } = await service.messages.update(ann, sent.id, decodeForm(added));
    expect(attachments.at(-1)?.created_at).toBeGreaterThan(sent.created_at);
  } finally {
    await service.close();
  }
});
