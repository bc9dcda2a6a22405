/** config.toml is replaced only while it is what was read, also where another program saves a setting meanwhile. */
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceConfigText } from '../../src/config/file.ts';

/** Lets `act` run whenever this process waits for the disk. */
function whileSynchronising(act: () => void): void {
  const { fsyncSync } = fs;
  const use = (synchronise: typeof fsyncSync): void => {
    fs.fsyncSync = synchronise;
    syncBuiltinESMExports();
  };
  use((file) => {
    act();
    fsyncSync(file);
  });
  onTestFinished(() => use(fsyncSync));
}

test('a setting that another program saves while this one waits for the disk is not overwritten', () => {
  const folder = mkdtempSync(join(tmpdir(), 'replace-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config.toml');
  writeFileSync(file, 'mouse = true\n', { mode: 0o600 });
  expect(replaceConfigText(file, 'mouse = true\n', 'mouse = false\n')).toBe(true);
  whileSynchronising(() => writeFileSync(file, 'mouse = false\ncoach = false\n'));
  expect(replaceConfigText(file, 'mouse = false\n', 'mouse = true\n')).toBe(false);
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([
    'mouse = false\ncoach = false\n',
    ['config.toml'],
  ]);
});
