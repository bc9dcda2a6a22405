/** Runs the session driver again and again, each time killed or refused at another system call, and then heals and judges. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sideBySide } from '../system/side-by-side.ts';
import { type Call, counting, type Injection, injecting, type LoggedCall, loggedCalls } from '../system/strace.ts';
import type { FaultSites } from './fault-sites.ts';
import { type Driver, openStage, type Stage } from './session-runs.ts';

const patienceMs = 2_500;

/** A healing run waits a second before it looks what became of a message: others can run meanwhile. */
const atOnce = 5;

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

/** So many of them at most, spread evenly. */
export function spread<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)] as T);
}

const errors = ['ENOSPC', 'EIO', 'EROFS', 'EMFILE', 'EACCES', 'EINTR'] as const;
const refusable: readonly Call[] = ['openat', 'pwrite64', 'fsync', 'ftruncate', 'unlink'];
/** Opening the program's own parts is not what is asked. */
const isOwnFile = (text: string): boolean => /(data|cache)\/[a-z.]*(db|lock|pid)/.test(text);

/** About so many refused calls, spread over the kinds of calls and the run, each with every error; some errors last. */
export async function errorPoints(driver: Driver, count: number): Promise<readonly Injection[]> {
  const made = (await callsOfRun(driver, refusable)).filter(({ call, text }) => call !== 'openat' || isOwnFile(text));
  let rest = Math.ceil(count / errors.length);
  const points: LoggedCall[] = [];
  // The rare calls first: what they leave of their share goes to the frequent ones.
  const kinds = refusable
    .map((call) => made.filter((one) => one.call === call))
    .sort((one, other) => one.length - other.length);
  for (const [index, calls] of kinds.entries()) {
    const taken = spread(calls, Math.ceil(rest / (kinds.length - index)));
    points.push(...taken);
    rest -= taken.length;
  }
  return points.flatMap(({ call, nth }, index) =>
    errors.map((effect): Injection => ({ call, nth, effect, isLasting: index % 5 === 0 })),
  );
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
): Promise<readonly string[]> => sideBySide(atOnce, injections, (one) => disturbedRun(driver, one, sites));
