/** The unread count, the "new" line, and marking read and unread here. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { talking, unread, withAnn, withBob } from './cast.ts';

test('unread and new', async () => {
  const j = await journey({ seed: talking(withAnn, withBob) });
  await j.see('Half of it');
  const bob = j.server.as('bob');
  await bob.send('me', 'And the other half?');
  await bob.send('me', 'Hello?');
  j.press('server.poll');
  await j.see(unread('bob', 2));
  await j.open('bob');
  await j.see(/Half of it[\s\S]*─ new ─[\s\S]*And the other half\?[\s\S]*Hello\?/);
  expect(j.screen()).not.toMatch(unread('bob', 2));
  await expect.poll(async () => (await bob.find('me', 'Hello?')).read_at).not.toBeNull();

  j.press('focus.next');
  j.press('conversation.read');
  await j.see(unread('bob', '[12]'));
  j.press('conversation.read');
  await j.gone(unread('bob', '[12]'));
});

test('reading is kept', async () => {
  const j = await journey({ seed: talking(withAnn, withBob) });
  await j.see('Half of it');
  await j.server.as('bob').send('me', 'Hello?');
  j.press('server.poll');
  await j.see(unread('bob', 1));
  await j.open('bob');
  await j.see('─ new ─');
  await j.quit();
  j.start();
  await j.see('Hello?');
  expect(j.screen()).not.toMatch(unread('bob', 1));
});
