/** The composer completes words, and a slash command never goes out as text by itself. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('names, emoji and commands are completed', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  // Completion offers the people known when a key is pressed: his name comes with the list.
  await j.see(/bob [\s\S]*Half of it/);
  j.type('Hi @b');
  await j.see(/││ @bob +││/);
  j.press('completion.take');
  await j.see('Hi @bob');
  await j.gone(/││ @bob +││/);
  j.type('and :tad');
  await j.see(':tada:');
  j.press('completion.next', 'completion.accept');
  await j.see('Hi @bob and 🎉');
  j.type(' :heart:');
  await j.see(/and 🎉 ❤/);
  j.press('message.send');
  await expect.poll(() => j.server.me.texts('ann')).toContain('Hi @bob and 🎉 ❤️');

  j.type('/pi');
  await j.see(/\/pin +Pin or unpin/);
  j.press('completion.take');
  j.press('message.send');
  await j.see('Pinned; /undo undoes it');
  await j.see('📌 ann');
  j.type('/nosuch');
  j.press('message.send');
  await j.see('There is no command /nosuch. Enter again sends it as text');
  j.press('text.killToStart');
  j.type('//shrug');
  j.press('message.send');
  await expect.poll(() => j.server.me.texts('ann')).toContain('/shrug');
  expect((await j.server.me.texts('ann')).filter((text) => /pin|nosuch/.test(text))).toEqual([]);
});
