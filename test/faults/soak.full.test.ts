/**
 * A message a second through a network that fails every twentieth time (suite TP15): five minutes in `npm run test:full`,
 * as many as `MSG_TUI_SOAK_MINUTES` says by hand.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { countFrom } from '../support/campaigns/partition.ts';
import { buildDriver, openStage, type Taken } from '../support/campaigns/session-runs.ts';
import { faultProxy, proxyFates } from '../support/servers/fault-proxy.ts';
import { seededRandom } from '../tolerance/personalities.ts';

const minutes = countFrom('MSG_TUI_SOAK_MINUTES', 5);
/** Of the requests; where more fail, what waits for the user's word grows faster than it is sent. */
const share = 0.05;
const mebibyte = 1024 * 1024;
/** Messages that are shown are held in memory: about a kilobyte each, 3,600 an hour. */
const steepestPerHour = 8 * mebibyte;
const largestHeap = 24 * mebibyte;

test('nothing is lost, nothing is sent twice, and nothing grows', { timeout: (minutes + 5) * 60_000 }, async () => {
  const sites = faultSites(proxyFates);
  const driver = await buildDriver();
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-soak-'));
  const stage = await openStage(driver, folder);
  const seed = countFrom('MSG_TUI_SEED', 1 + (Date.now() % 900_000_000));
  const proxy = await faultProxy(stage.url, share, seededRandom(seed), sites);
  onTestFinished(async () => {
    await stage.close();
    await proxy.close();
    driver.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = stage.start('soak', { url: proxy.url });
  await Promise.race([run.ended, new Promise((resolve) => setTimeout(resolve, minutes * 60_000))]);
  run.process.stdin?.end();
  expect(await run.ended).toEqual({ code: 0, signal: null });
  proxy.calm();
  expect((await stage.start('heal').ended).code).toBe(0);
  const wrong = await stage.verdict();
  const taken = run.lines.flatMap((line) => (line.taken === undefined ? [] : [line.taken]));
  // The first third warms up.
  const warm = taken.slice(Math.floor(taken.length / 3));
  const perHour = (slope(warm.map(({ heapUsed }) => heapUsed)) * 3_600) / 5;
  const figures = [
    `${minutes} minutes, ${run.lines.filter(({ entered }) => typeof entered === 'string').length} messages`,
    `heap ${inMebibytes(perHour)} MB/h, at most ${inMebibytes(most(taken, 'heapUsed'))} MB`,
    `at most ${inMebibytes(most(taken, 'rss'))} MB resident, ${most(taken, 'files')} files, ${most(taken, 'waiting')} waiting`,
    `seed ${seed}`,
  ];
  sites.print('TP15 soak', figures.join('; '));
  expect(wrong).toEqual([]);
  expect(most(warm, 'files') - Math.min(...warm.map(({ files }) => files))).toBeLessThanOrEqual(12);
  expect(most(taken, 'heapUsed')).toBeLessThan(largestHeap);
  // In less, what waits at the moment is more than what grows.
  if (minutes >= 20) expect(perHour).toBeLessThan(steepestPerHour);
});

const most = (taken: readonly Taken[], what: keyof Taken): number => Math.max(0, ...taken.map((one) => one[what]));
const inMebibytes = (bytes: number): string => (bytes / mebibyte).toFixed(1);

/** Of the line that fits best, per sample. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  return rise / values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
}
