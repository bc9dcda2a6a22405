/**
 * The outbox model at full size: a million random schedules; run by `npm run test:full`, and by hand for parts of it or more:
 * `MSG_TUI_PROGRESS=runs.jsonl MSG_TUI_SCHEDULES=4000000 npx vitest run -c test/full.config.ts outbox-model`.
 */
import { expect, test } from 'vitest';
import { outboxCampaign } from '../support/campaigns/outbox-campaign.ts';
import { outboxSites } from '../support/campaigns/outbox-schedule.ts';

test('a million schedules lose nothing, repeat nothing automatically, keep the order, and recover', {
  timeout: 14_400_000,
}, async () => {
  const sites = outboxSites();
  const { ran, seeds, failures } = await outboxCampaign(1_000_000, sites);
  sites.print('TP1 outbox model, full', `${ran} schedules, ${seeds}`);
  expect(failures).toEqual([]);
  expect(sites.neverHit()).toEqual([]);
});
