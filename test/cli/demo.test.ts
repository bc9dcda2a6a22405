/** The demo's server keeps its files in a folder that is removed when the program ends. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDemo } from '../../src/cli/demo.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('at the end nobody answers any more, and the database is closed before its folder is removed', async () => {
  const planned = timers();
  const before = process.listeners('exit');
  const { server, token, dataDirectory } = await startDemo((id) => id);
  const [leave] = process.listeners('exit').filter((listener) => !before.includes(listener));
  if (leave === undefined) throw new Error('nothing is done at the end');
  onTestFinished(() => void process.off('exit', leave));
  const status = async () =>
    (await fetch(`${server}/v1/conversations`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await status()).toBe(200);
  expect(timers()).toBeGreaterThan(planned);
  leave(0);
  expect(timers()).toBeLessThanOrEqual(planned);
  // Windows removes no open file.
  expect(existsSync(dirname(dataDirectory))).toBe(false);
  // A database that is still open would answer from the file that has no name any more.
  expect(await status()).toBe(500);
});
