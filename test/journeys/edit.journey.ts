/** Editing one's own message; what stood in the composer before comes back. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('a message is edited', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('half a thought');
  j.press('focus.previous');
  await j.see('▌  Bring the tickets');
  j.press('message.edit');
  await j.see('Only your own messages can be edited');
  j.press('message.previous');
  await j.see('▌  I will be there');
  j.press('message.edit');
  await j.see(/I will be there[\s\S]*I will be there/);
  j.press('text.killToStart');
  j.type('I will be late');
  j.press('message.send');
  await j.see(/ {2}I will be late \(edited\)/);
  await j.see('half a thought');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('I will be late');
  await expect.poll(() => j.server.as('ann').texts('me')).not.toContain('I will be there');
});

test('Esc keeps the message as it is', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.press('focus.previous', 'message.previous', 'message.edit');
  await j.see(/I will be there[\s\S]*I will be there/);
  j.type(' perhaps');
  await j.see('I will be there perhaps');
  j.press('layer.back');
  await j.see('Write a message');
  expect(j.screen()).not.toContain('perhaps');
  expect(j.server.asked.filter(({ method }) => method === 'PUT')).toEqual([]);
});
