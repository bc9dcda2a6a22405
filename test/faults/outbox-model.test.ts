/** The promises of the outbox (R-SEND-1 to R-SEND-5, suite TP1) over random schedules of faults, deaths, disks and users. */
import { expect, test } from 'vitest';
import { outboxCampaign } from '../support/campaigns/outbox-campaign.ts';
import { outboxSites } from '../support/campaigns/outbox-schedule.ts';
import { campaignSize } from '../support/campaigns/partition.ts';

const all = 10_000;

test('schedules lose nothing, repeat nothing automatically, keep the order, and recover', {
  timeout: 480_000,
}, async () => {
  const sites = outboxSites();
  const { ran, seeds, failures } = await outboxCampaign(campaignSize(250, all), sites);
  sites.print('TP1 outbox model', `${ran} schedules, ${seeds}`);
  expect(failures).toEqual([]);
  // A small part of the campaign does not meet the rarest of them.
  if (ran >= all) expect(sites.neverHit()).toEqual([]);
});
