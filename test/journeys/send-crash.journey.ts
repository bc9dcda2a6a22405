/** The program is killed between Enter and the answer: the message is there once in the end, never twice and never lost. */
import { expect, test } from 'vitest';
import type { RequestHook } from '../../src/server/http/start.ts';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const never = new Promise<never>(() => undefined);
const isPost = (request: Request): boolean => request.method === 'POST';
const text = 'only once please';

test('after kill -9 a message that the server has is recognised and not sent again', async () => {
  const holdAnswer: RequestHook = async (request, next) => {
    const answer = await next();
    return isPost(request) ? never : answer;
  };
  const j = await journey({ seed, hook: holdAnswer });
  await j.open('ann');
  j.type(text);
  j.press('message.send');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain(text);
  await j.kill('SIGKILL');

  // History is held back too, so that the doubt is seen before it is settled.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  j.server.setHook(async (request, next) => {
    if (request.url.includes('/v1/messages')) await held;
    return next();
  });
  j.start();
  await j.see('1 unsure');
  release();
  await j.gone('unsure');
  await j.see('To ann');
  await j.see(new RegExp(` {2}${text}`));
  const texts = await j.server.as('ann').texts('me');
  expect(texts.filter((one) => one === text)).toHaveLength(1);
});

test('after kill -9 a message that the server does not have is sent again only when the user says so', async () => {
  const loseRequest: RequestHook = (request, next) => (isPost(request) ? never : next());
  const j = await journey({ seed, hook: loseRequest });
  await j.open('ann');
  j.type(text);
  const posted = j.server.nextAsked(({ method }) => method === 'POST');
  j.press('message.send');
  await posted;
  await j.kill('SIGKILL');

  j.server.setHook(null);
  j.start();
  await j.see('1 unsure');
  await j.see('To ann');
  await j.see(/Not in the history after \d+ checks?\./);
  await expect.poll(() => j.server.as('ann').texts('me')).not.toContain(text);
  j.press('focus.previous', 'message.last');
  await j.see(new RegExp(`▌ {2}${text}`));
  j.press('message.retry');
  await j.see('Was this message sent?');
  j.press('unsure.edit');
  await j.gone('Was this message sent?');
  await j.see(new RegExp(`To ann .*\\n.*${text}`));
  j.press('message.send');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain(text);
  await j.gone(/unsure|queued|sending/);
  expect((await j.server.as('ann').texts('me')).filter((one) => one === text)).toHaveLength(1);
});
