/** A message is written, shown at once, and arrives once. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('a message is shown as sending, and then as sent', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const j = await journey({
    seed,
    hook: async (request, next) => {
      if (request.method === 'POST') await held;
      return next();
    },
  });
  await j.open('ann');
  j.type('See you there 👋');
  await j.see('See you there 👋');
  j.press('message.send');
  await j.see(/│ +See you there 👋[\s\S]*Write a message/);
  await j.see(/queued|sending/);
  release();
  await j.gone(/queued|sending|⧗|↗/);
  await expect
    .poll(() => j.server.me.texts('ann'))
    .toEqual([
      'Are we still on for the harbour?',
      'Yes we are',
      'The ferry leaves at nine',
      'I will be there',
      'Bring the tickets',
      'See you there 👋',
    ]);
  await j.see(/You: See you there 👋 +✓/);
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('blank text is not sent', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('   ');
  // The key between the two texts keeps them from being taken for pasted lines where they arrive at once.
  j.press('message.send', 'cursor.end');
  j.type('then words');
  await j.see('then words');
  j.press('message.send');
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)).toMatch(/^ *then words$/);
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
