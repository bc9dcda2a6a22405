/** A command has no screen: what is wrong with the local files is said on stderr. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { setDraft } from '../../../src/cli/messages/drafts.ts';
import { discardOp, listOutbox } from '../../../src/cli/messages/outbox.ts';
import { writingWorld } from '../messages/writing-world.ts';

/** Changes one bit of the text, as a failing disk does. */
function damageText(path: string, text: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
}

test('a command that saves what is left of a damaged outbox says so, and the next one does not repeat it', async () => {
  const { run, account } = await writingWorld();
  await run((account) => setDraft(account, 'ann', 'kept for later'));
  damageText(join(account.dataDirectory, 'outbox.db'), 'kept for later');
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const said = (): readonly string[] => written.mock.calls.map(([line]) => String(line));
  try {
    const list = () => run((account, output) => listOutbox(account, {}, output));
    expect((await list()).code).toBe(0);
    expect(said()).toEqual([
      expect.stringMatching(
        /^msg-tui: The outbox was damaged: \d+ records were saved\..* original: \S+\.corrupt-\d+\.db\n$/,
      ),
    ]);
    expect((await list()).code).toBe(0);
    expect(said()).toHaveLength(1);
  } finally {
    written.mockRestore();
  }
});

test('a command whose cache cannot be used says so', async () => {
  const { run, account } = await writingWorld();
  await run((account) => setDraft(account, 'ann', 'kept for later'));
  writeFileSync(join(account.cacheDirectory, 'cache.db'), 'no database at all '.repeat(400));
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await run((account, output) => listOutbox(account, {}, output));
    expect(written.mock.calls.map(([line]) => String(line)).join('')).toContain('The message cache was damaged');
  } finally {
    written.mockRestore();
  }
});

test('the error document of a command that fails includes what is wrong with the files', async () => {
  const { run, account } = await writingWorld();
  await run((account) => setDraft(account, 'ann', 'kept for later'));
  damageText(join(account.dataDirectory, 'outbox.db'), 'kept for later');
  const { error, warnings } = await run((account, output) => discardOp(account, 'none', {}, output));
  expect(error).toContain('is not in the outbox');
  expect(warnings).toEqual([expect.stringContaining('The outbox was damaged')]);
});

test('a command that a signal ends, as it does tail, says so too', async () => {
  const { run, account } = await writingWorld();
  await run((account) => setDraft(account, 'ann', 'kept for later'));
  writeFileSync(join(account.cacheDirectory, 'cache.db'), 'no database at all '.repeat(400));
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const { code } = await run(() => {
      setTimeout(() => process.emit('SIGINT'));
      return new Promise(() => undefined);
    });
    expect(code).toBe(130);
    expect(written.mock.calls.map(([line]) => String(line)).join('')).toContain('The message cache was damaged');
  } finally {
    written.mockRestore();
  }
});
