/** Messages in no order of time: every look at the newest ones walks the whole list. */
import { expect, test } from 'vitest';
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
