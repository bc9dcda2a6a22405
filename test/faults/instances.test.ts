/** Several processes on one profile, started at once, one of them killed (suite TP10). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { gathering } from '../support/campaigns/instance-runs.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import { buildDriver, type Driver } from '../support/campaigns/session-runs.ts';
import { sideBySide } from '../support/system/side-by-side.ts';

const gatherings = campaignSize(3, 20);
let driver: Driver;
beforeAll(async () => {
  driver = await buildDriver();
});
afterAll(() => driver.remove());

test('one program sends, nothing is lost, nothing is sent twice', { timeout: 480_000 }, async () => {
  const sites = faultSites(['nobody is killed', 'one of 2 is killed', 'one of 3 is killed']);
  const numbers = Array.from({ length: gatherings }, (_, number) => number);
  const wrong = await sideBySide(4, numbers, (number) => gathering(driver, number, sites));
  sites.print('TP10 two instances', `${gatherings} gatherings`);
  expect(wrong).toEqual([]);
  expect(sites.neverHit()).toEqual([]);
});
