/** Without the server the program starts from its cache, takes messages, and sends them in order when it is back. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('without the server cached messages are shown and a message is queued, which is sent later', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  await j.see('Bring the tickets');
  await j.see(/Group .*\n.*ann: I do/);
  await j.quit();
  await j.server.stop();

  j.start();
  await j.see('Half of it');
  await j.see(/offline since/);
  await j.see('To ann');
  await j.see('The ferry leaves at nine');
  const texts = ['one', 'two', 'three'].map((word) => `offline ${word}`);
  for (const text of texts) {
    j.type(text);
    j.press('message.send');
    await j.see(new RegExp(`│[ ·]+${text}`));
  }
  await j.see('3 queued');

  await j.server.start();
  j.press('server.poll');
  await j.gone('queued');
  await j.see(/as of/);
  expect((await j.server.as('ann').texts('me')).slice(-4)).toEqual(['Bring the tickets', ...texts]);
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toHaveLength(3);
});

test('a message queued offline survives kill -9', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  await j.see('Bring the tickets');
  await j.server.stop();
  // Only polls try the way then; killed in a first attempt of its own the message would rightly be unsure.
  j.press('server.poll');
  await j.see('offline');
  j.type('said in a tunnel');
  j.press('message.send');
  await j.see('1 queued');
  await j.kill('SIGKILL');
  await j.server.start();
  j.start();
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('said in a tunnel');
  await j.gone('queued');
  expect((await j.server.me.texts('ann')).filter((text) => text === 'said in a tunnel')).toHaveLength(1);
});
