/** The conversations of the demo as a client gets them from the server. */
import { onTestFinished } from 'vitest';
import type { ArchiveSource } from '../../../src/cli/archive/entries.ts';
import { parseConversation, parseMessage } from '../../../src/protocol/parse.ts';
import { seedDemo } from '../../../src/server/demo/seed-demo.ts';
import { startServer } from '../../../src/server/http/start.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { createArchive } from '../../../src/storage/cache/archive-file.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';

interface List {
  readonly data: readonly unknown[];
}

export async function demoSource(): Promise<ArchiveSource> {
  const { service, url, close } = await startServer({ engine: openSqlite(openDatabase(':memory:')), port: 0 });
  onTestFinished(close);
  const { token, user } = await seedDemo(service);
  const list = async (path: string): Promise<readonly unknown[]> => {
    const answer = await fetch(`${url}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as List).data;
  };
  const { cache } = createArchive(null);
  for (const value of await list('conversations?limit=100')) {
    const conversation = parseConversation(value);
    if (conversation === null) throw new Error('a conversation was not understood');
    const rows = await list(`messages?limit=100&conversation_id=${conversation.id}`);
    const messages = rows.flatMap((row) => parseMessage(row) ?? []);
    cache.saveConversations([conversation]);
    cache.saveContacts(messages.flatMap(({ contact }) => contact ?? []));
    cache.saveMessages(conversation.id, messages);
    cache.saveReach(conversation.id, 'end', []);
  }
  const names = new Map((await service.admin.groups()).map(({ id, name }) => [id, name]));
  return { server: url, me: { contactId: String(user.id), username: user.username }, names, cache };
}
