/** Scrolling back through a thousand messages to the very first, more being fetched on the way, and to the newest again. */
import { expect, test } from 'vitest';
import { seedBulk } from '../support/servers/seed-bulk.ts';
import { journey } from '../support/terminals/journey.ts';
import { numbersIn } from './cast.ts';

test('a thread of a thousand messages is scrolled to its beginning and back', async () => {
  const j = await journey({ seed: { users: [{ username: 'me' }] }, start: false });
  await seedBulk(j.server.service, { conversations: 1, messages: 1_000, inFirst: 1_000, username: 'me' });
  j.start();
  await j.open('contact-000000');
  await j.see('#999 ');
  const numbers = (): readonly number[] => numbersIn(j.screen());
  const seen = new Set(numbers());

  let lowest = 1_000;
  for (let presses = 0; lowest > 0; presses++) {
    expect(presses).toBeLessThan(400);
    while (seen.has(lowest - 1)) lowest -= 1;
    const shown = numbers();
    // On a busy machine two presses can meet in one frame: then back to what they have passed over.
    const isPast = (shown.at(-1) ?? 0) < lowest - 1;
    j.press(isPast ? 'thread.pageDown' : 'thread.pageUp');
    // At the end of what is there, the key brings nothing until more has come.
    await j.see(() => numbers()[0] !== shown[0], 200).catch(() => undefined);
    for (const number of numbers()) seen.add(number);
  }
  expect(j.server.asked.filter(({ path }) => path.startsWith('/v1/messages?')).length).toBeGreaterThan(5);

  // What arrives meanwhile does not move what is read.
  const place = numbers();
  await j.server.as('me').send('contact-000000', 'written elsewhere');
  j.press('server.poll');
  await j.see(/You: written elsewhere/);
  expect(numbers()).toEqual(place);

  j.press('focus.previous', 'message.last');
  await j.see(/▌· written elsewhere/);
});

test('at the beginning of a conversation hardly any further request is made', async () => {
  const j = await journey({ seed: { users: [{ username: 'me' }] }, start: false });
  await seedBulk(j.server.service, { conversations: 1, messages: 300, inFirst: 300, username: 'me' });
  let older = 0;
  j.server.setHook(async (request, next) => {
    if (!request.url.includes('starting_after')) return next();
    older += 1;
    return next();
  });
  j.start();
  await j.open('contact-000000');
  await j.see('#299 ');
  while (!/#0 /.test(j.screen())) {
    const before = j.screen();
    j.press('thread.pageUp');
    await j.see(() => j.screen() !== before);
  }
  expect(older).toBeGreaterThan(1);
  const before = older;
  for (let presses = 0; presses < 20; presses += 1) {
    j.press('thread.pageUp');
    await new Promise((done) => setTimeout(done, 50));
  }
  expect(older - before).toBeLessThanOrEqual(2);
});

test('after a page, the selected message is one in sight, and a step goes on from there', async () => {
  const j = await journey({ seed: { users: [{ username: 'me' }] }, start: false });
  await seedBulk(j.server.service, { conversations: 1, messages: 100, inFirst: 100, username: 'me' });
  j.start();
  await j.open('contact-000000');
  await j.see('#99 ');
  const selected = (): number => Number(/│▌[^│\n]*#(\d+) [^│\n]*│\s*$/m.exec(j.screen())?.[1] ?? -1);
  j.press('focus.previous');
  await j.see(() => selected() === 99);
  j.press('thread.pageUp');
  await j.see(() => selected() < 99 && selected() >= 0);
  const last = numbersIn(j.screen()).at(-1);
  expect(selected()).toBe(last);
  j.press('message.previous');
  await j.see(() => selected() === Number(last) - 1);
  expect(numbersIn(j.screen())).toContain(last);
});
