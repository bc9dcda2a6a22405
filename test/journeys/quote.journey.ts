/** A reply quotes a message; the quote is one line that leads to it, and from there one key leads back. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('a reply quotes a message, leads to it, and back', async () => {
  const j = await journey({ seed, start: false });
  await j.server.as('ann').send('me', 'The ferry leaves at nine');
  await j.server.as('ann').send('me', Array.from({ length: 60 }, (_, i) => `stop ${i}`).join('\n'));
  j.start();
  await j.open('ann');
  await j.see('45 more lines');
  j.press('focus.previous', 'message.previous', 'message.reply');
  await j.see('> ann wrote:');
  j.type('I know');
  j.press('message.send');
  await j.see('ann: The ferry leaves at nine');
  await expect.poll(() => j.server.me.texts('ann')).toContain('> ann wrote:\n> The ferry leaves at nine\nI know');
  j.press('focus.previous', 'message.previous', 'message.more');
  await j.see('stop 17');
  j.press('message.last', 'message.goToQuoted');
  await j.see(/▌.*The ferry leaves at nine/);
  j.press('jump.back');
  await j.see('I know');
});
