/** config.toml is replaced only while it is what was read, also where another program saves a setting meanwhile. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { replaceConfigText } from '../../src/config/file.ts';

/** What happens while the program waits for the disk. */
const meanwhile = vi.hoisted(() => ({ act: (): void => undefined }));

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  const fsyncSync = (file: number): void => {
    meanwhile.act();
    fs.fsyncSync(file);
  };
  return { ...fs, fsyncSync };
});

test('a setting that another program saves while this one waits for the disk is not overwritten', () => {
  const folder = mkdtempSync(join(tmpdir(), 'replace-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config.toml');
  writeFileSync(file, 'mouse = true\n', { mode: 0o600 });
  expect(replaceConfigText(file, 'mouse = true\n', 'mouse = false\n')).toBe(true);
  meanwhile.act = () => writeFileSync(file, 'mouse = false\ncoach = false\n');
  expect(replaceConfigText(file, 'mouse = false\n', 'mouse = true\n')).toBe(false);
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([
    'mouse = false\ncoach = false\n',
    ['config.toml'],
  ]);
});
