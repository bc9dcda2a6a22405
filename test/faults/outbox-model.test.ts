/** The promises of the outbox (reliability.md G1–G5, suite TP1) over random schedules of faults, deaths, disks and users. */
import { expect, test } from 'vitest';
import { outboxCampaign } from '../support/outbox-campaign.ts';
import { outboxSites } from '../support/outbox-schedule.ts';
import { campaignSize } from '../support/partition.ts';

test('loses nothing, repeats nothing by itself, keeps the order, and heals', { timeout: 480_000 }, async () => {
  const sites = outboxSites();
  const { ran, seeds, failures } = await outboxCampaign(campaignSize(2_500, 10_000), sites);
  sites.print('TP1 outbox model', `${ran} schedules, ${seeds}`);
  expect(failures).toEqual([]);
  expect(sites.neverHit()).toEqual([]);
});
