/** Another token in the environment: another account, unless the user says that it is the same one. */
import { expect, test } from 'vitest';
import type { RequestHook } from '../../src/server/http/start.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const question = 'Is this token for the same account?';
const refuse: RequestHook = async () => new Response('{"message":"expired"}', { status: 401 });

/** The token was refused while something waited to be sent, and the program was left. */
async function withUnsentWords(): Promise<Journey> {
  const j = await journey({ seed });
  await j.open('ann');
  j.server.setHook(refuse);
  j.type('written before the token ended');
  j.press('message.send');
  await j.see('token refused');
  await j.see('1 queued');
  await j.quit();
  j.server.setHook(null);
  return j;
}

test('text written with the old token is sent once with the new one, and no question is asked again', async () => {
  const j = await withUnsentWords();
  const { token } = await j.server.service.admin.createToken('me', 'renewed');
  j.start({ MSG_TUI_TOKEN: token });
  await j.see(`One unsent text was written with another token`);
  await j.see(question);
  j.tui.send('y\r');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('written before the token ended');
  await j.see('To ann');
  expect(j.server.asked.findLast(({ method }) => method === 'POST')?.token).toBe(token);
  expect(j.filesWith(token)).toEqual([]);
  await j.quit();
  j.start({ MSG_TUI_TOKEN: token });
  await j.see('To ann');
  expect(j.tui.output()).not.toContain(question);
  const texts = await j.server.as('ann').texts('me');
  expect(texts.filter((text) => text === 'written before the token ended')).toHaveLength(1);
});

test('another account neither sees nor sends the text of the first one, which keeps it', async () => {
  const j = await withUnsentWords();
  const { token } = j.server.as('bob');
  j.start({ MSG_TUI_TOKEN: token });
  await j.see(question);
  j.tui.send('\r');
  await j.see('Half of it');
  await j.gone('connecting');
  expect(j.screen()).not.toMatch(/queued|written before/);
  await j.quit();
  await expect.poll(() => j.server.as('ann').texts('me')).not.toContain('written before the token ended');

  j.start();
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('written before the token ended');
});
