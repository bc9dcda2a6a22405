/** Kill -9 at every system call of a run that writes (suite TP3); run by `npm run test:full`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { callsOfRun, sweep } from '../support/campaigns/kill-sweep.ts';
import { inPart } from '../support/campaigns/partition.ts';
import { buildDriver, type Driver } from '../support/campaigns/session-runs.ts';
import { diskCalls, hasStrace, type Injection, sayLeftOut } from '../support/system/strace.ts';

sayLeftOut('TP3 kill -9, full');

describe.runIf(hasStrace)('kill -9 at every call', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  test('nothing is lost, nothing is sent twice', { timeout: 3_600_000 }, async () => {
    const calls = await callsOfRun(driver, diskCalls);
    const points = inPart(calls).map(({ call, nth }): Injection => ({ call, nth, effect: 'KILL' }));
    const sites = faultSites(points.map(({ call }) => `KILL at ${call}`));
    const wrong = await sweep(driver, points, sites);
    sites.print('TP3 kill -9, full', `${points.length} points, ${wrong.length} broken promises`);
    expect(wrong).toEqual([]);
    expect(sites.neverHit()).toEqual([]);
  });
});
