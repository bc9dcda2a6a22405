/** A line that takes 2 KB a second: what is typed does not wait for all the pages that were scrolled past before. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seedBulk } from '../support/servers/seed-bulk.ts';
import { journey, keyOf } from '../support/terminals/journey.ts';

/** The bytes that are read at once, for which the line needs a second. */
const second = 2_048;
const pages = 80;

test('a word typed after eighty pages comes with the newest page, and most of the others are never sent', async () => {
  const j = await journey({ size: '80x24', seed: { users: [{ username: 'me' }] }, start: false });
  await seedBulk(j.server.service, { conversations: 1, messages: 300, inFirst: 300, username: 'me' });
  j.start();
  await j.open('contact-000000');
  await j.see('#299 ');
  const { tui } = j;
  tui.stopReading();
  for (let page = 0; page < pages; page++) {
    tui.press(keyOf(page % 2 === 0 ? 'thread.pageUp' : 'thread.pageDown'));
    // So that the program reads each key by itself and draws a page for it.
    await wait(15);
  }
  tui.type('nine');
  let taken = 0;
  for (let reads = 0; reads < 500 && !tui.screen().some((row) => row.includes('│ nine')); reads++) {
    const read = await tui.read(second);
    taken += read;
    if (read === 0) await wait(20);
  }
  expect(tui.screen().join('\n')).toMatch(/#299 [\s\S]*│ nine/);
  // The buffers of the pty had taken some 12 KB before the word; all the pages are 86 KB.
  expect(taken).toBeLessThan(40 * 1_024);
});
