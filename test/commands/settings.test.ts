import { expect, test } from 'vitest';
import { footerHints } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import type { SettingsOverlay } from '../../src/state/model/overlay.ts';
import { selectedSetting } from '../../src/state/search/setting-rows.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { chat, world } from './world.ts';

function opened(filter = '') {
  const it = world(chat());
  it.press('alt+,');
  it.type(filter);
  const shown = (): SettingsOverlay => topOverlay(it.state()) as SettingsOverlay;
  return { ...it, shown, selected: () => selectedSetting(shown())?.id, settings: () => it.state().settings };
}

test('arrows and Space try a value in the running program at once, and Esc restores the value before', () => {
  const { press, shown, settings, state, calls } = opened();
  press('left');
  expect(settings().theme).toBe('dark');
  press('left', 'down', 'space');
  expect(shown().tried).toEqual({ theme: null, mouse: false });
  expect(settings()).toMatchObject({ theme: null, mouse: false });
  press('escape');
  expect(state().screen.overlays).toEqual([]);
  expect(settings()).toEqual(chat().settings);
  expect(calls).toEqual([]);
});

test('a value that was stepped back to no longer counts as tried', () => {
  const { press, shown } = opened('mouse');
  press('right');
  expect(shown().tried).toEqual({ mouse: false });
  press('right');
  expect(shown().tried).toEqual({});
  press('right', 'delete');
  expect(shown().tried).toEqual({});
});

test('Enter writes the tried values, which stay after the screen is closed', () => {
  const { press, shown, settings, calls } = opened();
  press('left', 'enter');
  expect(calls).toEqual(['write {"theme":"dark"}']);
  expect(shown()).toMatchObject({ tried: {}, before: {}, remark: 'Written to config.toml: theme' });
  press('escape');
  expect(settings().theme).toBe('dark');
});

test('Enter writes the tried values also if no setting fits the filter, or the selected one cannot be changed', () => {
  const nothing = opened();
  nothing.press('left');
  nothing.type('no such setting');
  expect(nothing.selected()).toBeUndefined();
  nothing.press('enter');
  expect(nothing.calls).toEqual(['write {"theme":"dark"}']);
  const fixed = opened();
  fixed.press('left');
  fixed.type('default_profile');
  expect(fixed.selected()).toBe('default_profile');
  fixed.press('enter');
  expect(fixed.calls).toEqual(['write {"theme":"dark"}']);
});

test('only a selected setting has hints for the keys that change it', () => {
  const { type, state } = opened();
  const titles = () => footerHints(state(), createKeymap(commands)).map(({ label, title }) => `${label} ${title}`);
  expect(titles().slice(0, 2)).toEqual(['→ change', 'Del default']);
  type('no such setting');
  expect(titles()).toEqual(['Esc close']);
});

test('a value that is tried while the file is written stays tried, and Esc goes back to the written one', () => {
  const { press, shown, settings, holdSettings } = opened();
  const endWriting = holdSettings();
  press('left', 'enter');
  press('down', 'right');
  endWriting();
  expect(shown()).toMatchObject({ tried: { mouse: false }, remark: 'Written to config.toml: theme' });
  expect(settings()).toMatchObject({ theme: 'dark', mouse: false });
  press('escape');
  expect(settings()).toMatchObject({ theme: 'dark', mouse: true });
});

test('a further value of the same setting, tried while the first one is written, stays tried', () => {
  const { press, shown, settings, holdSettings } = opened();
  const endWriting = holdSettings();
  press('left', 'enter', 'left');
  endWriting();
  expect([shown().tried, settings().theme]).toEqual([{ theme: null }, null]);
  press('escape');
  expect(settings().theme).toBe('dark');
});

test('going back to the old value of a setting while the new one is written counts as trying it', () => {
  const { press, shown, settings, holdSettings } = opened('mouse');
  const endWriting = holdSettings();
  press('right', 'enter', 'right');
  expect(shown().tried).toEqual({});
  endWriting();
  expect([shown().tried, settings().mouse]).toEqual([{ mouse: null }, true]);
  press('escape');
  expect(settings().mouse).toBe(false);
});

test('a screen that is closed and opened again while the file is written has no tried value', () => {
  const { press, shown, settings, holdSettings } = opened('mouse');
  const endWriting = holdSettings();
  press('right', 'enter', 'escape', 'alt+,');
  endWriting();
  expect([shown().tried, settings().mouse]).toEqual([{}, false]);
  press('escape');
  expect(settings().mouse).toBe(false);
});

test('Delete restores the default, also while the filter has text; Backspace only edits the filter', () => {
  const { press, shown, selected } = opened();
  press('backspace');
  expect(shown()).toMatchObject({ tried: {}, remark: null });
  press('delete');
  expect(shown().tried).toEqual({ theme: null });
  press('down', 'delete');
  expect(shown().remark).toBe('mouse is not set: it has its default');
  expect(selected()).toBe('mouse');
  const filtered = opened('them');
  filtered.press('backspace', 'delete');
  expect(filtered.shown()).toMatchObject({ typed: 'the', tried: { theme: null } });
});

test('Enter asks for a text, which is written once it is valid', () => {
  const { press, type, state, calls } = opened('quiet');
  press('enter');
  expect(topOverlay(state())).toMatchObject({ kind: 'setting-value', id: 'notify.quiet_hours', typed: '' });
  type('wrong');
  press('enter');
  expect(calls).toEqual([]);
  press('ctrl+u');
  type('22:00-07:00');
  press('enter');
  expect(calls).toEqual(['write {"notify.quiet_hours":"22:00-07:00"}']);
  expect(topOverlay(state())).toMatchObject({ kind: 'settings', remark: 'Written to config.toml: notify.quiet_hours' });
});

test.each([
  [{}, '← and → change the value'],
  [{ 'settings.previous': [] }, '→ changes the value'],
  [{ 'settings.previous': [], 'settings.next': [] }, 'While the filter is empty, Space changes the value'],
])('Enter on an unchanged value says what changes it, with the keys %j', (bind, remark) => {
  const it = opened();
  it.update((state) => ({ ...state, settings: { ...state.settings, keys: { ...state.settings.keys, bind } } }));
  it.press('enter');
  expect(it.shown().remark).toBe(remark);
});

test('a setting that a variable sets cannot be changed, and the notice names the variable', () => {
  const { press, shown } = opened('profile');
  press('right');
  expect(shown().remark).toBe('MSG_TUI_PROFILE is set and overrides config.toml: change the variable');
  press('enter');
  expect(shown().tried).toEqual({});
});

test('an invalid config.toml is reported, and nothing is tried or written', () => {
  const { update, press, shown, calls } = opened();
  update((state) => {
    const overlay = shown();
    const page = { entries: overlay.page?.entries ?? [], problem: 'config.toml:2: theme must be something' };
    return { ...state, screen: { ...state.screen, overlays: [{ ...overlay, page }] } };
  });
  press('right', 'enter');
  expect(shown().remark).toBe('config.toml:2: theme must be something. Correct it first');
  expect(shown().tried).toEqual({});
  expect(calls).toEqual([]);
});

test('/set writes a value, and without one opens the settings with that filter', () => {
  const it = world(chat());
  it.type('/set theme dark');
  it.press('enter');
  expect(it.calls).toEqual(['write {"theme":"dark"}']);
  expect(it.notice()).toBe('Written to config.toml: theme');
  it.type('/set mouse');
  it.press('enter');
  expect(topOverlay(it.state())).toMatchObject({ kind: 'settings', typed: 'mouse' });
});

test('/set with an invalid value stays in the composer, to be corrected', () => {
  const it = world(chat());
  it.type('/set theme wrong');
  it.press('enter');
  expect([it.notice(), it.draft().text]).toEqual(['It must be right', '/set theme wrong']);
});

test('Delete takes the letter after the cursor of the filter, and goes back to the default where there is none', () => {
  const { press, shown } = opened('mmouse');
  press('home', 'delete');
  expect(shown().typed).toBe('mouse');
  press('right', 'delete');
  expect([shown().typed, shown().tried]).toEqual(['ouse', { mouse: false }]);
  press('end', 'delete');
  expect([shown().typed, shown().tried]).toEqual(['ouse', {}]);
});
