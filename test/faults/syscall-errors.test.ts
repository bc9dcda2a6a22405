/** Disks and systems that say no at a system call (suite TP5): some points; 600 in the full run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { errorPoints, sweep } from '../support/campaigns/kill-sweep.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import { buildDriver, type Driver } from '../support/campaigns/session-runs.ts';
import { hasStrace, sayLeftOut } from '../support/system/strace.ts';

sayLeftOut('TP5 system call errors');

describe.runIf(hasStrace)('when a system call fails', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  test('nothing is lost, nothing is sent twice, and nothing crashes', { timeout: 480_000 }, async () => {
    const points = await errorPoints(driver, campaignSize(4, 120));
    const sites = faultSites(points.map(({ call, effect }) => `${effect} at ${call}`));
    expect(await sweep(driver, points, sites)).toEqual([]);
    sites.print('TP5 system call errors', `${points.length} points`);
    expect(sites.neverHit()).toEqual([]);
  });
});
