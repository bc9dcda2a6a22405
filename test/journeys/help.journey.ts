/** All keys, from the one table, on top of everything and away again. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('help', async () => {
  const j = await journey({ seed, size: '80x24' });
  await j.open('ann');
  await j.see(/ann: I do[\s\S]*Enter send/);
  await j.see(/│ {3}Bring the tickets/);
  const before = j.screen();
  j.press('help.open');
  await j.see(/Keys 1–\d+ of \d+/);
  await j.see('Anywhere');
  await j.see('Open the next unread conversation');
  j.press('help.bottom');
  await j.see('Close the help');
  j.press('help.top');
  await j.see('Anywhere');
  j.press('help.close');
  await j.gone('Anywhere');
  await j.see((screen) => screen.slice(1).join('\n') === before.split('\n').slice(1).join('\n'));
  expect(j.screen()).toContain('Write a message');

  j.press('help.open');
  await j.see('Anywhere');
  j.press('layer.back');
  await j.gone('Anywhere');

  j.press('help.open');
  await j.see('Anywhere');
  j.type('typed all the same');
  await j.gone('Anywhere');
  await j.see(/│ typed all the same +│/);
});
