/** The outbox model at full size: a million random schedules; run by `npm run test:full`. A failure prints its seed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outboxSites, runSchedule, schedule } from '../support/outbox-schedule.ts';

const schedules = 1_000_000;

test('a million schedules', { timeout: 7_200_000 }, async () => {
  const sites = outboxSites();
  await fc.assert(
    fc.asyncProperty(schedule, (one) => runSchedule(one, sites)),
    { numRuns: schedules },
  );
  sites.print('TP1 outbox model, full', `${schedules} schedules`);
  expect(sites.neverHit()).toEqual([]);
});
