/** Fills the cache of an account as if everything had been read once, and notes the newest conversation as the open one. */
import { createClient } from '../../src/api/client.ts';
import { fetchNewest, fetchOlder } from '../../src/api/paging/paging.ts';
import { profileDirectories } from '../../src/config/paths.ts';
import { noCapabilities, type ServerCapabilities } from '../../src/protocol/capabilities.ts';
import type { Conversation, ConversationId, Message } from '../../src/protocol/types.ts';
import { contactsIn } from '../../src/state/cache/conversations.ts';
import { openCache } from '../../src/storage/cache/open.ts';
import { openOutbox } from '../../src/storage/outbox/open.ts';
import { listAllConversations } from '../support/servers/list-all.ts';

const [server = '', token = '', home = '', histories = '200'] = process.argv.slice(2);
const where = profileDirectories({ data: `${home}/data/msg-tui`, cache: `${home}/cache/msg-tui` }, { server, token });
const outbox = openOutbox(where.data);
const cache = openCache(where.cache);
const client = createClient({ baseUrl: server, token });
let capabilities: ServerCapabilities = noCapabilities;

function keep(id: ConversationId, messages: readonly Message[]): void {
  const owned = messages.map((message) => ({ ...message, conversationId: id }));
  cache.saveMessages(id, owned);
  cache.saveContacts(contactsIn(owned));
}

async function readAll(id: ConversationId): Promise<void> {
  const newest = await fetchNewest({ client, conversationId: id, knownNewest: [], capabilities });
  if ('notModified' in newest) return;
  capabilities = newest.capabilities;
  keep(id, newest.messages);
  let known = newest.messages;
  for (let isAll = newest.complete; !isAll && known.length > 0; ) {
    const older = await fetchOlder({ client, conversationId: id, known, capabilities });
    capabilities = older.capabilities;
    keep(id, older.messages);
    known = older.messages;
    isAll = older.reachedStart || older.unreachable;
  }
  cache.saveReach(id, 'end', []);
}

let walked = await listAllConversations({ client, capabilities });
const list = new Map<ConversationId, Conversation>();
const keepList = (): void => {
  for (const one of walked.conversations) list.set(one.id, one);
};
keepList();
capabilities = walked.capabilities;
let { pages } = walked;
while (walked.resumeAt !== null) {
  walked = await listAllConversations({ client, capabilities, from: walked.resumeAt });
  keepList();
  pages += walked.pages;
}
cache.saveConversations([...list.values()]);
cache.saveListReading({ at: Date.now(), pages, leavesOutArchived: false });
const order = [...list.values()].toSorted((a, b) => (b.lastActiveAt ?? 0) - (a.lastActiveAt ?? 0));
for (const { id } of order.slice(0, Number(histories))) await readAll(id);
outbox.saveRecords(Object.entries(capabilities).map(([name, learned]) => ['capabilities', name, learned]));
outbox.saveRecords([['opened', '', order[0]?.id ?? null]]);
await client.close();
cache.close();
outbox.close();
