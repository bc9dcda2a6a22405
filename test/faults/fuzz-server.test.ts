/** Our own server under requests made at random (suite TP14): a thousand; ten thousand in the full run. */
import { test } from 'vitest';
import { faultSites } from '../support/fault-sites.ts';
import { fuzzServer } from '../support/fuzz-server.ts';

test('every answer is one of ours, and nothing breaks inside', { timeout: 60_000 }, async () => {
  const sites = faultSites([]);
  await fuzzServer(1_000, sites);
  sites.print('TP14 fuzzed requests', '1000 requests');
});
