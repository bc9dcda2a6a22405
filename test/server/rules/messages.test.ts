/** The rules of messages on our server that the contract cannot show by requests. */
import { expect, test } from 'vitest';
import { decodeForm } from '../../../src/protocol/form-decode.ts';
import { createService } from '../../../src/server/rules/service.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';

test('attachments that come with a message have its time, also if a second passes in between', async () => {
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

test('somebody who was removed from a group can neither edit nor react, and can still delete own messages', async () => {
  const service = createService({ engine: openSqlite(openDatabase(':memory:')) });
  try {
    const { id } = await service.admin.createUser({ username: 'ann' });
    await service.admin.createUser({ username: 'bob' });
    const crew = await service.admin.createGroup('Crew', ['ann', 'bob']);
    const ann = (await service.store.people.byId(id))!;
    const { conversation } = await service.conversations.create(ann, decodeForm(`group_id=${crew.id}`));
    const sent = await service.messages.send(ann, decodeForm(`conversation_id=${conversation.id}&message=hello`));
    await service.admin.changeMembers('Crew', [], ['ann']);
    const outsider = { status: 403, message: 'You are not in this group any more.' };
    for (const form of ['message=other', 'reactions[like][]=ann', 'attachments='])
      await expect(service.messages.update(ann, sent.id, decodeForm(form))).rejects.toMatchObject(outsider);
    expect(await service.messages.retrieve(ann, sent.id)).toMatchObject({ message: 'hello', reactions: {} });
    await service.messages.delete(ann, sent.id);
    await expect(service.messages.retrieve(ann, sent.id)).rejects.toMatchObject({ status: 404 });
  } finally {
    await service.close();
  }
});
