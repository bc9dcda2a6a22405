/** An archived conversation leaves the list, comes back at once when it was a mistake, and is found in its view. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('archive and bring back', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  j.press('list.first', 'list.next');
  await j.see('▌bob');
  j.press('conversation.archive');
  await j.gone('bob');
  const now = Date.now() / 1000;
  await expect.poll(async () => (await j.server.me.conversation('bob')).archived_at).not.toBeNull();
  const at = (await j.server.me.conversation('bob')).archived_at ?? 0;
  expect(Math.abs(at - now)).toBeLessThan(60);

  j.press('list.undo');
  await j.see('▌bob');
  await expect.poll(async () => (await j.server.me.conversation('bob')).archived_at).toBeNull();
  j.press('conversation.archive');
  await j.gone('bob');

  j.press(...Array.from({ length: 4 }, () => 'list.view'));
  await j.see('Archived ▾');
  await j.see('▣ bob');
  j.press('list.first', 'conversation.archive');
  await j.gone('bob');
  await expect.poll(async () => (await j.server.me.conversation('bob')).archived_at).toBeNull();
  j.press('list.view');
  await j.see('All ▾');
  await j.see('bob');
});
