/** Scrolling back through a thousand messages to the very first, more being fetched on the way, and to the newest again. */
import { expect, test } from 'vitest';
import { seedBulk } from '../../src/server/seed-bulk.ts';
import { journey } from '../support/journey.ts';
import { numbersIn } from './cast.ts';

test('a thousand messages', async () => {
  const j = await journey({ seed: { users: [{ username: 'me' }] }, start: false });
  seedBulk(j.server.service, { conversations: 1, messages: 1_000, inFirst: 1_000, username: 'me' });
  j.start();
  await j.open('contact-000000');
  await j.see('#999 ');
  const numbers = (): readonly number[] => numbersIn(j.screen());
  const seen = new Set(numbers());

  for (let pages = 0; !seen.has(0); pages++) {
    expect(pages).toBeLessThan(400);
    const [top] = numbers();
    j.press('thread.pageUp');
    // At the end of what is there, the key brings nothing until more has come.
    await j.see(() => numbers()[0] !== top, 200).catch(() => undefined);
    for (const number of numbers()) seen.add(number);
  }
  expect(Array.from({ length: 1_000 }, (_, n) => n).filter((n) => !seen.has(n))).toEqual([]);
  expect(j.server.asked.filter(({ path }) => path.startsWith('/v1/messages?')).length).toBeGreaterThan(5);

  // What arrives meanwhile does not move what is read.
  const place = numbers();
  await j.server.as('me').send('contact-000000', 'written elsewhere');
  j.press('server.poll');
  await j.see(/You: written elsewhere/);
  expect(numbers()).toEqual(place);

  j.press('focus.previous', 'message.last');
  await j.see(/▌ {2}written elsewhere/);
});
