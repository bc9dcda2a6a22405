/** Deleting a conversation asks first and says that archiving keeps it. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const question = 'Delete this conversation and all its messages?';

test('delete a conversation', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  j.press('list.first', 'list.next');
  await j.see('▌bob');
  j.press('conversation.delete');
  await j.see(question);
  await j.see('Archiving keeps it restorable.');
  j.press('layer.back');
  await j.gone(question);
  await expect.poll(() => j.server.me.texts('bob')).toHaveLength(2);

  j.press('conversation.delete');
  await j.answer('confirm.yes', question);
  await j.gone('Half of it');
  await expect.poll(() => j.server.me.conversations()).toHaveLength(2);
  expect(j.screen()).toContain('ann');
});
