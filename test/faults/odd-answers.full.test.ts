/** Random combinations of odd fields (suite TP7); run by `npm run test:full`. A failure prints its seed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { oddServer } from '../support/campaigns/odd-run.ts';
import { mutations, oddFields } from '../support/corpora/odd-json.ts';

const combinations = 50_000;

test('odd fields in combination do no harm', { timeout: 7_200_000 }, async () => {
  const sites = faultSites(Object.keys(mutations));
  const server = await oddServer();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...oddFields), { minLength: 2, maxLength: 6 }), async (odd) => {
        for (const { mutation } of odd) sites.hit(mutation);
        expect(await server.ask(odd)).toEqual([]);
      }),
      { numRuns: combinations },
    );
  } finally {
    await server.close();
  }
  sites.print('TP7 odd answers, full', `${combinations} combinations`);
});
