import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Start, startFollowingConfig } from '../../../src/cli/chat/chat-start.ts';
import { followConfig } from '../../../src/cli/config/follow-config.ts';
import { settingsPort } from '../../../src/cli/config/settings-port.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { readSettingsAgain, settingsCommands } from '../../../src/commands/settings.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { replaceConfigText } from '../../../src/config/file.ts';
import type { SettingsOverlay } from '../../../src/state/model/overlay.ts';
import { selectedSetting } from '../../../src/state/search/setting-rows.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { popOverlay, topOverlay } from '../../../src/state/view/overlays.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

const environment = { theme: null, themeProblem: null, profile: null };
const quiet = (): void => undefined;

async function follow(before: string, theme: 'dark' | null = null, profile: string | null = null) {
  const file = join(temporaryDirectory(), 'config.toml');
  writeFileSync(file, before);
  const store = createAppStore(initialState());
  const told: string[] = [];
  const warned: (string | null)[] = [];
  const options = {
    report: (text: string) => told.push(text),
    warn: (problem: string | null) => warned.push(problem),
  };
  const stop = await followConfig({ file, store, environment: { theme, themeProblem: null, profile }, ...options });
  return {
    warned,
    file,
    store,
    told,
    stop,
    write: (text: string) => writeFileSync(file, text),
  };
}

test('a change of the file takes effect at once, and an invalid file changes nothing', async () => {
  const { store, told, warned, write, stop } = await follow('mouse = true\n');
  write('theme = "light"\nundo_send_seconds = 3\n[notify]\nmethod = "bell"\n');
  await expect.poll(() => store.getState().settings.undoSendSeconds).toBe(3);
  expect(store.getState().settings).toMatchObject({ theme: 'light', notify: { method: 'bell' } });
  write('theme = "light"\nundo_send_seconds = 30\n');
  await expect.poll(() => warned.at(-1)).toMatch(/config\.toml:2: undo_send_seconds must be .* stay as they were\.$/);
  expect(store.getState().settings.undoSendSeconds).toBe(3);
  write('theme = "light"\nundo_send_seconds = 4\n');
  await expect.poll(() => store.getState().settings).toMatchObject({ undoSendSeconds: 4, notify: { method: 'auto' } });
  expect(warned.at(-1)).toBeNull();
  const before = told.length;
  write('mouse = false\nunheard_of = 1\n');
  await expect.poll(() => warned.at(-1)).toMatch(/config\.toml:2: unknown key/);
  expect([store.getState().settings.mouse, told.length]).toEqual([false, before]);
  stop();
});

test('a notice says which changed setting needs a restart, and MSG_TUI_THEME overrides config.toml', async () => {
  const { store, told, write, stop } = await follow('', 'dark');
  store.setState((state) => ({ ...state, settings: { ...state.settings, theme: 'dark', mouse: false } }));
  write('theme = "light"\ndefault_profile = "a"\n[profiles.a]\nserver = "https://a.example"\n');
  await expect.poll(() => told.at(-1)).toBe('config.toml: default_profile will take effect after a restart');
  expect(store.getState().settings).toMatchObject({ theme: 'dark', mouse: false });
  stop();
});

test('a theme of the file that MSG_TUI_THEME overrides is not reported as taken over', async () => {
  const { told, write, stop } = await follow('', 'dark');
  write('theme = "light"\n');
  const overridden = 'config.toml: theme changed, but MSG_TUI_THEME is set and overrides it';
  await expect.poll(() => told.at(-1)).toBe(overridden);
  write('theme = "dark"\nmouse = false\n');
  await expect.poll(() => told.at(-1)).toBe('config.toml: mouse changed');
  stop();
});

test('a default profile of the file that MSG_TUI_PROFILE overrides needs no restart', async () => {
  const profiles =
    '[profiles.home]\nserver = "https://home.example"\n[profiles.work]\nserver = "https://work.example"\n';
  const { write, told, stop } = await follow(`default_profile = "home"\n${profiles}`, null, 'home');
  write(`default_profile = "work"\n${profiles}`);
  const overridden = 'config.toml: default_profile changed, but MSG_TUI_PROFILE is set and overrides it';
  await expect.poll(() => told.at(-1)).toBe(overridden);
  stop();
});

test('what this process has written itself is taken over and not reported', async () => {
  const { file, store, told, write, stop } = await follow('mouse = true\n');
  expect(replaceConfigText(file, 'mouse = true\n', 'mouse = false\n')).toBe(true);
  await expect.poll(() => store.getState().settings.mouse).toBe(false);
  write('mouse = false\ntheme = "light"\n');
  await expect.poll(() => told.at(-1)).toBe('config.toml: theme changed');
  expect(told).toHaveLength(1);
  stop();
});

test('a config.toml whose directory is created while the chat is open takes effect at once', async () => {
  const folder = join(temporaryDirectory(), 'config', 'msg-tui');
  const file = join(folder, 'config.toml');
  const store = createAppStore(initialState());
  const stop = await followConfig({ file, store, environment, report: quiet, warn: quiet });
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, 'theme = "light"\n');
  await expect.poll(() => store.getState().settings.theme).toBe('light');
  writeFileSync(file, 'theme = "dark"\n');
  await expect.poll(() => store.getState().settings.theme).toBe('dark');
  stop();
});

test('a warning stays as long as the file is invalid, and goes when it is corrected', async () => {
  const file = join(temporaryDirectory(), 'config.toml');
  const store = createAppStore(initialState());
  const context = { get: store.getState, update: store.setState, now: () => 0 } as CommandContext;
  const start = { environment, configFile: file, ownThemes: { follow: () => quiet } } as unknown as Start;
  onTestFinished(await startFollowingConfig(start, store, context, quiet));
  const warnings = () => store.getState().screen.notices.filter(({ tone }) => tone === 'warning');
  writeFileSync(file, 'mouse = 3\n');
  await expect.poll(warnings).toMatchObject([{ text: expect.stringContaining('mouse must be'), until: null }]);
  writeFileSync(file, 'mouse = false\n');
  await expect.poll(warnings).toEqual([]);
});

describe('the open settings screen', () => {
  async function open(before: string, filter: string) {
    const file = join(temporaryDirectory(), 'config.toml');
    const write = (text: string): void => writeFileSync(file, text);
    write(before);
    const store = createAppStore(initialState());
    const settings = settingsPort(file, readEnvironment({}));
    const context = { get: store.getState, update: store.setState, settings } as CommandContext;
    const onRead = (): void => readSettingsAgain(context);
    onTestFinished(await followConfig({ file, store, environment, report: quiet, warn: quiet, onRead }));
    const run = (id: string, values = {}): void => settingsCommands.find((one) => one.id === id)?.run(context, values);
    run('settings.open', { filter });
    const shown = (): SettingsOverlay => topOverlay(store.getState()) as SettingsOverlay;
    await expect.poll(() => shown().page).not.toBeNull();
    return { store, write, run, shown, row: () => selectedSetting(shown()) };
  }

  test('goes on when an invalid file is corrected', async () => {
    const { write, run, shown, row } = await open('mouse = 3\n', 'mouse');
    run('settings.next');
    expect(shown().remark).toContain('mouse must be true or false');
    write('mouse = false\n');
    await expect.poll(() => row()?.value).toBe(false);
    expect(shown()).toMatchObject({ remark: null, page: { problem: null } });
    write('mouse = 4\n');
    await expect.poll(() => shown().page?.problem).toContain('mouse must be true or false');
  });

  test('shows what another program writes, and goes back to that from a value that was tried', async () => {
    const { store, write, run, shown, row } = await open('density = "normal"\n', 'density');
    run('settings.next');
    expect(store.getState().settings.density).toBe('comfortable');
    write('density = "compact"\nmouse = false\n');
    await expect.poll(() => row()?.value).toBe('compact');
    expect(store.getState().settings).toMatchObject({ density: 'comfortable', mouse: false });
    expect(shown().tried).toEqual({ density: 'comfortable' });
    store.setState(popOverlay);
    expect(store.getState().settings).toMatchObject({ density: 'compact', mouse: false });
  });

  test('does not count a value as tried any more when another program has written it', async () => {
    const { store, write, run, shown } = await open('mouse = true\n', 'mouse');
    run('settings.next');
    write('mouse = false\n');
    await expect.poll(() => shown().tried).toEqual({});
    store.setState(popOverlay);
    expect(store.getState().settings.mouse).toBe(false);
  });
});
