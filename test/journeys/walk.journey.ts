/** One key walks through everything unread. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed, unread } from './cast.ts';

test('Alt-a goes through the unread conversations', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  await j.see('ann: I do');
  await j.server.as('cyd').send('crew', 'Coffee is on me');
  // The service gives times in seconds, and the later conversation is to come first.
  await setTimeout(1_100);
  await j.server.as('bob').send('me', 'Are you there?');
  j.press('server.poll');
  await j.see(unread('bob', 1));
  await j.see(unread('Group', 1));
  j.press('unread.next');
  await j.see('To bob');
  j.type('yes');
  j.press('message.send');
  await j.see(/You: yes/);
  j.press('unread.next');
  await j.see('To Group');
  await j.see(/─ new ─[\s\S]*Coffee is on me/);
  j.press('unread.next');
  await j.see('Nothing else is unread in this list');
  await expect.poll(() => j.server.as('bob').texts('me')).toContain('yes');
});
