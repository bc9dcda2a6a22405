/** A server that asks to wait, one that is no messaging service, one that fails, and none at all. */
import { expect, test } from 'vitest';
import type { RequestHook } from '../../src/server/http/start.ts';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const answer = (status: number, headers: Record<string, string>, body: string): RequestHook => {
  return async () => new Response(body, { status, headers });
};

test('429 is shown, and waited for', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  await j.see('Bring the tickets');
  // Long enough for what is looked at meanwhile on a busy machine.
  j.server.setHook(answer(429, { 'retry-after': '6', 'content-type': 'application/json' }, '{"message":"slowly"}'));
  j.press('server.poll');
  await j.see(/rate-limited until \d\d:\d\d:\d\d/);
  await j.see('Bring the tickets');
  j.press('server.poll');
  await j.see(/The server asks to wait: the next try is at \d\d:\d\d:\d\d/);
  j.server.setHook(null);
  j.type('patience');
  j.press('message.send');
  await j.see('1 queued');
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
  await j.gone('queued');
  j.press('server.poll');
  await j.gone('rate-limited');
  expect((await j.server.me.texts('ann')).filter((text) => text === 'patience')).toHaveLength(1);
});

test('a web page instead of JSON is reported, and the chat continues when the server answers', async () => {
  const page = '<!doctype html><title>Welcome</title><h1>Sign in to the hotel network</h1>';
  const j = await journey({ seed, hook: answer(200, { 'content-type': 'text/html' }, page) });
  await j.see('this server does not follow the API');
  expect(j.screen().split('<h1>').length - 1).toBe(0);
  j.server.setHook(null);
  j.press('server.poll');
  await j.see('Half of it');
  await j.gone('does not follow');
});

test('a 500 is reported, and what was read stays on the screen', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  await j.see('Bring the tickets');
  j.server.setHook(answer(500, { 'content-type': 'application/json' }, '{"message":"out of order"}'));
  j.press('server.poll');
  await j.see('out of order');
  await j.see('server fault (500) since');
  expect(j.screen()).not.toMatch(/offline|request [0-9a-f]{8}/);
  await j.see('Bring the tickets');
  j.server.setHook(null);
  j.press('server.poll');
  await j.gone('out of order');
});

test('a server that cannot be reached is reported, and the help works', async () => {
  const j = await journey({ seed, start: false });
  await j.server.stop();
  j.start();
  await j.see('offline since');
  await j.see('Could not load');
  j.press('help.open');
  await j.see('Find: what it does');
  j.press('help.close');
  await j.gone('Find: what it does');
  expect((await j.quit()).code).toBe(0);
});
