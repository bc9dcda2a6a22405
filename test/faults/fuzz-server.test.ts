/** Our own server under requests made at random (suite TP14): a few hundred; ten thousand in the full run. */
import { test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { fuzzServer } from '../support/campaigns/fuzz-server.ts';
import { campaignSize } from '../support/campaigns/partition.ts';

test('every answer is a documented one, and no request causes an internal error', { timeout: 240_000 }, async () => {
  const sites = faultSites([]);
  const count = campaignSize(150, 1_000);
  await fuzzServer(count, sites);
  sites.print('TP14 fuzzed requests', `${count} requests`);
});
