/** A chat in which nothing happens leaves the processor alone, whoever runs it. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const statusOf = (pid: number): string => `/proc/${pid}/status`;

/** How often the main thread has gone to sleep. */
const sleeps = (pid: number): number =>
  Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(statusOf(pid), 'utf8'))?.[1]);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test.skipIf(!existsSync(statusOf(process.pid)))('a chat at rest wakes up for its polls alone', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  // The file of what waits to be sent has its journal from now on.
  j.type('here I am');
  j.press('message.send');
  await expect.poll(() => j.server.me.texts('ann')).toContain('here I am');
  await pause(2_000);
  const before = sleeps(j.tui.pid);
  await pause(3_000);
  // As root it was thirty a second: whatever read the database touched its journal, which was read again for that.
  expect(sleeps(j.tui.pid) - before).toBeLessThan(60);
});
