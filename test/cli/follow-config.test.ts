import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followConfig } from '../../src/cli/follow-config.ts';
import { createAppStore, initialState } from '../../src/state/store.ts';
import { temporaryDirectory } from '../storage/builders.ts';

async function follow(before: string, theme: 'dark' | null = null) {
  const file = join(temporaryDirectory(), 'config.toml');
  writeFileSync(file, before);
  const store = createAppStore(initialState());
  const told: string[] = [];
  const stop = await followConfig({ file, store, environment: { theme }, report: (text) => told.push(text) });
  return { file, store, told, stop, write: (text: string) => writeFileSync(file, text) };
}

test('a change of the file counts at once, and a file that is wrong changes nothing', async () => {
  const { store, told, write, stop } = await follow('mouse = true\n');
  write('theme = "light"\nundo_send_seconds = 3\n[notify]\nmethod = "bell"\n');
  await expect.poll(() => store.getState().settings.undoSendSeconds).toBe(3);
  expect(store.getState().settings).toMatchObject({ theme: 'light', notify: { method: 'bell' } });
  write('theme = "light"\nundo_send_seconds = 30\n');
  await expect.poll(() => told.at(-1)).toMatch(/config\.toml:2: undo_send_seconds must be .* stay as they were\.$/);
  expect(store.getState().settings.undoSendSeconds).toBe(3);
  write('theme = "light"\nundo_send_seconds = 4\n');
  await expect.poll(() => store.getState().settings).toMatchObject({ undoSendSeconds: 4, notify: { method: 'auto' } });
  stop();
});

test('a setting that needs a restart says so, and MSG_TUI_THEME overrides config.toml', async () => {
  const { store, told, write, stop } = await follow('', 'dark');
  store.setState((state) => ({ ...state, settings: { ...state.settings, theme: 'dark', mouse: false } }));
  write('theme = "light"\ndefault_profile = "a"\n[profiles.a]\nserver = "https://a.example"\n');
  await expect.poll(() => told.at(-1)).toBe('config.toml: default_profile will count after a restart');
  expect(store.getState().settings).toMatchObject({ theme: 'dark', mouse: false });
  stop();
});

test('a config.toml whose directory is made while the chat is open counts at once', async () => {
  const folder = join(temporaryDirectory(), 'config', 'msg-tui');
  const file = join(folder, 'config.toml');
  const store = createAppStore(initialState());
  const stop = await followConfig({ file, store, environment: { theme: null }, report: () => undefined });
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, 'theme = "light"\n');
  await expect.poll(() => store.getState().settings.theme).toBe('light');
  writeFileSync(file, 'theme = "dark"\n');
  await expect.poll(() => store.getState().settings.theme).toBe('dark');
  stop();
});
