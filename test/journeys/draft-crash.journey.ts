/** What was being written survives the worst end of the program. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from '../support/system/canary.ts';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

/** Before that, SQLite undoes the write at the next start: it commits by clearing the header of the journal. */
const isCommitted = (folder: string): boolean =>
  filesIn(folder)
    .filter((file) => file.endsWith('outbox.db-journal'))
    .every((file) => readFileSync(file).subarray(0, 8).equals(Buffer.alloc(8)));

test('a draft survives kill -9', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('dear ann');
  j.press('text.newline');
  j.type('it is a long story');
  await j.see('it is a long story');
  await expect.poll(() => j.filesWith('it is a long story').length > 0 && isCommitted(j.folder)).toBe(true);
  await j.kill('SIGKILL');

  j.start();
  await j.see('To ann');
  await j.see(/To ann .*\n.*dear ann.*\n.*it is a long story/);
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a draft survives SIGTERM right after the last key', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('not yet saved');
  await j.see('not yet saved');
  expect((await j.kill('SIGTERM')).code).toBe(143);
  j.start();
  await j.see('To ann');
  await j.see('not yet saved');
});
