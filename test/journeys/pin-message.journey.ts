/** The pinned message is shown on top of the thread until it is unpinned. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('a message is pinned and unpinned', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.press('focus.previous', 'message.previous', 'message.previous');
  await j.see('▌  The ferry leaves at nine');
  j.press('message.pin');
  await j.see(/┬ ann .*\n.*📌 The ferry leaves at nine/);
  const { id } = await j.server.me.find('ann', 'The ferry leaves at nine');
  await expect.poll(async () => (await j.server.me.conversation('ann')).pinned_message_id).toBe(id);

  j.press('message.pin');
  await j.gone('📌');
  await expect.poll(async () => (await j.server.me.conversation('ann')).pinned_message_id).toBeNull();
});
