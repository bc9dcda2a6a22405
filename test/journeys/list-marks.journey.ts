/** Pinning and muting a conversation, and the views that show them. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('pin, mute and the views', async () => {
  const j = await journey({ seed });
  await j.see('bob');
  await j.see('Half of it');
  j.press('list.first', 'list.next');
  await j.see(/▌bob/);
  j.press('conversation.pin');
  await j.see(/📌 bob/);
  await expect.poll(async () => (await j.server.me.conversation('bob')).is_pinned).toBe(true);
  j.press('conversation.mute');
  await j.see(/📌 🔕 bob/);
  await expect.poll(async () => (await j.server.me.conversation('bob')).is_muted).toBe(true);

  j.press('list.view', 'list.view');
  await j.see('Pinned ▾');
  await j.gone('Bring the tickets');
  await j.see('📌 🔕 bob');
  j.press('list.view');
  await j.see('Muted ▾');
  await j.see('📌 🔕 bob');
  j.press('list.view', 'list.view');
  await j.see('All ▾');
  await j.see(/📌 🔕 bob[\s\S]*ann/);

  j.press('conversation.pin', 'conversation.mute');
  await j.gone(/📌|🔕/);
  await expect
    .poll(async () => {
      const { is_pinned, is_muted } = await j.server.me.conversation('bob');
      return [is_pinned, is_muted];
    })
    .toEqual([false, false]);
});
