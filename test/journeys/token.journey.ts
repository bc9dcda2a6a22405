/** A refused token is said so, nothing is lost, and a new one goes on. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';
import { acceptToken, enterToken, refuseToken } from './signing-in.ts';

test('after a 401 a new token can be typed, and everything continues', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  await j.see('Bring the tickets');
  const renewed = await refuseToken(j);
  await j.see('Bring the tickets');
  j.type('kept until then');
  j.press('message.send');
  await j.see('1 queued');
  await enterToken(j, 'The server refused the token', renewed);
  expect(j.screen()).not.toContain(renewed);
  expect(j.server.asked.filter(({ token }) => token === renewed)).toEqual([]);
  await acceptToken(j);
  await j.gone('token refused');
  await j.gone('queued');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('kept until then');
  expect(j.server.asked.at(-1)?.token).toBe(renewed);
  expect(j.tui.output()).not.toContain(renewed);
  expect(j.tui.output()).not.toContain(j.server.me.token);
});

test('--token-file overrides the environment, and status reads it too', async () => {
  const args: string[] = [];
  const j = await journey({ seed, start: false, args, env: { MSG_TUI_TOKEN: 'not-this-one' } });
  const file = join(j.folder, '..', 'token');
  writeFileSync(file, `${j.server.me.token}\n`);
  args.push('--token-file', file);
  chmodSync(file, 0o644);
  j.start();
  await j.see('other users of this machine can read the token');
  await j.open('ann');
  await j.see('Bring the tickets');
  await j.quit();
  chmodSync(file, 0o600);
  args.unshift('status');
  j.start();
  await j.see(/token +in .*token/);
});
