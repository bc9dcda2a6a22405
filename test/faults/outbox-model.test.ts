/** The promises of the outbox (reliability.md G1–G5, suite TP1) over random schedules of faults, deaths, disks and users. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outboxSites, runSchedule, schedule } from '../support/outbox-schedule.ts';

const schedules = 10_000;

test('loses nothing, repeats nothing by itself, keeps the order, and heals', { timeout: 120_000 }, async () => {
  const sites = outboxSites();
  await fc.assert(
    fc.asyncProperty(schedule, (one) => runSchedule(one, sites)),
    { numRuns: schedules },
  );
  sites.print('TP1 outbox model', `${schedules} schedules`);
  expect(sites.neverHit()).toEqual([]);
});
