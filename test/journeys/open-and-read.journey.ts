/** Opening a conversation from the list shows its history and marks it as read on the server. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { talking, withAnn, withBob } from './cast.ts';

test('opening a conversation marks its messages as read', async () => {
  const j = await journey({ seed: talking(withBob, { ...withAnn, state: { me: { unread: 1 } } }) });
  await j.see(/ann .*\n.*Bring the tickets/);
  await j.see('No conversation is open.');
  expect((await j.server.as('ann').find('me', 'Bring the tickets')).read_at).toBeNull();

  j.press('list.first', 'list.open');
  await j.see('To ann');
  await j.see(/Yes we are[\s\S]*The ferry leaves at nine[\s\S]*I will be there[\s\S]*Bring the tickets/);
  expect(j.screen()).toMatch(/─ (Yesterday|Today|\w+day \d+ \w+) ─/);
  await expect.poll(async () => (await j.server.as('ann').find('me', 'Bring the tickets')).read_at).not.toBeNull();
  expect((await j.server.me.conversation('ann')).last_opened_at).not.toBeNull();

  j.press('conversation.next');
  await j.see('To bob');
  await j.see('Did you read the draft?');
  j.press('conversation.other');
  await j.see('To ann');
  expect((await j.quit()).code).toBe(0);
});
