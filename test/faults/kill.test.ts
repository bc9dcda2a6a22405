/** Kill -9 at system calls of a run (suite TP3): a sample of the points; all of them in the full run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultSites } from '../support/fault-sites.ts';
import { sweep } from '../support/kill-sweep.ts';
import { buildDriver, type Driver } from '../support/session-runs.ts';
import { hasStrace, type Injection, sayLeftOut } from '../support/strace.ts';

const points: readonly Injection[] = [
  ['pwrite64', 60],
  ['pwrite64', 120],
  ['pwrite64', 181],
  ['pwrite64', 242],
  ['pwrite64', 303],
  ['pwrite64', 400],
  ['fsync', 12],
  ['fsync', 33],
  ['fsync', 50],
  ['write', 14],
  ['write', 40],
  ['unlink', 3],
].map(([call, nth]) => ({ call, nth, effect: 'KILL' }) as Injection);

sayLeftOut('TP3 kill -9');

describe.runIf(hasStrace)('kill -9 in the middle of everything', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  test('nothing lost, nothing twice', { timeout: 120_000 }, async () => {
    const sites = faultSites(points.map(({ call }) => `KILL at ${call}`));
    expect(await sweep(driver, points, sites)).toEqual([]);
    sites.print('TP3 kill -9', `${points.length} points`);
    expect(sites.neverHit()).toEqual([]);
  });
});
