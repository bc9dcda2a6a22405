/** Runs the session driver again and again, each time killed or refused at another system call, and then heals and judges. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultSites } from './fault-sites.ts';
import { type Driver, openStage, type Stage } from './session-runs.ts';
import { sideBySide } from './side-by-side.ts';
import { type Call, counting, type Injection, injecting, type LoggedCall, loggedCalls } from './strace.ts';

const patienceMs = 2_500;

async function onStage<T>(driver: Driver, work: (stage: Stage, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-sweep-'));
  const stage = await openStage(driver, folder);
  try {
    return await work(stage, folder);
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The calls of an undisturbed run; rejects when even that run breaks a promise. */
export function callsOfRun(driver: Driver, calls: readonly Call[]): Promise<readonly LoggedCall[]> {
  return onStage(driver, async (stage, folder) => {
    const log = join(folder, 'calls.log');
    const run = stage.start('run', { prefix: counting(log, calls) });
    const { code } = await run.ended;
    await stage.start('heal').ended;
    const wrong = await stage.verdict();
    if (code !== 0 || wrong.length > 0) throw new Error(`undisturbed, yet: code ${code}, ${wrong.join('; ')}`);
    return loggedCalls(log);
  });
}

/** Everything that is wrong after a run with this injection and a healing start. */
function disturbedRun(driver: Driver, injection: Injection, sites: FaultSites): Promise<readonly string[]> {
  return onStage(driver, async (stage) => {
    const name = `${injection.call} ${injection.nth}${injection.isLasting === true ? '+' : ''} ${injection.effect}`;
    const run = stage.start('run', { prefix: injecting(injection) });
    // Under an error that lasts nothing can be brought to its end: the user gives up.
    const patience = setTimeout(run.kill, patienceMs);
    const { signal } = await run.ended;
    clearTimeout(patience);
    const isHit = injection.effect !== 'KILL' || signal === 'SIGKILL';
    if (isHit) sites.hit(`${injection.effect} at ${injection.call}`);
    const heal = await stage.start('heal').ended;
    const wrong = await stage.verdict();
    return [...(heal.code === 0 ? [] : [`healing ended with ${heal.code}`]), ...wrong].map((one) => `${name}: ${one}`);
  });
}

/** Everything that is wrong after a run with each of the injections. */
export const sweep = (
  driver: Driver,
  injections: readonly Injection[],
  sites: FaultSites,
): Promise<readonly string[]> => sideBySide(2, injections, (one) => disturbedRun(driver, one, sites));
