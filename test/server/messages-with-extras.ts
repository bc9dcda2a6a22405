/** Three messages, for tests of tables of an older version: one has a reaction, one an attachment, and one has neither. */
import { decodeForm } from '../../src/protocol/form-decode.ts';
import { createService } from '../../src/server/rules/service.ts';
import type { DatabaseEngine } from '../../src/server/store/sql.ts';

const form = (text: string) => decodeForm(text);

/** To be called once for an empty database. */
export async function sendMessages(engine: DatabaseEngine): Promise<void> {
  const service = createService({ engine });
  const { id } = await service.admin.createUser({ username: 'ann' });
  const other = await service.admin.createUser({ username: 'bob' });
  const ann = (await service.store.people.byId(id))!;
  const { conversation } = await service.conversations.create(ann, form(`contact_id=${other.id}`));
  const send = (rest: string) => service.messages.send(ann, form(`conversation_id=${conversation.id}&${rest}`));
  const reacted = await send('message=one');
  await service.messages.update(ann, reacted.id, form('reactions[heart][]=ann'));
  await send('message=two&attachments[0][file_url]=https://files.example/plan.pdf');
  await send('message=three');
}

/** The number of reactions and of attachments of each message, newest first. */
export async function extrasOf(
  engine: DatabaseEngine,
): Promise<readonly (readonly [reactions: number, attachments: number])[]> {
  const service = createService({ engine });
  const ann = (await service.store.people.byUsername('ann'))!;
  const { data } = await service.messages.list(ann, new Map());
  return data.map(({ reactions, attachments }) => [reactions.length, attachments.length]);
}

export const extrasSent = [
  [0, 0],
  [0, 1],
  [1, 0],
];
