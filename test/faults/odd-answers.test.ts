/** Every field of the API with every oddity (suite TP7): taken or refused, never a crash; pairs and triples in the full run. */
import { expect, test } from 'vitest';
import { faultSites } from '../support/fault-sites.ts';
import { mutations, oddFields } from '../support/odd-json.ts';
import { oddServer } from '../support/odd-run.ts';

test('each field with each oddity', { timeout: 120_000 }, async () => {
  const sites = faultSites(Object.keys(mutations));
  const server = await oddServer();
  const wrong: string[] = [];
  try {
    for (const odd of oddFields) {
      sites.hit(odd.mutation);
      wrong.push(...(await server.ask([odd])));
    }
  } finally {
    await server.close();
  }
  sites.print('TP7 odd answers', `${oddFields.length} fields × oddities, each over 4 operations and the engine`);
  expect(wrong).toEqual([]);
  expect(sites.neverHit()).toEqual([]);
});
