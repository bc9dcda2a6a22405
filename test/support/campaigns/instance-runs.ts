/** Two or three processes of one profile at once: all write, one is killed, the others end, and the next one heals. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultSites } from './fault-sites.ts';
import { type Driver, openStage } from './session-runs.ts';

/** Everything that is wrong after the so many-th gathering; the number decides how many come, and what becomes of them. */
export async function gathering(driver: Driver, number: number, sites: FaultSites): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-instances-'));
  const stage = await openStage(driver, folder);
  try {
    const names = number % 2 === 0 ? ['a', 'b'] : ['a', 'b', 'c'];
    const runs = names.map((name) => stage.start('live', { name }));
    const victim = runs[number % 5 === 2 ? runs.length : number % runs.length];
    if (number % 3 !== 0) await Promise.all(runs.map((run) => run.line(({ ready }) => ready === true)));
    victim?.kill();
    sites.hit(victim === undefined ? 'nobody is killed' : `one of ${runs.length} is killed`);
    for (const run of runs) run.process.stdin?.end();
    const ends = await Promise.all(runs.map((run) => run.ended));
    const failed = ends.filter(({ code }, index) => runs[index] !== victim && code !== 0);
    const heal = await stage.start('heal').ended;
    if (heal.code !== 0) failed.push(heal);
    const wrong = [...failed.map(({ code }) => `a process ended with ${code}`), ...(await stage.verdict())];
    return wrong.map((one) => `gathering ${number}: ${one}`);
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
