/** Histories and lists over every way of paging, in both orders. */
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import type { Client } from '../../../src/api/operations.ts';
import { fetchNewest, fetchOlder, type Newest, type walkConversations } from '../../../src/api/paging/paging.ts';
import { noCapabilities, type PagingWay, type ServerCapabilities } from '../../../src/protocol/capabilities.ts';
import type { Message } from '../../../src/protocol/types.ts';
import { listAllConversations } from '../../support/servers/list-all.ts';
import { conversation, ListService, message, type Quirks, type Way } from '../../support/servers/list-service.ts';

const ways: readonly Way[] = ['starting_after', 'after', 'before', 'page', 'offset', 'hint', 'limit'];
const offset = { kind: 'parameter', name: 'offset' } as const;
const orders = ['newest-first', 'oldest-first'] as const;
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const ids = (messages: readonly Message[]) => messages.map((item) => Number(item.id.slice(1)));

const cases: readonly Quirks[] = ways.flatMap((way) =>
  orders.flatMap((order) =>
    [true, false].flatMap((strict) =>
      way === 'before' && order === 'oldest-first'
        ? []
        : [{ way, order, strict, maxLimit: way === 'limit' ? 1000 : 100 }],
    ),
  ),
);

async function newest(options: Parameters<typeof fetchNewest>[0]): Promise<Newest> {
  const answer = await fetchNewest(options);
  if ('notModified' in answer) throw new Error('not modified');
  return answer;
}

const ask = (client: Client, options: Partial<Parameters<typeof fetchNewest>[0]> = {}) =>
  newest({ client, conversationId: 'c', knownNewest: [], capabilities: noCapabilities, ...options });

/** All messages from the first one on: those of `first`, and as many pages of older ones as it takes. */
async function readBack(client: Client, first: Newest): Promise<Pick<Newest, 'messages' | 'capabilities'>> {
  let { messages, capabilities } = first;
  for (let rounds = 0; rounds < 40 && !first.complete; rounds += 1) {
    const older = await fetchOlder({ client, conversationId: 'c', known: messages, capabilities });
    expect(older.unreachable).toBe(false);
    messages = [...older.messages, ...messages];
    capabilities = older.capabilities;
    if (older.reachedStart) break;
  }
  return { messages, capabilities };
}

describe.each(cases)('$way, $order, strict $strict', (quirks) => {
  const start = (count: number) => {
    const service = new ListService(quirks);
    service.messages = numbers(1, count).map((number) => message(number));
    return { service, client: service.client() };
  };

  test('the whole history is read page by page, without a gap or a duplicate', async () => {
    const { client } = start(330);
    const first = await ask(client);
    expect(ids(first.messages).at(-1)).toBe(330);
    const { messages: known, capabilities } = await readBack(client, first);
    expect(ids(known)).toEqual(numbers(1, 330));
    expect(capabilities.messageOrder?.value).toBe(quirks.order);
    const learned = capabilities.messagePaging?.value;
    expect(learned?.kind === 'parameter' ? learned.name : learned?.kind).toBe(quirks.way);
  });

  test.each([1, 2, 3])('messages that come after request %i do not hide how the server pages', async (after) => {
    const { service, client } = start(330);
    let requests = 0;
    const busy: Client = {
      ...client,
      async listMessages(...request) {
        const answer = await client.listMessages(...request);
        requests += 1;
        if (requests === after) service.messages.push(message(331), message(332));
        return answer;
      },
    };
    const { messages: known, capabilities } = await readBack(busy, await ask(busy));
    expect(ids(known)).toEqual(expect.arrayContaining(numbers(1, 330)));
    const learned = capabilities.messagePaging?.value;
    expect(learned?.kind === 'parameter' ? learned.name : learned?.kind).toBe(quirks.way);
  });

  test('a later poll reaches the known messages, however many are new', async () => {
    const { service, client } = start(120);
    const first = await ask(client);
    service.messages.push(...numbers(121, 300).map((number) => message(number)));
    const knownNewest = first.messages.map((item) => item.id);
    const next = await ask(client, { knownNewest, capabilities: first.capabilities });
    expect(next.connected).toBe(true);
    const all = new Set([...ids(first.messages), ...ids(next.messages)]);
    expect(numbers(ids(first.messages)[0] ?? 0, 300).filter((number) => !all.has(number))).toEqual([]);
    expect(ids(next.messages)).toEqual([...ids(next.messages)].sort((a, b) => a - b));
    expect(ids(next.messages).at(-1)).toBe(300);
  });

  test('a quiet poll costs one small request once it is known how to page', async () => {
    const { service, client } = start(230);
    const first = await ask(client);
    const knownNewest = first.messages.slice(-100).map((item) => item.id);
    const second = await ask(client, { knownNewest, capabilities: first.capabilities });
    service.requests.length = 0;
    const ifNoneMatch = second.etag === null ? {} : { ifNoneMatch: second.etag };
    const third = await fetchNewest({
      client,
      conversationId: 'c',
      knownNewest,
      capabilities: second.capabilities,
      ...ifNoneMatch,
    });
    expect(service.requests).toHaveLength(1);
    expect(second.etag === null || 'notModified' in third).toBe(true);
    if (quirks.order === 'newest-first') expect(second.etag).not.toBeNull();
  });

  test('messages that came or went meanwhile leave no gap in older ones', async () => {
    const { service, client } = start(300);
    const first = await ask(client);
    if (first.complete) return;
    const older = await fetchOlder({
      client,
      conversationId: 'c',
      known: first.messages,
      capabilities: first.capabilities,
    });
    const known = [...older.messages, ...first.messages];
    // Ten known ones go away, and three come, so that counting is off both ways.
    service.messages = [
      ...service.messages.filter((item) => Number(item.id.slice(1)) <= 285 || Number(item.id.slice(1)) > 295),
      ...numbers(301, 303).map((number) => message(number)),
    ];
    const more = await fetchOlder({ client, conversationId: 'c', known, capabilities: older.capabilities });
    expect(ids(more.messages).at(-1)).toBe((ids(known)[0] ?? 0) - 1);
  });

  test('the whole conversation list is complete when it is read at once', async () => {
    const service = new ListService(quirks);
    service.conversations = numbers(1, 230).map(conversation);
    const all = await listAllConversations({ client: service.client(), capabilities: noCapabilities });
    expect(all.ids.size).toBe(230);
    expect(new Set(all.conversations.map(({ id }) => id))).toEqual(all.ids);
    // Counted pages may shift while they are read.
    expect(all.complete).toBe(quirks.way !== 'page' && quirks.way !== 'offset');
  });
});

describe('a list of 100,000 conversations', () => {
  const service = new ListService({ way: 'starting_after', order: 'newest-first', maxLimit: 100, refuse: true });
  service.conversations = numbers(1, 100_000).map(conversation);
  const walk = async (options: Pick<Parameters<typeof walkConversations>[0], 'capabilities' | 'from'>) => {
    service.requests.length = 0;
    const walked = await listAllConversations({ ...options, client: service.client() });
    return { ...walked, found: new Set(walked.conversations.map(({ id }) => id)) };
  };

  test('is read in the largest pages that the server gives, goes on after 1000 of them, and is whole the next time', async () => {
    const first = await walk({ capabilities: noCapabilities });
    expect(first).toMatchObject({ complete: false, isEnd: false, pages: 1000 });
    // Four pages of 50, the others of 100, as 200 are refused.
    expect(first.found.size).toBe(99_800);
    expect(first.capabilities.largestLimit?.value).toBe(100);
    expect(service.requests.filter((request) => request.startsWith('limit=200'))).toHaveLength(1);
    const { resumeAt: rest } = first;
    if (rest === null) throw new Error('nothing to go on from');
    const second = await walk({ capabilities: first.capabilities, from: rest });
    expect(second).toMatchObject({ complete: false, isEnd: true, resumeAt: null });
    expect(new Set([...first.found, ...second.found]).size).toBe(100_000);
    expect(second.pages).toBeLessThan(5);
    const again = await walk({ capabilities: first.capabilities });
    expect(again).toMatchObject({ complete: true, isEnd: true, resumeAt: null, pages: 1000 });
    expect(again.found.size).toBe(100_000);
  });

  test('is read in smaller pages again when the server begins to refuse the large ones', async () => {
    const largest = { value: 200, at: 1, from: 'GET /v1/conversations' };
    const way = { value: { kind: 'parameter', name: 'starting_after' }, at: 1, from: 'GET /v1/conversations' } as const;
    const { capabilities, found } = await walk({ capabilities: { largestLimit: largest, conversationPaging: way } });
    expect(service.requests.slice(0, 2)).toEqual(['limit=200', 'limit=50']);
    expect(found.size).toBe(99_800);
    expect(capabilities.largestLimit?.value).toBe(50);
  });
});

test.each(['page', 'hint'] as const)('pages that may be counted (%s) stay as large as the first', async (way) => {
  const service = new ListService({ way, order: 'newest-first' });
  service.conversations = numbers(1, 1_000).map(conversation);
  const all = await listAllConversations({ client: service.client(), capabilities: noCapabilities });
  expect(all.conversations).toHaveLength(1_000);
  expect(service.requests.every((request) => request.includes('limit=50'))).toBe(true);
});

describe('a server that gives few paging hints', () => {
  test.each(['starting_after', 'page', 'offset', 'limit'] as const)(
    'without has_more, the end is found by %s',
    async (way) => {
      const service = new ListService({
        way,
        order: 'newest-first',
        saysHasMore: false,
        maxLimit: way === 'limit' ? 1000 : 100,
      });
      service.conversations = numbers(1, 123).map(conversation);
      const all = await listAllConversations({ client: service.client(), capabilities: noCapabilities });
      expect(all.conversations).toHaveLength(123);
    },
  );

  test('without has_more, a last full page that leads to no other ends an oldest-first list', async () => {
    const service = new ListService({ way: 'hint', order: 'oldest-first', saysHasMore: false });
    service.messages = numbers(1, 150).map((number) => message(number));
    expect(await ask(service.client())).toMatchObject({ complete: true, unreachable: false });
    expect(service.requests).toHaveLength(3);
  });

  test.each([true, false])('with a limit that is too large (refused: %s), everything is still read', async (refuse) => {
    const service = new ListService({ way: 'starting_after', order: 'newest-first', maxLimit: 20, refuse });
    service.messages = numbers(1, 90).map((number) => message(number));
    const client = service.client();
    const first = await ask(client);
    expect(first.capabilities.largestLimit?.value).toBe(refuse ? 10 : undefined);
    const { messages: known } = await readBack(client, first);
    expect(ids(known)).toEqual(numbers(1, 90));
  });

  test('a clamped page size does not make counted pages skip', async () => {
    const service = new ListService({ way: 'page', order: 'newest-first', maxLimit: 20 });
    service.messages = numbers(1, 400).map((number) => message(number));
    const client = service.client();
    const { messages: known } = await readBack(client, await ask(client));
    expect(ids(known)).toEqual(numbers(1, 400));
    expect(service.requests.length).toBeLessThan(80);
  });

  test('a short list that always says that there are more does not hide how the server pages', async () => {
    const service = new ListService({ way: 'starting_after', order: 'newest-first', maxLimit: 10 });
    const inner = service.client();
    const client: Client = {
      ...inner,
      async listMessages(...request) {
        const answer = await inner.listMessages(...request);
        return 'value' in answer ? { ...answer, value: { ...answer.value, hasMore: true } } : answer;
      },
    };
    service.messages = numbers(1, 4).map((number) => message(number));
    const first = await ask(client);
    const { capabilities } = await fetchOlder({ client, conversationId: 'c', known: first.messages, ...first });
    service.messages = numbers(1, 35).map((number) => message(number));
    const all = await ask(client, { knownNewest: first.messages.map(({ id }) => id), capabilities });
    expect(ids(all.messages)).toEqual(expect.arrayContaining(numbers(4, 35)));
    expect(all.connected).toBe(true);
  });

  test('a server that offers no way to page is reported as such and is not asked again', async () => {
    const service = new ListService({ way: 'none', order: 'newest-first', maxLimit: 10 });
    service.messages = numbers(1, 60).map((number) => message(number));
    const client = service.client();
    const first = await ask(client);
    const older = await fetchOlder({
      client,
      conversationId: 'c',
      known: first.messages,
      capabilities: first.capabilities,
    });
    expect(older).toMatchObject({ messages: [], reachedStart: false, unreachable: true });
    expect(older.capabilities.messagePaging?.value).toEqual({ kind: 'none' });
    service.requests.length = 0;
    await fetchOlder({ client, conversationId: 'c', known: first.messages, capabilities: older.capabilities });
    expect(service.requests).toHaveLength(1);
  });

  test('a short conversation teaches nothing about paging and is complete', async () => {
    const service = new ListService({ way: 'page', order: 'newest-first' });
    service.messages = [message(1), message(2)];
    const first = await ask(service.client());
    expect(first).toMatchObject({ complete: true, connected: true });
    expect(first.capabilities.messagePaging).toBeUndefined();
    expect(service.requests).toHaveLength(1);
  });

  test('where times go both ways, everything is read before an order is inferred', async () => {
    const service = new ListService({ way: 'starting_after', order: 'newest-first' });
    const shuffled = numbers(1, 120).map((number) => message(number, 1_700_000_000_000 + ((number * 47) % 121) * 1000));
    service.messages = shuffled;
    const knownNewest = [shuffled[119]?.id ?? ''];
    const first = await ask(service.client(), { knownNewest });
    expect(first.complete).toBe(true);
    expect(first.messages).toHaveLength(120);
    expect(first.capabilities.messageOrder?.value).toBe('mixed');
    // A few rows that happen to be sorted by time do not change that; many do.
    service.messages = numbers(1, 3).map((number) => message(number));
    const few = await ask(service.client(), { capabilities: first.capabilities });
    expect(few.capabilities.messageOrder?.value).toBe('mixed');
    service.messages = numbers(1, 40).map((number) => message(number));
    const many = await ask(service.client(), { capabilities: first.capabilities });
    expect(many.capabilities.messageOrder?.value).toBe('newest-first');
    const times = first.messages.map((item) => item.createdAt ?? 0);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test('messages with the same time keep the order of the server', async () => {
    const service = new ListService({ way: 'starting_after', order: 'newest-first' });
    service.messages = numbers(1, 9).map((number) =>
      message(number, 1_700_000_000_000 + Math.floor(number / 4) * 1000),
    );
    const first = await ask(service.client());
    expect(ids(first.messages)).toEqual(numbers(1, 9));
  });
});

describe('a server that passes over conversation_id', () => {
  test.each(orders)('rows of other conversations are not taken for rows of this one: %s', async (order) => {
    const service = new ListService({ way: 'starting_after', order, maxLimit: 100 });
    // Of 400 rows every third is ours, and none of 150 in a row.
    const isOurs = (number: number) => number % 3 === 0 && (number < 100 || number > 250);
    service.messages = numbers(1, 400).map((number) => ({
      ...message(number),
      conversationId: isOurs(number) ? 'c' : 'elsewhere',
    }));
    const client = service.client();
    const { messages: known } = await readBack(client, await ask(client));
    expect(ids(known)).toEqual(numbers(1, 400).filter(isOurs));
  });
});

describe('an error of the server', () => {
  const failing = (kind: 'unauthorized' | 'not-found' | 'rate-limited', status: number) => {
    const service = new ListService({ way: 'starting_after', order: 'newest-first' });
    service.messages = numbers(1, 60).map((number) => message(number));
    const client = service.client();
    const facts = {
      kind,
      status,
      outcome: 'not-applied' as const,
      message: 'no',
      requestId: null,
      retryAfterMs: null,
      code: null,
    };
    const refuse = () => Promise.reject(new ApiError(facts));
    return { ...client, listMessages: refuse, retrieveConversation: refuse };
  };

  test.each([
    ['unauthorized', 401],
    ['rate-limited', 429],
    ['not-found', 404],
  ] as const)('%s is passed on, and does not count as a missing way to page', async (kind, status) => {
    const client = failing(kind, status);
    await expect(
      fetchNewest({ client, conversationId: 'c', knownNewest: [], capabilities: noCapabilities }),
    ).rejects.toMatchObject({ kind });
    const known = [message(5)];
    await expect(
      fetchOlder({ client, conversationId: 'c', known, capabilities: noCapabilities }),
    ).rejects.toMatchObject({ kind });
  });

  test('the message under the cursor is gone, the next one is used', async () => {
    const service = new ListService({ way: 'starting_after', order: 'newest-first', strict: true });
    service.messages = numbers(1, 200).map((number) => message(number));
    const client = service.client();
    const first = await ask(client);
    const older = await fetchOlder({
      client,
      conversationId: 'c',
      known: first.messages,
      capabilities: first.capabilities,
    });
    const known = [...older.messages, ...first.messages];
    service.messages = service.messages.filter((item) => item.id !== known[0]?.id);
    const more = await fetchOlder({ client, conversationId: 'c', known, capabilities: older.capabilities });
    // The page begins after the second message that is left; the first one is on it, and proves that none is left out.
    expect(ids(more.messages)).toEqual(numbers(52, 100));
  });
});

describe('a history that is known in part', () => {
  test.each(ways)('goes on by %s from messages of which some have no time', async (way) => {
    const service = new ListService({ way, order: 'newest-first', strict: true, maxLimit: 1000 });
    service.messages = numbers(1, 330).map((number) => (number % 24 === 7 ? message(number, null) : message(number)));
    const client = service.client();
    let { messages, capabilities } = await ask(client);
    let reachedStart = false;
    for (let rounds = 0; rounds < 20 && !reachedStart; rounds += 1) {
      // As the cache has them: those without a time come first.
      const known = messages.toSorted((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0)).slice(0, 50);
      const older = await fetchOlder({ client, conversationId: 'c', known, capabilities });
      messages = [...older.messages, ...messages];
      ({ capabilities, reachedStart } = older);
    }
    expect(reachedStart).toBe(true);
    expect(new Set(ids(messages))).toEqual(new Set(numbers(1, 330)));
  });

  test('does not end where the server has nothing after a message that it has lost', async () => {
    const service = new ListService({ way: 'starting_after', order: 'newest-first' });
    service.messages = numbers(1, 200).map((number) => message(number));
    const { listMessages } = service.client();
    const empty = { value: { items: [], hasMore: false, next: null, skipped: 0 }, etag: null };
    const client = { listMessages: (...call) => listMessages(...call).catch(() => empty) } as Client;
    const capabilities = learned('newest-first', { kind: 'parameter', name: 'starting_after' });
    const known = service.messages.slice(150);
    service.messages = service.messages.filter(({ id }) => id !== known[1]?.id);
    const older = await fetchOlder({ client, conversationId: 'c', known, capabilities });
    expect(ids(older.messages)).toEqual(numbers(102, 150));
    expect(older.reachedStart).toBe(false);
    // Nor does it where all known messages are gone.
    service.messages = service.messages.slice(0, 150);
    const beforeAll = await fetchOlder({ client, conversationId: 'c', known, capabilities });
    expect(ids(beforeAll.messages)).toEqual(numbers(101, 150));
    expect(beforeAll.reachedStart).toBe(false);
  });

  const learned = (order: 'newest-first' | 'oldest-first', way: PagingWay): ServerCapabilities => ({
    messageOrder: { value: order, at: 1, from: 'GET /v1/messages' },
    messagePaging: { value: way, at: 1, from: 'GET /v1/messages' },
  });

  test('is not called connected where its newest end cannot be reached from a known message', async () => {
    const service = new ListService({ way: 'limit', order: 'oldest-first', maxLimit: 100, refuse: true });
    service.messages = numbers(1, 150).map((number) => message(number));
    const client = service.client();
    const first = await ask(client);
    expect(first).toMatchObject({ connected: false, unreachable: true });
    const knownNewest = first.messages.map(({ id }) => id);
    const capabilities = { ...first.capabilities, ...learned('oldest-first', { kind: 'limit' }) };
    expect(await ask(client, { knownNewest, capabilities })).toMatchObject({ connected: false, unreachable: true });
  });

  test.each(['hint', 'page', 'offset', 'limit'] as const)(
    'is complete again without its first message on a short oldest-first list by %s',
    async (way) => {
      const service = new ListService({ way, order: 'oldest-first' });
      service.messages = numbers(1, 7).map((number) => message(number));
      const client = service.client();
      const first = await ask(client);
      service.messages = service.messages.slice(1);
      const knownNewest = first.messages.map(({ id }) => id);
      const again = await ask(client, { knownNewest, capabilities: first.capabilities });
      expect(again).toMatchObject({ complete: true, connected: true });
      expect(ids(again.messages)).toEqual(numbers(2, 7));
    },
  );

  test.each(['hint', 'page', 'offset'] as const)(
    'shows edits of the latest messages on an oldest-first list by %s whose last page has few',
    async (way) => {
      const service = new ListService({ way, order: 'oldest-first' });
      service.messages = numbers(1, 153).map((number) => message(number));
      const client = service.client();
      const { messages: known, capabilities } = await ask(client);
      service.messages = service.messages.map((one) => (one.id === 'm149' ? { ...one, text: 'edited' } : one));
      service.requests.length = 0;
      const again = await ask(client, { knownNewest: known.map(({ id }) => id), capabilities });
      expect(again.messages.find(({ id }) => id === 'm149')?.text).toBe('edited');
      expect(service.requests).toHaveLength(2);
    },
  );

  test.each(['page', 'offset'] as const)(
    'begins with its first message on an oldest-first list by %s',
    async (name) => {
      const service = new ListService({ way: name, order: 'oldest-first' });
      service.messages = numbers(1, 300).map((number) => message(number));
      const known = service.messages.slice(150);
      const capabilities = learned('oldest-first', { kind: 'parameter', name });
      const older = await fetchOlder({ client: service.client(), conversationId: 'c', known, capabilities });
      expect(ids(older.messages)).toEqual(numbers(1, 150));
      expect(older.reachedStart).toBe(true);
    },
  );

  test.each(['page', 'offset'] as const)(
    'is complete on an oldest-first list by %s also when all known messages were deleted',
    async (name) => {
      const service = new ListService({ way: name, order: 'oldest-first' });
      service.messages = numbers(1, 150).map((number) => message(number));
      const known = [message(140)];
      service.messages = service.messages.filter(({ id }) => id !== 'm140');
      const capabilities = learned('oldest-first', { kind: 'parameter', name });
      const older = await fetchOlder({ client: service.client(), conversationId: 'c', known, capabilities });
      expect([ids(older.messages), older.reachedStart]).toEqual([numbers(1, 139), true]);
    },
  );

  test.each(['page', 'offset'] as const)(
    'leaves out no message that moves up while paging by %s is detected',
    async (way) => {
      const service = new ListService({ way, order: 'newest-first' });
      service.messages = numbers(1, 150).map((number) => message(number));
      const client = service.client();
      const first = await ask(client);
      const { listMessages } = client;
      let pages = 0;
      const removing: typeof listMessages = async (...parameters) => {
        const answer = await listMessages(...parameters);
        pages += 1;
        if (pages === 1) service.messages = service.messages.filter(({ id }) => !['m148', 'm149', 'm150'].includes(id));
        return answer;
      };
      Object.assign(client, { listMessages: removing });
      const known = first.messages;
      const older = await fetchOlder({ client, conversationId: 'c', known, capabilities: noCapabilities });
      expect(ids(older.messages).at(-1)).toBe((ids(known)[0] ?? 0) - 1);
    },
  );

  test('loses no message to one that others delete between two requests by offset', async () => {
    const service = new ListService({ way: 'offset', order: 'newest-first' });
    service.messages = numbers(1, 700).map((number) => message(number));
    const client = service.client();
    const { listMessages } = client;
    let isDeleting = false;
    const deleting: typeof listMessages = async (...parameters) => {
      const answer = await listMessages(...parameters);
      if (isDeleting) service.messages.pop();
      return answer;
    };
    Object.assign(client, { listMessages: deleting });
    const first = await ask(client);
    isDeleting = true;
    const { messages } = await readBack(client, first);
    expect(ids(messages)).toEqual(numbers(1, 700));
    // A later program knows the oldest of the messages that are kept, and not how many come after them.
    const known = messages.slice(400, 420);
    const asked = { client: { ...client }, conversationId: 'c', known, capabilities: learned('newest-first', offset) };
    expect(ids((await fetchOlder(asked)).messages).at(-1)).toBe((ids(known)[0] ?? 0) - 1);
  });

  test('loses no message to one that others delete between two requests by page', async () => {
    const service = new ListService({ way: 'page', order: 'newest-first' });
    service.messages = numbers(1, 200).map((number) => message(number));
    const known = service.messages.slice(100);
    const client = service.client();
    const { listMessages } = client;
    const deleting: typeof listMessages = async (...parameters) => {
      const answer = await listMessages(...parameters);
      if (service.requests.length === 1) service.messages.pop();
      return answer;
    };
    Object.assign(client, { listMessages: deleting });
    const capabilities = learned('newest-first', { kind: 'parameter', name: 'page' });
    const older = await fetchOlder({ client, conversationId: 'c', known, capabilities });
    expect(ids(older.messages)).toEqual(numbers(50, 100));
  });

  test('is read on from where it was, whatever polls have read meanwhile', async () => {
    const service = new ListService({ way: 'hint', order: 'newest-first' });
    service.messages = numbers(1, 400).map((number) => message(number));
    const asked = {
      client: service.client(),
      conversationId: 'c',
      capabilities: learned('newest-first', { kind: 'hint' }),
    };
    let known = (await newest({ ...asked, knownNewest: [] })).messages;
    for (let pages = 0; pages < 3; pages += 1) known = [...(await fetchOlder({ ...asked, known })).messages, ...known];
    service.messages.push(message(401));
    await newest({ ...asked, knownNewest: known.map(({ id }) => id) });
    service.requests.length = 0;
    const more = await fetchOlder({ ...asked, known });
    expect(ids(more.messages).at(-1)).toBe((ids(known)[0] ?? 0) - 1);
    expect(service.requests.length).toBeLessThan(4);
  });

  test('goes on from the number of its messages where no page was read yet', async () => {
    const service = new ListService({ way: 'page', order: 'newest-first' });
    service.messages = numbers(1, 2_000).map((number) => message(number));
    const capabilities = learned('newest-first', { kind: 'parameter', name: 'page' });
    const known = service.messages.slice(1_000);
    const older = await fetchOlder({ client: service.client(), conversationId: 'c', known, capabilities });
    expect(ids(older.messages)).toEqual(numbers(951, 1_000));
    expect(service.requests).toEqual(['limit=50&page=20', 'limit=50&page=21', 'limit=50&page=20']);
  });
});
