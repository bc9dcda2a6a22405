/** A change of config.toml counts in the chat that is open, and a file that is wrong changes nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('a change of theme and undo_send_seconds in the file takes effect while the chat is open', async () => {
  const j = await journey({ seed, answers: false, start: false });
  const folder = join(j.folder, 'config', 'msg-tui');
  mkdirSync(folder, { recursive: true });
  const write = (text: string): void => writeFileSync(join(folder, 'config.toml'), text);
  write('theme = "dark"\n');
  j.start();
  await j.see('Half of it');
  const dark = j.tui.cells(1);
  write('theme = "light"\nundo_send_seconds = 10\n');
  await j.see(/theme,\s+undo_send_seconds\s+changed/);
  await j.see(() => j.tui.cells(1) !== dark);
  await j.open('ann');
  await j.see('Bring the tickets');
  j.type('held for a while');
  j.press('message.send');
  await j.see(/held for a while/);
  expect(j.server.me.texts('ann')).not.toContain('held for a while');
  write('theme = "light"\nundo_send_seconds = 99\n');
  await j.see(/config\.toml:2:\s+undo_send_seconds\s+must\s+be/);
  expect(j.server.me.texts('ann')).not.toContain('held for a while');
  expect((await j.quit()).code).toBe(0);
  await j.see('msg-tui: One change waits and is sent the next time msg-tui is open.');
});
