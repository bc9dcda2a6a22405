/** A conversation starts with a contact seen before, or with an id that the user knows from elsewhere. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('a conversation with a known contact is created', async () => {
  const j = await journey({ seed });
  await j.see('ann: I do');
  j.press('conversation.new');
  await j.see('New conversation');
  j.type('cy');
  await j.see('> cyd');
  j.press('choice.accept');
  await expect.poll(async () => (await j.server.me.conversations()).length).toBe(4);
  const { id } = await j.server.me.conversation('cyd');
  expect(id).not.toBe('');
  await j.see(/(│|▌|•)cyd/);
});

test('an existing conversation is opened, and one with an id is created', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  j.press('conversation.new');
  await j.see('New conversation');
  j.type('bob');
  await j.see('> bob - has a conversation');
  j.press('choice.accept');
  await j.see('To bob');
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);

  const { id } = j.server.as('dora');
  j.press('layer.back', 'conversation.new');
  await j.see('New conversation');
  j.paste(id);
  await j.see(`With: ${id}`);
  j.press('choice.accept');
  await expect.poll(() => j.server.me.conversations()).toHaveLength(4);
  expect((await j.server.me.conversation('dora')).contact_id).toBe(id);
  await j.see(`Contact #${id.slice(-6)}`);
});
