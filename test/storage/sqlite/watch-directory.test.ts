/** What is told of the files of a directory. */
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchDirectory } from '../../../src/storage/sqlite/watch-directory.ts';

function watched() {
  const directory = mkdtempSync(join(tmpdir(), 'msg-tui-watch-'));
  const file = join(directory, 'outbox.db-journal');
  writeFileSync(file, 'a');
  const onChange = vi.fn();
  const stop = watchDirectory(directory, onChange);
  onTestFinished(() => {
    stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return { file, onChange };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a write, a new file and a removed file are reported', async () => {
  const { file, onChange } = watched();
  for (const change of [
    () => appendFileSync(file, 'b'),
    () => writeFileSync(`${file}.new`, ''),
    () => rmSync(`${file}.new`),
  ]) {
    onChange.mockClear();
    change();
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
    await pause(60);
  }
});

test('a file that the listener touches without writing to it is reported once at most', async () => {
  const { file, onChange } = watched();
  // For root, SQLite sets the owner of the journal whenever it reads the database.
  onChange.mockImplementation(() => chmodSync(file, 0o600));
  appendFileSync(file, 'b');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
  await pause(60);
  onChange.mockClear();
  for (let i = 0; i < 5; i++) {
    chmodSync(file, 0o600);
    await pause(40);
  }
  expect(onChange).not.toHaveBeenCalled();
  appendFileSync(file, 'c');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
});
