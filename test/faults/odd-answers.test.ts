/** Every field of the API with every oddity, and some in combination (suite TP7): taken or refused, never a crash. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { oddServer } from '../support/campaigns/odd-run.ts';
import { campaignPart, campaignSize, countFrom } from '../support/campaigns/partition.ts';
import { mutations, type OddField, oddFields } from '../support/corpora/odd-json.ts';

/** Each kind of oddity in a ninth of the fields in `npm test`, in all of them in the full run. */
const singles = campaignPart(oddFields, 9);
const wanted = singles.length + campaignSize(10, 1_541);

test('each odd value of each field does no harm, and neither do several at once', { timeout: 480_000 }, async () => {
  const sites = faultSites(Object.keys(mutations));
  const server = await oddServer();
  const wrong: string[] = [];
  const seed = countFrom('MSG_TUI_SEED', 1);
  const several = fc.sample(fc.array(fc.constantFrom(...oddFields), { minLength: 2, maxLength: 6 }), {
    numRuns: wanted - singles.length,
    seed,
  });
  try {
    for (const odd of [...singles.map((one): readonly OddField[] => [one]), ...several]) {
      for (const { mutation } of odd) sites.hit(mutation);
      wrong.push(...(await server.ask(odd)));
    }
  } finally {
    await server.close();
  }
  sites.print('TP7 odd answers', `${wanted} answers, ${singles.length} with one oddity, seed ${seed}`);
  expect(wrong).toEqual([]);
  expect(sites.neverHit()).toEqual([]);
});
