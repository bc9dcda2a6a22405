/** What was being written, and where one was reading, survives the worst end of the program. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedBulk } from '../support/servers/seed-bulk.ts';
import { filesIn } from '../support/system/canary.ts';
import { journey } from '../support/terminals/journey.ts';
import { numbersIn, seed } from './cast.ts';

const databaseOf = (folder: string): string =>
  filesIn(folder)
    .filter((file) => file.endsWith('outbox.db'))
    .map((file) => readFileSync(file, 'latin1'))
    .join();

test('a draft survives kill -9', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('dear ann');
  j.press('text.newline');
  j.type('it is a long story');
  await j.see('it is a long story');
  await j.stored('it is a long story');
  await j.kill('SIGKILL');

  j.start();
  await j.see('To ann');
  await j.see(/To ann .*\n.*dear ann.*\n.*it is a long story/);
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a draft survives SIGTERM right after the last key', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('not yet saved');
  await j.see('not yet saved');
  expect((await j.kill('SIGTERM')).code).toBe(143);
  j.start();
  await j.see('To ann');
  await j.see('not yet saved');
});

test('the place in a long thread survives kill -9', async () => {
  const j = await journey({ seed: { users: [{ username: 'me' }] }, start: false });
  await seedBulk(j.server.service, { conversations: 2, messages: 700, inFirst: 600, username: 'me' });
  j.start();
  await j.open('contact-000000');
  await j.see('#599 ');
  for (let lowest = 599; lowest > 250; lowest = Math.min(...numbersIn(j.screen()))) {
    const before = j.screen();
    j.press('thread.pageUp');
    await j.see(() => j.screen() !== before);
  }
  // Longer than moving has to pause until it is saved.
  let before = '';
  const isStill = (): boolean => {
    const now = databaseOf(j.folder);
    const same = now === before;
    before = now;
    return same;
  };
  await expect.poll(isStill, { interval: 1_000 }).toBe(true);
  const shown = numbersIn(j.screen());
  await j.kill('SIGKILL');
  j.start();
  await expect.poll(() => numbersIn(j.screen())).toEqual(shown);
});
