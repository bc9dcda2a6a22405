/** Attachments in the built program: attached by an address, kept through a crash, sent without a text, seen by the other side. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const address = 'https://files.example/poster.png';

test('an attachment survives kill -9 in the draft, is sent without a text, and reaches the other user', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.press('message.attach');
  await j.see('The service has no upload: a file needs');
  j.type('~/poster.png');
  await j.see('put it online and give its URL.');
  j.press('text.killToStart');
  j.type(`${address} filename=Poster of May.png`);
  await j.see('It is shown as Poster of May.png');
  j.press('prompt.accept');
  await j.see('📎 Poster of May.png ×');
  // The words of the prompt are stored as well, in another form: the draft has the name as a field of JSON.
  await j.stored('"filename":"Poster of May.png"');
  await j.kill('SIGKILL');

  j.start();
  await j.see('📎 Poster of May.png ×');
  j.press('message.send');
  await j.see('📎 Poster of May.png (files.example)');
  await j.gone('Poster of May.png ×');
  const received = async () =>
    (await j.server.as('ann').messages('me')).filter(({ attachments }) => attachments.length > 0);
  await expect
    .poll(received)
    .toMatchObject([{ message: '', attachments: [{ file_url: address, filename: 'Poster of May.png' }] }]);
});
