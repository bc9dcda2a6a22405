/** Enter sends; the other Enter makes a new line. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('a text of several lines is written, and edited as in a shell', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('first line');
  j.press('text.newline');
  j.type('second line');
  j.press(['text.newline', 2]);
  j.type('third line');
  await j.see(/To ann .*\n.*first line.*\n.*second line.*\n.*third line/);
  j.press('message.send');
  await j.see('Write a message');
  await j.see(/first line.*\n.*second line.*\n.*third line/);
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)).toBe('first line\nsecond line\nthird line');

  // What is written can be edited as in a shell.
  j.type('one two three');
  j.press('text.killWordBack');
  await j.see(/one two +│/);
  j.press('cursor.home');
  j.type('zero ');
  j.press('cursor.end', 'text.yank');
  await j.see('zero one two three');
  j.press('text.undo');
  await j.see(/zero one two +│/);
  j.press('message.send');
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)?.trimEnd()).toBe('zero one two');
});
