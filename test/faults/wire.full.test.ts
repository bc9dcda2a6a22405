/** The matrix of failing sockets (suite TP2) on five kinds of servers; run by `npm run test:full`. */
import { describe, expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { moreWireCases, runWireCase, wireMatrix } from '../support/campaigns/wire-run.ts';
import { wirePersonalities } from '../support/servers/fault-server.ts';
import { sideBySide } from '../support/system/side-by-side.ts';

describe('every fault at every method, with and without effect, is recovered from', () => {
  test.each(wirePersonalities.map(({ name }, personality) => [name, personality] as const))(
    '%s',
    { timeout: 1_200_000 },
    async (name, personality) => {
      const cases = [...wireMatrix(), ...moreWireCases()].map((one) => ({ ...one, personality }));
      const sites = faultSites(cases.map(({ fault }) => fault));
      const wrong = await sideBySide(8, cases, (one) => {
        sites.hit(one.fault);
        return runWireCase(one);
      });
      sites.print(`TP2 wire faults, full, ${name}`, `${cases.length} cases`);
      expect(wrong).toEqual([]);
    },
  );
});
