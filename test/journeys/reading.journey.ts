/** Looking without reading, reading without telling, and a message taken back before it left. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const isRetrieval = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === 'GET' && /^\/v1\/conversations\/[^?]/.test(path);

const readByMe = async (j: Journey): Promise<boolean> => (await j.server.as('ann').find('me', news)).read_at !== null;

const news = 'The ferry is late';

async function configured(settings: string): Promise<Journey> {
  const j = await journey({ seed, start: false });
  mkdirSync(join(j.folder, 'config/msg-tui'), { recursive: true });
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), settings);
  await j.server.as('ann').send('me', news);
  j.start();
  return j;
}

test('a peek shows the messages without marking them as read on the server; opening marks them', async () => {
  const j = await journey({ seed, start: false });
  await j.server.as('ann').send('me', news);
  j.start();
  await j.see(news);
  j.press('list.filter');
  j.type('ann');
  j.press('filter.keep', 'list.peek');
  await j.see('Only looking');
  await j.see(/┬ ann ─ only looking ─/);
  await j.see('Are we still on for the harbour?');
  expect(j.server.asked.filter(isRetrieval)).toEqual([]);
  expect(await readByMe(j)).toBe(false);

  j.press('list.open');
  await expect.poll(() => readByMe(j)).toBe(true);
  expect(j.screen()).not.toContain('only looking');
});

test('with reveal_reading = false opening does not mark messages as read on the server', async () => {
  const j = await configured('reveal_reading = false\n');
  await j.open('ann');
  await j.see('Are we still on for the harbour?');
  j.type('an answer');
  j.press('message.send');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('an answer');
  expect(j.server.asked.filter(isRetrieval)).toEqual([]);
  expect(await readByMe(j)).toBe(false);
});

test('with undo_send_seconds a message can be taken back, corrected and sent', async () => {
  const j = await configured('undo_send_seconds = 5\n');
  await j.open('ann');
  // Without a connection, nobody knows when the message leaves.
  await j.see('as of');
  j.type('see you at nien');
  j.press('message.send');
  await j.see(/Is sent in \d s/);
  j.press('layer.back');
  await j.see(/To ann .*\n.*see you at nien/);
  await j.gone('queued');
  j.press('text.deleteBack', 'text.deleteBack');
  j.type('ne');
  j.press('message.send');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('see you at nine');
  await expect.poll(() => j.server.as('ann').texts('me')).not.toContain('see you at nien');
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
