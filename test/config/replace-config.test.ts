/** config.toml is replaced only while it is what was read, also where another program saves a setting meanwhile. */
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceConfigText } from '../../src/config/file.ts';
import {
  addProfile,
  removeProfile,
  renameProfile,
  setDefaultProfile,
  setTokenCommand,
} from '../../src/config/profiles.ts';
import { temporaryDirectory } from './files.ts';

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

const profiles = `default_profile = "home"

[profiles.work]
server = "https://work.example.com"
[profiles.home]
server = "https://home.example.com"
`;

test.each([
  ['adding', (file: string) => addProfile(file, 'third', 'https://x.example.com'), '[profiles.third]'],
  ['renaming', (file: string) => renameProfile(file, 'work', 'office'), '[profiles.office]'],
  ['choosing', (file: string) => setDefaultProfile(file, 'work'), 'default_profile = "work"'],
  ['giving a token command to', (file: string) => setTokenCommand(file, 'work', ['pass']), 'token_command = ["pass"]'],
  ['removing', (file: string) => removeProfile(file, 'home'), '[profiles.work]'],
])('%s a profile keeps what another program writes into the file at the same time', async (_, change, expected) => {
  const file = join(temporaryDirectory(), 'config.toml');
  writeFileSync(file, profiles);
  const changed = change(file);
  writeFileSync(file, `mouse = false\n${profiles}`);
  await changed;
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('mouse = false\n');
  expect(text).toContain(expected);
});
