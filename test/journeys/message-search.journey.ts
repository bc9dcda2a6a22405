/** Finding a message from long ago, without the server: type, choose, and the thread shows it; Esc from the search changes nothing. */
import { expect, test } from 'vitest';
import type { SeedConversation } from '../../src/server/seed/seed-format.ts';
import { journey } from '../support/terminals/journey.ts';
import { crew, day, talking, withBob } from './cast.ts';

const fillers = Array.from({ length: 700 }, (_, i) => ({
  from: i % 3 === 0 ? 'me' : 'ann',
  text: i === 40 ? 'The Señor sells the tickets' : `line ${i}`,
  at: -10 * day + i * 60,
}));
const withAnn: SeedConversation = { between: ['me', 'ann'], messages: fillers };

test('messages are found in a conversation and everywhere', async () => {
  const j = await journey({ seed: talking(withAnn, withBob, crew) });
  await j.open('ann');
  await j.see('line 699');
  // Read back to the beginning, so that all of it is kept.
  j.press('focus.previous');
  const back = async (): Promise<boolean> => {
    j.press('message.first', 'message.previous');
    return j.see('line 0', 400).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(back).toBe(true);
  await j.quit();
  await j.server.stop();

  j.start();
  await j.see(/offline since/);
  await j.see('line 699');
  j.type('half a thought');
  await j.see('half a thought');
  j.press('find.open');
  await j.see('Find in ann');
  j.type('senor TICK');
  await j.see(/> .* ann .*The Señor sells the tickets/);
  await j.see(/Searched 700 messages, back to /);
  j.press('layer.back');
  await j.gone('Find in ann');
  await j.see('half a thought');
  await j.see('line 699');

  j.press('find.open');
  await j.see('Find in ann');
  j.type('señor');
  await j.see('Señor sells');
  j.press('choice.accept');
  await j.gone('Find in ann');
  await j.see(/▌ +The Señor sells the tickets/);
  await j.see('line 39');
  await j.see('line 41');
  await j.see('half a thought');

  j.press('find.open', 'find.everywhere');
  await j.see('Find everywhere');
  j.type('draft');
  await j.see(/> .*bob .*Did you read the draft\?/);
  await j.see(/Searched 70\d messages in 3 of 3 conversations/);
  j.press('choice.accept');
  await j.see('To bob');
  await j.see(/▌ +Did you read the draft\?/);
});
