/** A command that finds a damaged outbox repairs it as the chat does, and says so: afterwards nobody could see it. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { writingWorld } from '../messages/writing-world.ts';

test.each(['no database', ''])('a damaged outbox is reported on stderr, once: %j', async (text) => {
  const { run, account } = await writingWorld();
  mkdirSync(account.dataDirectory, { mode: 0o700 });
  openOutbox(account.dataDirectory).close();
  writeFileSync(join(account.dataDirectory, 'outbox.db'), text);
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await run(() => undefined);
  await run(() => undefined);
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();
  expect(lines).toEqual([expect.stringMatching(/^msg-tui: The outbox was damaged: 0 records were saved\. .*corrupt-/)]);
  expect(readdirSync(account.dataDirectory)).toContainEqual(expect.stringContaining('.corrupt-'));
});
