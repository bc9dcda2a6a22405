import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keySaver } from '../../../src/cli/chat/save-keys.ts';
import type { KeyChanges } from '../../../src/state/model/overlay.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const saved = (file: string, changes: KeyChanges): Promise<string | null> =>
  new Promise((resolve) => keySaver(file)(changes, resolve));

test('writes the keys into the file and leaves the rest of it', async () => {
  const file = join(makeFolder(), 'config.toml');
  writeFileSync(file, '# mine\ntheme = "dark" # at night\n');
  expect(await saved(file, { 'composer.bold': ['alt+x'], 'goto.open': [] })).toBe(null);
  const text = readFileSync(file, 'utf8');
  expect(text).toBe(
    '# mine\ntheme = "dark" # at night\n\n[keys.bind]\n"composer.bold" = ["alt+x"]\n"goto.open" = []\n',
  );
  expect(await saved(file, { 'composer.bold': null })).toBe(null);
  expect(readFileSync(file, 'utf8')).toBe(text.replace('"composer.bold" = ["alt+x"]\n', ''));
});

test('creates the file if there is none, and escapes what a key may be', async () => {
  const file = join(makeFolder(), 'new', 'config.toml');
  expect(await saved(file, { 'app.quit': ['"', '\\'] })).toBe(null);
  expect(readFileSync(file, 'utf8')).toBe('[keys.bind]\n"app.quit" = ["\\"", "\\\\"]\n');
});

test('says why nothing was saved, and leaves the file as it is', async () => {
  const folder = makeFolder();
  const file = join(folder, 'config.toml');
  const inline = 'keys = { bind = {} }\n';
  writeFileSync(file, inline);
  expect(await saved(file, { 'app.quit': ['f9'] })).toMatch(/^The key was not saved: .*msg-tui config edit$/);
  expect(readFileSync(file, 'utf8')).toBe(inline);
  mkdirSync(join(folder, 'folder'));
  expect(await saved(join(folder, 'folder'), { 'app.quit': ['f9'] })).toMatch(/^The key was not saved: /);
});

test('says in words why the file cannot be written', async () => {
  expect(await saved('/proc/no-such-folder/config.toml', { 'app.quit': ['f9'] })).toMatch(
    /^The key was not saved: \/proc\/no-such-folder\/config\.toml: the file cannot be written: [a-z ;-]+ \(E[A-Z]+\)$/,
  );
});
