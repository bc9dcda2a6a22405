/** What others do appears by itself: a message, a reaction, an edit, a deletion, a new conversation. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed, unread } from './cast.ts';

test('messages, edits, reactions and deletions of other people are shown', async () => {
  const j = await journey({ seed });
  const ann = j.server.as('ann');
  await j.open('ann');
  const sent = await ann.send('me', 'Are you awake?');
  await j.see(/ {2}Are you awake\?/);

  await ann.react((await ann.find('me', 'I will be there')).id, 'heart');
  j.press('server.poll');
  await j.see(/I will be there.*\n.*❤️ 1/);

  // The server counts in seconds: an edit within the second of the message bears the same time.
  await expect.poll(() => Date.now() / 1000).toBeGreaterThan(sent.created_at + 1);
  await ann.edit(sent.id, 'Are you awake now?');
  j.press('server.poll');
  await j.see(/Are you awake now\? \(edited\)/);

  await ann.remove(sent.id);
  j.press('server.poll');
  await j.gone(/ {2}Are you awake/);
  await j.see(/ann .*\n.*Bring the tickets/);

  // Somebody new writes.
  const dora = j.server.as('dora');
  await dora.start('me');
  await dora.send('me', 'Hello, I am new here');
  j.press('server.poll');
  await j.see(unread('dora', 1));
  await j.see('Hello, I am new here');
  expect(j.screen()).toMatch(/dora[\s\S]*ann[\s\S]*bob/);
});
