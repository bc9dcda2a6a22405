/** The client against our own server over HTTP: every operation, and a history walked to its start. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Client } from '../../src/api/operations.ts';
import { fetchNewest, fetchOlder } from '../../src/api/paging/paging.ts';
import { noCapabilities } from '../../src/protocol/capabilities.ts';
import { type OwnTarget, openOwnTarget } from '../contract/target.ts';
import { factsOf } from '../support/builders/api-errors.ts';
import { listAllConversations } from '../support/servers/list-all.ts';

let target: OwnTarget;
let client: Client;
beforeAll(async () => {
  target = await openOwnTarget();
  client = createClient({ baseUrl: target.url, token: target.token });
});
afterAll(async () => {
  await client.close();
  await target.close();
});

test('each of the ten operations works', async () => {
  const { value: room } = await client.createConversation({ contactId: target.contactId, idempotencyKey: 'k1' });
  const { value: sent } = await client.sendMessage({
    conversationId: room.id,
    message: 'Grüße & [brackets] + 100%\n👍',
    attachments: [{ filename: 'a b.pdf', file_url: 'https://x.example/a?b=1&c' }],
    idempotencyKey: 'k2',
  });
  expect(sent).toMatchObject({ text: 'Grüße & [brackets] + 100%\n👍', attachments: [{ label: 'a b.pdf' }] });
  const files = { conversationId: room.id, message: '', idempotencyKey: 'files' };
  const alone = await client.sendMessage({
    ...files,
    attachments: [
      { file_url: 'https://x.example/ü?a=[1]&b=%20#é', filename: '=&+ 👍.png', file_size: '12' },
      { file_url: 'https://x.example/b', file_type: 'text/plain' },
    ],
  });
  expect(alone.value).toMatchObject({
    text: '',
    attachments: [
      { label: '=&+ 👍.png', url: 'https://x.example/ü?a=[1]&b=%20#é', size: 12 },
      { label: 'b', mediaType: 'text/plain' },
    ],
  });
  await client.deleteMessage(alone.value.id);
  const reacted = await client.updateMessage(sent.id, { reactions: [{ name: '👍', by: ['ann'] }] });
  expect(reacted.value.reactions).toEqual([{ name: '👍', by: ['ann'] }]);
  const removed = await client.updateMessage(sent.id, { reactions: [{ name: '👍', by: [] }] });
  expect(removed.value.reactions).toEqual([]);
  expect((await client.updateMessage(sent.id, { message: 'new' })).value.text).toBe('new');
  expect((await client.retrieveMessage(sent.id)).value.text).toBe('new');
  const updated = await client.updateConversation(room.id, { isPinned: true, isMuted: true, pinnedMessageId: sent.id });
  expect(updated.value).toMatchObject({ isPinned: true, isMuted: true, pinnedMessageId: sent.id });
  expect((await client.updateConversation(room.id, { pinnedMessageId: '' })).value.pinnedMessageId).toBeNull();
  expect((await client.retrieveConversation(room.id)).value.isPinned).toBe(true);
  const first = await client.listConversations({ pinned: true });
  const etag = 'notModified' in first ? null : first.etag;
  expect(await client.listConversations({ pinned: true, ifNoneMatch: etag ?? '' })).toEqual({ notModified: true });
  await client.deleteMessage(sent.id);
  expect((await factsOf(client.deleteMessage(sent.id))).kind).toBe('not-found');
  await client.deleteConversation(room.id);
  const listed = await listAllConversations({ client, capabilities: noCapabilities });
  expect(listed).toMatchObject({ conversations: [], complete: true });
});

test('a history of three pages is read to its start', async () => {
  const { value: room } = await client.createConversation({ groupId: target.groupId, idempotencyKey: 'k3' });
  const texts = Array.from({ length: 120 }, (_, index) => `message ${index}`);
  for (const message of texts) {
    await client.sendMessage({ conversationId: room.id, message, idempotencyKey: message.replace(' ', '-') });
  }
  const conversationId = room.id;
  const newest = await fetchNewest({ client, conversationId, knownNewest: [], capabilities: noCapabilities });
  if ('notModified' in newest) throw new Error('not modified');
  let { messages: known, capabilities } = newest;
  for (let rounds = 0; rounds < 5; rounds += 1) {
    const older = await fetchOlder({ client, conversationId, known, capabilities });
    known = [...older.messages, ...known];
    capabilities = older.capabilities;
    if (older.reachedStart) break;
  }
  // All of them within a few seconds of the clock: ties are kept in the server's order.
  expect(known.map((message) => message.text)).toEqual(texts);
  expect(capabilities.messagePaging?.value).toEqual({ kind: 'parameter', name: 'starting_after' });
  const knownNewest = known.map((message) => message.id);
  const ifNoneMatch = newest.etag ?? '';
  expect(await fetchNewest({ client, conversationId, knownNewest, capabilities, ifNoneMatch })).toEqual({
    notModified: true,
  });
});
