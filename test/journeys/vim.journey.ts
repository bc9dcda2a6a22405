/** Vim's modes in the composer of the built program. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('a draft is edited in normal mode, and Enter sends it', async () => {
  const j = await journey({ seed, start: false });
  const folder = join(j.folder, 'config/msg-tui');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.toml'), '[keys]\nprofile = "vim"\n');
  j.start();
  await j.open('ann');
  await j.see('INSERT · To ann');
  j.type('I bring the (blue) tickets');
  await j.see('(blue) tickets');
  j.type('\x1b');
  await j.see('NORMAL · To ann');
  j.type('0f(ci(red');
  await j.see('(red) tickets');
  j.type('\x1b');
  await j.see('NORMAL · To ann');
  j.type('xxu2d');
  await j.see('NORMAL 2d · To ann');
  j.type('\x1b');
  await j.see('NORMAL · To ann');
  j.type('u\r');
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)).toBe('I bring the (red) tickets');
  await j.see('INSERT · To ann');
});
