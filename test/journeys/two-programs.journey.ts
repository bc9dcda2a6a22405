/** Two programs on one profile: one sends for both, both show the same, and when it is killed the other one sends. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const busy = (): Response => new Response('', { status: 429, headers: { 'retry-after': '2' } });

test('the second program writes and the first one sends; when that is killed, the second one sends itself', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  const first = j.tui;
  j.start();
  await j.see('Another msg-tui');
  await j.see('To ann');

  // Nothing can be sent for a while, so that both are seen waiting.
  j.server.setHook(async (request, next) => (request.method === 'POST' ? busy() : next()));
  j.type('from the second one');
  j.press('message.send');
  await j.see('1 queued');
  await first.waitFor('from the second one');
  await first.waitFor('1 queued');
  j.server.setHook(null);
  first.press('f5');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('from the second one');
  await j.gone('queued');
  await first.waitFor((screen) => !screen.join('\n').includes('queued'));

  first.kill('SIGKILL');
  await first.exited;
  j.type('and now alone');
  j.press('message.send');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('and now alone');
  const texts = await j.server.as('ann').texts('me');
  expect(texts.filter((text) => text === 'from the second one')).toHaveLength(1);
  expect(texts.filter((text) => text === 'and now alone')).toHaveLength(1);
});

test.runIf(process.platform === 'linux')(
  'while the sending program is stopped the other one says so, and sends when it is killed',
  async () => {
    const j = await journey({ seed });
    await j.open('ann');
    const first = j.tui;
    j.start();
    await j.see('To ann');
    await j.see(`process ${first.pid} sends`);
    first.kill('SIGSTOP');
    j.type('who sends this');
    j.press('message.send');
    await j.see(`process ${first.pid} sends, but is stopped`);
    await j.see('sends for this profile and is stopped');
    first.kill('SIGKILL');
    await first.exited;
    await j.gone('is stopped');
    await expect.poll(() => j.server.as('ann').texts('me')).toContain('who sends this');
  },
);
