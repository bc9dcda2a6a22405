/** Forwarding to two conversations: each gets the quoted message once. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const quote = /^> me, .*:\n> Half of it$/;

test('a message is forwarded to two conversations', async () => {
  const j = await journey({ seed });
  await j.open('bob');
  await j.see('Did you read the draft?');
  j.press('focus.previous', 'message.last', 'message.forward');
  await j.see('Enter forwards to');
  j.press('forward.choose', 'choice.next', 'forward.choose', 'choice.accept');
  await j.see(/Forwarded to \S+.*, \S+/);
  await expect.poll(() => j.server.me.texts('ann')).toContainEqual(expect.stringMatching(quote));
  await expect.poll(() => j.server.asked.filter(({ method }) => method === 'POST').length).toBe(2);
});
