/** The server stops and another local user takes its port: no token goes there, and the screen says why. */
import { expect, test } from 'vitest';
import { canBeOthers, othersServer } from '../support/system/other-user.ts';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test.runIf(canBeOthers)('a server of another user on the same port gets no token and no text', async () => {
  const j = await journey({ seed, size: '150x30' });
  await j.open('ann');
  await j.see('Bring the tickets');
  await j.gone('connecting');
  await j.server.stop();
  const squatter = await othersServer(Number(new URL(j.server.url).port));
  j.press('server.poll');
  await j.see('is served by another user');
  j.type('stays here');
  j.press('message.send');
  await j.see('1 queued');
  j.press('server.poll');
  await j.see('offline');
  expect(squatter.heard().length).toBe(0);
  await squatter.stop();
  await j.server.start();
  j.press('server.poll');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('stays here');
});
