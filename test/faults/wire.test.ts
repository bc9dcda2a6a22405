/** Real sockets that fail in forty ways under the real client, engine and SQLite (suite TP2): the matrix on one kind of server. */
import { expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { spread } from '../support/campaigns/kill-sweep.ts';
import { campaignPart, countFrom } from '../support/campaigns/partition.ts';
import { moreWireCases, runWireCase, wireMatrix } from '../support/campaigns/wire-run.ts';
import { sideBySide } from '../support/system/side-by-side.ts';

const all = [...wireMatrix(), ...moreWireCases()];
const cases = spread(campaignPart(all, 11), countFrom('MSG_TUI_WIRE_CASES', all.length));

test('every fault at every method, with and without effect, is recovered from', { timeout: 480_000 }, async () => {
  const sites = faultSites(cases.map(({ fault }) => fault));
  const wrong = await sideBySide(8, cases, (one) => {
    sites.hit(one.fault);
    return runWireCase(one);
  });
  sites.print('TP2 wire faults', `${cases.length} of ${all.length} cases`);
  expect(wrong).toEqual([]);
});
