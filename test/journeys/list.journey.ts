/** What one does with a conversation in the list, one after the other in one start: filter, pin, mute, views, archive, delete. */
import { expect, test } from 'vitest';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const question = 'Delete this conversation and all its messages?';
const bobs = (j: Journey) => j.server.me.conversation('bob');

test('the list is filtered, and conversations are pinned, muted, archived and deleted', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  await filter(j);
  await pinAndMute(j);
  await archiveAndBringBack(j);
  await remove(j);
});

/** Finds bob by a part of the name, mutes the conversation there, and lets go. */
async function filter(j: Journey): Promise<void> {
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
  await j.see('Until you unmute it');
  j.press('choice.accept');
  await j.see('🔕 bob');
  await expect.poll(async () => (await bobs(j)).is_muted).toBe(true);
  j.press('layer.back');
  await j.see('Bring the tickets');
}

async function pinAndMute(j: Journey): Promise<void> {
  j.press('list.first', 'list.next');
  await j.see('▌🔕 bob');
  j.press('conversation.pin');
  await j.see(/📌 🔕 bob/);
  await expect.poll(async () => (await bobs(j)).is_pinned).toBe(true);

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
      const { is_pinned, is_muted } = await bobs(j);
      return [is_pinned, is_muted];
    })
    .toEqual([false, false]);
}

/** An archived conversation leaves the list, comes back at once when it was a mistake, and is found in its view. */
async function archiveAndBringBack(j: Journey): Promise<void> {
  j.press('list.first', 'list.next');
  await j.see('▌bob');
  j.press('conversation.archive');
  await j.gone('bob');
  const now = Date.now() / 1000;
  await expect.poll(async () => (await bobs(j)).archived_at).not.toBeNull();
  expect(Math.abs(((await bobs(j)).archived_at ?? 0) - now)).toBeLessThan(60);

  j.press('list.undo');
  await j.see('▌bob');
  await expect.poll(async () => (await bobs(j)).archived_at).toBeNull();
  j.press('conversation.archive');
  await j.gone('bob');

  j.press(...Array.from({ length: 4 }, () => 'list.view'));
  await j.see('Archived ▾');
  await j.see('▣ bob');
  j.press('list.first', 'conversation.archive');
  await j.gone('bob');
  await expect.poll(async () => (await bobs(j)).archived_at).toBeNull();
  j.press('list.view');
  await j.see('All ▾');
  await j.see('bob');
}

/** Deleting asks first and says that archiving keeps the conversation. */
async function remove(j: Journey): Promise<void> {
  j.press('list.first', 'list.next');
  await j.see('▌bob');
  j.press('conversation.delete');
  await j.see(question);
  await j.see('Archive it instead if');
  j.press('layer.back');
  await j.gone(question);
  await expect.poll(() => j.server.me.texts('bob')).toHaveLength(2);

  j.press('conversation.delete');
  await j.answer('confirm.yes', question);
  await j.gone('Half of it');
  await expect.poll(() => j.server.me.conversations()).toHaveLength(2);
  expect(j.screen()).toContain('ann');
}
