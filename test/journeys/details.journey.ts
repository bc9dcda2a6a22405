/** The details of a message whose edits were seen, and the page of its author. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('the details show an edit that was seen, and lead to the person', async () => {
  const j = await journey({ seed });
  const ann = j.server.as('ann');
  await j.open('ann');
  const sent = await ann.send('me', 'The harbour closes at nine');
  await j.see(/ {2}The harbour closes at nine/);
  // The server counts in seconds: an edit within the second of the message bears the same time.
  await expect.poll(() => Date.now() / 1000).toBeGreaterThan(sent.created_at + 1);
  await ann.react(sent.id, 'heart');
  await ann.edit(sent.id, 'The harbour closes at ten');
  j.press('server.poll');
  await j.see(/The harbour closes at ten \(edited\)/);
  j.press('focus.previous', 'message.last', 'message.details');
  await j.see(/❤️ heart +ann/);
  await j.see('The harbour closes at [-nine-]{+ten+}');
  j.press('layer.back', 'person.show');
  await j.see(/From them .*The harbour closes at ten/);
  j.press('person.note');
  await j.see('A note of your own');
  j.type('from the harbour');
  j.press('prompt.accept');
  await j.see(/Your note +from the harbour/);
});
