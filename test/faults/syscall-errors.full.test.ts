/** Every kind of error at system calls of a whole run (suite TP5); run by `npm run test:full`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { errorPoints, sweep } from '../support/campaigns/kill-sweep.ts';
import { inPart } from '../support/campaigns/partition.ts';
import { buildDriver, type Driver } from '../support/campaigns/session-runs.ts';
import { hasStrace, sayLeftOut } from '../support/system/strace.ts';

sayLeftOut('TP5 system call errors, full');

describe.runIf(hasStrace)('when a system call fails', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  test('nothing is lost, nothing is sent twice, and nothing crashes', { timeout: 7_200_000 }, async () => {
    const points = inPart(await errorPoints(driver, 600));
    const sites = faultSites(points.map(({ call, effect }) => `${effect} at ${call}`));
    const wrong = await sweep(driver, points, sites);
    sites.print('TP5 system call errors, full', `${points.length} points, ${wrong.length} broken promises`);
    expect(wrong).toEqual([]);
  });
});
