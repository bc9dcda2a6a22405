/**
 * Three processes on one database, behind a proxy, while one after the other is killed: nothing that was answered with
 * 201 is lost, nothing is there twice, and nobody who follows a list misses a message. Needs a real server.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService } from '../../../src/server/rules/service.ts';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import { type Caller, conversationWith } from '../../contract/call.ts';
import { hasRealServer, openRealDatabase, type TestDatabase } from './databases.ts';
import { openServeProcesses, type ServeProcesses } from './serve-processes.ts';

const names = ['ann', 'bob', 'cyd', 'dan'] as const;
const messagesOfEach = 40;
const kills = 4;

interface Message {
  readonly id: string;
  readonly message: string;
}

/** Users with a token each, in one group. */
async function addPeople(url: string) {
  const service = createService({ engine: await openPostgres({ url }) });
  const tokens: string[] = [];
  for (const username of names) {
    await service.admin.createUser({ username });
    tokens.push((await service.admin.createToken(username)).token);
  }
  const group = await service.admin.createGroup('Crew', names);
  await service.close();
  return { groupId: group.id, tokens };
}

describe.skipIf(!hasRealServer)('three processes, one of which is killed again and again', () => {
  let database: TestDatabase;
  let processes: ServeProcesses;
  let callers: readonly Caller[];
  const conversations: string[] = [];
  const acknowledged = new Map<string, string>();
  let stillSending = true;

  beforeAll(async () => {
    database = await openRealDatabase();
    processes = await openServeProcesses(database.url, 3);
    const { groupId, tokens } = await addPeople(database.url);
    callers = tokens.map((token) => ({ url: processes.url, token }));
    for (const caller of callers) conversations.push(await conversationWith(caller, { group_id: groupId }));
  });
  afterAll(async () => {
    await processes?.close();
    await database?.close();
  });

  /** Asks again until there is an answer of the server itself. */
  const persist = async ({ url, token }: Caller, path: string, init: RequestInit = {}): Promise<Response> => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const headers = { authorization: `Bearer ${token}`, ...init.headers };
      const response = await fetch(`${url}${path}`, { ...init, headers }).catch(() => null);
      if (response !== null && response.status < 500) return response;
      await response?.arrayBuffer().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no answer to ${path}`);
  };

  const send = async (caller: Caller, conversationId: string, text: string): Promise<void> => {
    const response = await persist(caller, '/v1/messages', {
      method: 'POST',
      body: new URLSearchParams({ conversation_id: conversationId, message: text }),
      headers: { 'idempotency-key': text.replaceAll(' ', '-') },
    });
    expect(response.status).toBe(201);
    acknowledged.set(text, ((await response.json()) as Message).id);
  };

  /** Reads what is newer than what it has seen, again and again, as a client does. */
  const follow = async (caller: Caller, first: string): Promise<readonly string[]> => {
    const seen = [first];
    for (let wasSending = true; wasSending; ) {
      wasSending = stillSending;
      for (let more = true; more; ) {
        const response = await persist(caller, `/v1/messages?limit=100&ending_before=${seen.at(-1)}`);
        const page = (await response.json()) as { data: Message[]; has_more: boolean };
        seen.push(...page.data.map(({ id }) => id).reverse());
        more = page.has_more;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return seen;
  };

  /** The whole list, the oldest first. */
  const readAll = async (caller: Caller): Promise<readonly Message[]> => {
    const all: Message[] = [];
    for (let more = true; more; ) {
      const after = all.length === 0 ? '' : `&starting_after=${all.at(-1)?.id}`;
      const page = (await (await persist(caller, `/v1/messages?limit=100${after}`)).json()) as {
        data: Message[];
        has_more: boolean;
      };
      all.push(...page.data);
      more = page.has_more;
    }
    return all.reverse();
  };

  test('nothing is lost, nothing is there twice, and all see the same order', async () => {
    await send(callers[0]!, conversations[0]!, 'first');
    const first = acknowledged.get('first') ?? '';
    const followers = callers.map((caller) => follow(caller, first));
    const killing = (async () => {
      for (let count = 0; count < kills; count += 1) {
        await processes.kill(count % 3);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    })();
    await Promise.all(
      callers.map(async (caller, index) => {
        for (let count = 0; count < messagesOfEach; count += 1)
          await send(caller, conversations[index]!, `${names[index]} ${count}`);
      }),
    );
    await killing;
    stillSending = false;
    const lists = await Promise.all(callers.map(readAll));
    const ids = lists[0]!.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(lists[0]!.map(({ message }) => message).sort()).toEqual([...acknowledged.keys()].sort());
    for (const list of lists) expect(list.map(({ id }) => id)).toEqual(ids);
    for (const { id, message } of lists[0]!) expect(acknowledged.get(message)).toBe(id);
    for (const seen of await Promise.all(followers)) expect(seen).toEqual(ids);
    expect(await processes.close()).toEqual([0, 0, 0]);
  });
});
