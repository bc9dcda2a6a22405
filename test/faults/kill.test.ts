/** Kill -9 at system calls of a run (suite TP3): some of the points; all of them in the full run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { callsOfRun, spread, sweep } from '../support/campaigns/kill-sweep.ts';
import { campaignSize, countFrom } from '../support/campaigns/partition.ts';
import { buildDriver, type Driver } from '../support/campaigns/session-runs.ts';
import { diskCalls, hasStrace, type Injection, sayLeftOut } from '../support/system/strace.ts';

const wanted = countFrom('MSG_TUI_KILL_POINTS', campaignSize(6, 80));

sayLeftOut('TP3 kill -9');

describe.runIf(hasStrace)('kill -9 in the middle of everything', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  test('nothing is lost, nothing is sent twice', { timeout: 480_000 }, async () => {
    const calls = await callsOfRun(driver, diskCalls);
    const points = spread(calls, wanted).map(({ call, nth }): Injection => ({ call, nth, effect: 'KILL' }));
    const sites = faultSites(points.map(({ call }) => `KILL at ${call}`));
    expect(await sweep(driver, points, sites)).toEqual([]);
    sites.print('TP3 kill -9', `${points.length} of ${calls.length} points`);
    expect(sites.neverHit()).toEqual([]);
  });
});
