/** One answer says that nothing comes before it, and more does: whoever scrolls on gets there, whichever way pages are asked for. */
import { expect, test } from 'vitest';
import { campaignPart } from '../support/partition.ts';
import { nameOf, plain, type Quirks, switches } from '../support/quirk-server/quirks.ts';
import { avoidable } from './inherent.ts';
import { walk } from './walk.ts';

const kinds: readonly Quirks[] = (['page', 'empty'] as const).flatMap((endsOnce) => [
  ...switches.paging.map((paging) => ({ ...plain, endsOnce, paging })),
  ...switches.order.map((order) => ({ ...plain, endsOnce, order })),
  ...switches.hasMore.map((hasMore) => ({ ...plain, endsOnce, hasMore })),
  // Found at random: the place of the last page is not known any more, and a walk finds it.
  { ...plain, endsOnce, paging: 'relative-url', rateLimit: 'x-ratelimit-reset' },
  { ...plain, endsOnce, order: 'old-first', paging: 'none', hasMore: 'missing' },
]);

test.each(campaignPart(kinds, 5).map((quirks) => [nameOf(quirks), quirks] as const))('%s', async (_, quirks) => {
  expect(avoidable(quirks, await walk(quirks))).toEqual([]);
});
