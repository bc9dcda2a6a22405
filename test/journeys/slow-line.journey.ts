/** A line that takes 2 KB a second: what is typed does not wait for all the pages that were scrolled past before. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seedBulk } from '../support/servers/seed-bulk.ts';
import { journey, keyOf } from '../support/terminals/journey.ts';
import type { Tui } from '../support/terminals/pty.ts';

/** What the line carries in a tenth of a second. */
const tenth = 205;
const pages = 80;

/** Carries bytes at the pace of the line. @returns how many it took until the screen shows the sight */
async function carryUntil(tui: Tui, sight: RegExp): Promise<number> {
  let taken = 0;
  for (let reads = 0; reads < 100 && !sight.test(tui.screen().join('\n')); reads++) {
    taken += await tui.read(tenth);
    await wait(100);
  }
  expect(tui.screen().join('\n')).toMatch(sight);
  return taken;
}

test('a word typed after eighty pages waits for one page at most, and most of the pages are never sent', async () => {
  const j = await journey({ size: '80x24', seed: { users: [{ username: 'me' }] }, start: false });
  await seedBulk(j.server.service, { conversations: 1, messages: 300, inFirst: 300, username: 'me' });
  j.start();
  const { tui } = j;
  // The stream of the pty begins to read with the next turn of the event loop.
  await wait(5);
  tui.stopReading();
  await carryUntil(tui, /contact-000000/);
  tui.press(keyOf('list.filter'), ...'contact', keyOf('filter.open'));
  await carryUntil(tui, /· #299 [\s\S]*To contact/);
  for (let page = 0; page < pages; page++) {
    tui.press(keyOf(page % 2 === 0 ? 'thread.pageUp' : 'thread.pageDown'));
    // So that the program reads each key by itself and draws a page for it.
    await wait(15);
  }
  tui.type('nine');
  const taken = await carryUntil(tui, /│ nine/);
  expect(taken).toBeLessThan(2 * 1_024);
  expect(taken + (await carryUntil(tui, /· #299 [\s\S]*│ nine/))).toBeLessThan(3 * 1_024);
  await j.quit();
});
