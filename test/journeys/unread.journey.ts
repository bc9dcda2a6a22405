/** The unread count, the "new" line, more unread messages than fit, and marking read and unread here. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { talking, unread, withAnn, withBob } from './cast.ts';

test('unread counts and the "new" line are shown', async () => {
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

test('what was read stays read after a restart', async () => {
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

test('unread messages that do not fit open at the first one, and count as read at the last one', async () => {
  const news = Array.from({ length: 40 }, (_, i) => ({ from: 'bob', text: `news ${i + 1}.`, at: -60 - 40 + i }));
  const bob = { ...withBob, messages: [...(withBob.messages ?? []), ...news], state: { me: { unread: 40 } } };
  const j = await journey({ seed: talking(withAnn, bob) });
  const isRead = async (): Promise<boolean> => (await j.server.as('bob').find('me', 'news 40.')).read_at !== null;
  await j.see(unread('bob', 40));
  await j.open('bob');
  await j.see(/Half of it[\s\S]*─ new ─[\s\S]*news 1\./);
  await j.see(/2[0-9] new ↓/);
  await j.see(unread('bob', 40));
  j.press('unread.next');
  await j.see('Nothing else is unread in this list');

  j.press('conversation.next');
  await j.see('To ann');
  j.press('conversation.other');
  await j.see(/─ new ─[\s\S]*news 1\./);
  await j.quit();
  j.start();
  await j.see(/─ new ─[\s\S]*news 1\.[\s\S]*2[0-9] new ↓/);
  expect(await isRead()).toBe(false);

  for (let pages = 0; pages < 4; pages++) j.press('thread.pageDown');
  await j.see('news 40.');
  await j.gone('new ↓');
  await j.gone(unread('bob', 40));
  await expect.poll(isRead).toBe(true);
});

test('unread messages that begin before the newest page open at the first one, and are counted', async () => {
  const texts = Array.from({ length: 260 }, (_, i) => ({ from: 'bob', text: `news ${i + 1}.`, at: (i - 270) * 60 }));
  const bob = { ...withBob, messages: texts, state: { me: { unread: 230 } } };
  const j = await journey({ seed: talking(withAnn, bob) });
  await j.see('news 260.');
  await j.open('bob');
  await j.see(/news 30\.[\s\S]*─ new ─[\s\S]*news 31\./);
  await j.see(unread('bob', '(230|99\\+)'));
  await j.see(/2\d\d new ↓/);
});

test('a place that the user has scrolled to stays when messages come', async () => {
  const news = Array.from({ length: 60 }, (_, i) => ({ from: 'bob', text: `old ${i + 1}.`, at: -600 + i }));
  const j = await journey({ seed: talking(withAnn, { ...withBob, messages: news }) });
  await j.open('bob');
  await j.see('old 60.');
  j.press('thread.pageUp');
  await j.see('newer ↓');
  await j.gone(/· old 60\./);
  const top = /old \d+\./.exec(j.screen())?.[0] ?? '';
  j.press('conversation.next');
  await j.see('To ann');
  for (const text of ['One more', 'And another']) await j.server.as('bob').send('me', text);
  j.press('server.poll');
  await j.see(unread('bob', 2));
  j.press('conversation.other');
  await j.see('2 new ↓');
  expect(j.screen()).toContain(top);
  await j.see(unread('bob', 2));
});
