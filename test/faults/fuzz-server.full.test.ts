/** Our own server under requests made at random (suite TP14), at full size; run by `npm run test:full`. */
import { test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { fuzzServer } from '../support/campaigns/fuzz-server.ts';

test('every answer is a documented one, and no request causes an internal error', { timeout: 600_000 }, async () => {
  const sites = faultSites([]);
  await fuzzServer(10_000, sites);
  sites.print('TP14 fuzzed requests, full', '10000 requests');
});
