/** Deleting one's own message asks first. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const question = 'Delete this message for everybody?';

test('a message is deleted', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.press('focus.previous', 'message.previous');
  await j.see('▌  I will be there');
  j.press('message.delete');
  await j.see(question);
  await j.see(/(You|me) \d\d:\d\d: I will be there/);
  j.press('layer.back');
  await j.gone(question);
  await expect.poll(() => j.server.me.texts('ann')).toContain('I will be there');

  j.press('message.delete');
  await j.answer('confirm.no', question);
  expect(j.server.asked.filter(({ method }) => method === 'DELETE')).toEqual([]);

  j.press('message.delete');
  await j.answer('confirm.yes', question);
  await j.gone('I will be there');
  await expect.poll(() => j.server.as('ann').texts('me')).not.toContain('I will be there');
  expect(j.server.asked.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});
