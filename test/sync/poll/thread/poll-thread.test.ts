/** Messages in no order of time: every look at the newest ones walks the whole list. */
import { expect, test } from 'vitest';
import { fetchNewest, fetchOlder } from '../../../../src/api/paging/paging.ts';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { syncWorld } from '../../../support/worlds/sync-world.ts';

const minuteMs = 60_000;

test.each([
  { pages: 1, most: 40 },
  { pages: 30, most: 4 },
])('a walk of $pages pages is not repeated sooner than its requests allow', async ({ pages, most }) => {
  const world = syncWorld();
  const { clock, service } = world;
  const { fetchNewest } = service.paging;
  let walks = 0;
  Object.assign(service.paging, {
    fetchNewest: async (...call: Parameters<typeof fetchNewest>) => {
      const [{ ifNoneMatch: _, ...request }] = call;
      walks += 1;
      return { ...(await fetchNewest(request)), pages };
    },
  });
  service.addConversation('c1');
  service.say('c1', 'hello');
  world.open('c1');
  await clock.advance(5_000);
  walks = 0;
  for (let second = 0; second < minuteMs / 1_000; second += 1) {
    // Somebody sits there and types: the shortest pause between polls.
    world.engine.setFocused(second % 2 === 0);
    await clock.advance(1_000);
  }
  expect(walks).toBeGreaterThan(0);
  expect(walks).toBeLessThanOrEqual(most);
  await world.engine.stop();
});

test.each([
  { count: 4, inMs: 1_000, saysWhen: false },
  { count: 20, inMs: 60_000, saysWhen: true },
])(
  'a walk that takes more requests than the server allows ($count in $inMs ms) comes to its end, and a message leaves',
  async ({ count, inMs, saysWhen }) => {
    const world = syncWorld();
    const { clock, service } = world;
    for (let number = 0; number < 300; number += 1) {
      service.say('c1', `message ${number}`);
      await clock.advance(1_000);
    }
    service.addConversation('c1');
    let times: readonly number[] = [];
    const { listMessages } = service.client;
    /** Ten messages a page, the oldest first, each page with the cursor of the next one. */
    const paged: typeof listMessages = async ({ cursor, ...rest }, options) => {
      times = times.filter((at) => at > clock.monotonic() - inMs);
      const wait = { retryAfterMs: (times[0] ?? 0) + inMs - clock.monotonic() };
      if (times.length === count) throw apiFault('rate-limited', 'not-applied', { status: 429, ...(saysWhen && wait) });
      times = [...times, clock.monotonic()];
      await listMessages(rest, options);
      const all = [...service.messages.values()];
      const from = cursor?.kind === 'query' ? Number(cursor.parameters.cursor) : 0;
      const hasMore = from + 10 < all.length;
      const next = hasMore ? { kind: 'query' as const, parameters: { cursor: String(from + 10) } } : null;
      return { value: { items: all.slice(from, from + 10), hasMore, next, skipped: 0 }, etag: null };
    };
    Object.assign(service.client, { listMessages: paged });
    Object.assign(service.paging, { fetchNewest, fetchOlder });
    world.open('c1');
    world.send('hello');
    await clock.advance(inMs / 2 + 1_000);
    expect(world.store.getState().view.connection.status).toBe(saysWhen ? 'rate-limited' : 'online');
    await clock.advance(180_000);
    expect(service.copiesOf('hello')).toBe(1);
    expect(world.store.getState().view.connection.status).toBe('online');
    await world.engine.stop();
  },
);
