/** Every size: too small says so, narrow shows one pane, and the place that is read is kept. */
import { expect, test } from 'vitest';
import { seedBulk } from '../support/servers/seed-bulk.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { numbersIn, seed } from './cast.ts';

test('a screen that is too small shows a note, and everything is back once it has grown', async () => {
  const j = await journey({ seed, size: '80x24' });
  await j.open('ann');
  j.type('half a word');
  await j.see('half a word');
  j.resize(20, 5);
  await j.see(/Too small\nneeds 40 x 10\nhas 20 x 5/);
  j.type('!');
  j.resize(80, 24);
  await j.see(/half a word +│/);
  await j.see('Bring the tickets');
});

test('a narrow screen shows one pane at a time', async () => {
  const j = await journey({ seed, size: '60x20' });
  await j.see('Half of it');
  await j.open('ann');
  await j.see('Bring the tickets');
  expect(j.screen()).not.toContain('Half of it');
  j.press('layer.back');
  await j.see('Half of it');
  expect(j.screen()).not.toContain('To ann');
  expect(j.tui.screen().every((row) => row.length <= 60)).toBe(true);
});

test('the place in the thread is kept through changes of size', async () => {
  const j = await journey({ seed: { users: [{ username: 'me' }] }, start: false, size: '80x24' });
  await seedBulk(j.server.service, { conversations: 1, messages: 202, inFirst: 202, username: 'me' });
  j.start();
  await j.open('contact-000000');
  await j.see('#201 ');
  // One by one: the place is read when no key is on its way any more.
  for (let pages = 0; pages < 4; pages++) {
    const before = numberAtTop(j);
    j.press('thread.pageUp');
    await j.see(() => numberAtTop(j) < before);
  }
  const place = numberAtTop(j);
  for (const [columns, rows] of [
    [140, 50],
    [20, 5],
    [60, 20],
    [100, 30],
    [80, 24],
  ] as const) {
    j.resize(columns, rows);
    await j.see(columns < 40 ? 'Too small' : new RegExp(`#${place} `));
  }
  await j.see(() => numberAtTop(j) === place);
});

const numberAtTop = (j: Journey): number => numbersIn(j.screen())[0] ?? -1;
