/** Disks and systems that say no at a system call (suite TP5): a sample of the points; more in the full run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultSites } from '../support/fault-sites.ts';
import { sweep } from '../support/kill-sweep.ts';
import { buildDriver, type Driver } from '../support/session-runs.ts';
import { hasStrace, type Injection, sayLeftOut } from '../support/strace.ts';

const points: readonly Injection[] = [
  ['pwrite64', 60, 'ENOSPC'],
  ['pwrite64', 181, 'EIO'],
  ['pwrite64', 300, 'ENOSPC', true],
  ['pwrite64', 130, 'EINTR'],
  ['fsync', 12, 'EIO'],
  ['fsync', 33, 'ENOSPC'],
  ['fsync', 45, 'EROFS'],
  ['ftruncate', 1, 'EIO'],
  ['unlink', 1, 'EACCES'],
].map(([call, nth, effect, isLasting = false]) => ({ call, nth, effect, isLasting }) as Injection);

sayLeftOut('TP5 system call errors');

describe.runIf(hasStrace)('a system that says no', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  test('nothing lost, nothing twice, no crash', { timeout: 120_000 }, async () => {
    const sites = faultSites([]);
    expect(await sweep(driver, points, sites)).toEqual([]);
    sites.print('TP5 system call errors', `${points.length} points`);
  });
});
