/** Filtering the list by typing a part of a name. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('filter', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  j.press('list.filter');
  j.type('bo');
  await j.see('Filter: bo');
  await j.gone('Bring the tickets');
  j.type('x');
  await j.see('No name matches "box".');
  j.press('filter.deleteBack');
  await j.see('Half of it');
  j.press('filter.keep');
  j.press('list.first', 'conversation.mute');
  await j.see('🔕 bob');
  await expect.poll(async () => (await j.server.me.conversation('bob')).is_muted).toBe(true);
  j.press('layer.back');
  await j.see('Bring the tickets');
  j.press('list.filter');
  j.type('ann');
  j.press('filter.open');
  await j.see('To ann');
  await j.see('Half of it');
});
