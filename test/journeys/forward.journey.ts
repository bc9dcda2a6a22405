/** Forwarding to two conversations: each gets the quoted message once. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('forward to two', async () => {
  const j = await journey({ seed });
  await j.open('bob');
  await j.see('Did you read the draft?');
  j.press('focus.previous', 'message.last', 'message.forward');
  await j.see('Enter forwards to');
  j.press('forward.choose', 'choice.next', 'forward.choose', 'choice.accept');
  await j.see(/Forwarded to \S+.*, \S+/);
  const forwarded = async (): Promise<number> => {
    const all = await Promise.all(['ann', 'bob', 'crew'].map((name) => j.server.me.texts(name).catch(() => [])));
    return all.flat().filter((text) => /^> bob, .*:\n> Did you read the draft\?$/.test(text)).length;
  };
  await expect.poll(forwarded).toBe(2);
});
