/** The real session in a process whose clock is set, or stops while the machine sleeps (suite TP11), by libfaketime. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { buildDriver, type Driver, openStage, type Run } from '../support/campaigns/session-runs.ts';
import { hasFaketime, otherTime, sayNoFaketime } from '../support/clocks/faketime.ts';

sayNoFaketime('TP11 libfaketime');

interface Case {
  /** From the start. */
  readonly first: string;
  /** As soon as the first message is on disk. */
  readonly later?: string;
  /** The process is stopped meanwhile, as by a machine that sleeps. */
  readonly sleeps?: true;
  /** Of the process that heals. */
  readonly last?: string;
}

const cases: Readonly<Record<string, Case>> = {
  'an hour ahead': { first: '+1h' },
  'an hour behind': { first: '-1h' },
  'ten years ahead': { first: '+3650d' },
  'ten years behind': { first: '-3650d' },
  'set an hour ahead': { first: '+0', later: '+1h' },
  'set an hour back': { first: '+0', later: '-1h' },
  'set ten years ahead': { first: '+0', later: '+3650d' },
  'set ten years back': { first: '+0', later: '-3650d' },
  'right after ten years ahead': { first: '+3650d', later: '+0' },
  'healed with a clock ten years behind': { first: '+0', last: '-3650d' },
  'asleep for eight hours': { first: '+0', later: '+8h', sleeps: true },
  'asleep, and set back on waking': { first: '+0', later: '-8h', sleeps: true },
};

const sites = faultSites(Object.keys(cases));

describe.runIf(hasFaketime)('the clock is', () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => {
    driver.remove();
    sites.print('TP11 libfaketime', `${Object.keys(cases).length} clocks`);
  });

  test.each(Object.entries(cases))('%s', async (name, one) => {
    sites.hit(name);
    const folder = mkdtempSync(join(tmpdir(), 'msg-tui-faketime-'));
    const stage = await openStage(driver, folder);
    onTestFinished(async () => {
      await stage.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const time = otherTime(folder, one.first);
    const run = stage.start('run', { env: time.env });
    if (one.later !== undefined) {
      await Promise.race([run.line(({ entered }) => entered !== undefined), run.ended]);
      if (one.sleeps === true) signal(run, 'SIGSTOP');
      time.set(one.later);
      if (one.sleeps === true) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        signal(run, 'SIGCONT');
      }
    }
    expect(await run.ended).toEqual({ code: 0, signal: null });
    time.set(one.last ?? one.later ?? one.first);
    expect(await stage.start('heal', { env: time.env }).ended).toEqual({ code: 0, signal: null });
    expect(await stage.verdict()).toEqual([]);
  });
});

function signal({ process: { pid } }: Run, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended already.
  }
}
