/** Every kind of error at system calls of a whole run (suite TP5); run by `npm run test:full`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultSites } from '../support/fault-sites.ts';
import { callsOfRun, sweep } from '../support/kill-sweep.ts';
import { buildDriver, type Driver } from '../support/session-runs.ts';
import { type Call, hasStrace, type Injection, sayLeftOut } from '../support/strace.ts';

const errors = ['ENOSPC', 'EIO', 'EROFS', 'EMFILE', 'EACCES', 'EINTR'] as const;
const calls: readonly Call[] = ['openat', 'pwrite64', 'fsync', 'ftruncate', 'unlink'];
/** So many points of each call, spread over the run, each with every error. */
const pointsEach = 25;

sayLeftOut('TP5 system call errors, full');

describe.runIf(hasStrace)('a system that says no', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  test('nothing lost, nothing twice, no crash', { timeout: 7_200_000 }, async () => {
    // Opening the program's own parts is not what is asked here.
    const made = (await callsOfRun(driver, calls)).filter(({ call, text }) => call !== 'openat' || isOwnFile(text));
    const points = calls.flatMap((call) => {
      const all = made.filter((one) => one.call === call);
      const step = Math.max(1, all.length / pointsEach);
      return Array.from({ length: Math.min(pointsEach, all.length) }, (_, index) => all[Math.floor(index * step)]);
    });
    const injections = points.flatMap((point, index) =>
      errors.map((effect): Injection => ({ call: 'pwrite64', nth: 1, ...point, effect, isLasting: index % 5 === 0 })),
    );
    const sites = faultSites(injections.map(({ call, effect }) => `${effect} at ${call}`));
    const wrong = await sweep(driver, injections, sites);
    sites.print('TP5 system call errors, full', `${injections.length} points, ${wrong.length} broken promises`);
    expect(wrong).toEqual([]);
  });
});

const isOwnFile = (text: string): boolean => /(data|cache)\/[a-z.]*(db|lock|pid)/.test(text);
