/** The settings screen as it is drawn, and the mouse on it. */
import { expect, test } from 'vitest';
import { createKeymap } from '../../../src/commands/keymap.ts';
import { commands } from '../../../src/commands/table.ts';
import { topOverlay } from '../../../src/state/view/overlays.ts';
import type { MouseEvent } from '../../../src/terminal/events.ts';
import { createRouter } from '../../../src/ui/key-router.ts';
import { unicodeSigns } from '../../../src/view/glyph-set.ts';
import { settingChoices } from '../../../src/view/settings.ts';
import { themes } from '../../../src/view/theme.ts';
import { entry } from '../../commands/settings-page.ts';
import { scene } from '../../support/builders/scene.ts';
import { stage } from '../stage.tsx';

function opened() {
  const app = stage(scene({ focus: 'composer' }));
  app.press('alt+,');
  const router = createRouter({
    context: app.context,
    keymap: createKeymap(commands),
    panes: () => app.panes,
    drawnOverlays: app.drawnOverlays,
    targetAt: () => null,
    echo: { foresee: () => undefined, settle: () => undefined },
    onFocus: () => undefined,
    onReply: () => undefined,
  });
  const mouse = (action: MouseEvent['action'], text: string): void => {
    const y = app
      .frame()
      .split('\n')
      .findIndex((line) => line.includes(text));
    router({ type: 'mouse', action, button: 'left', x: 40, y, ctrl: false, alt: false, shift: false });
  };
  return { ...app, mouse, shown: () => topOverlay(app.store.getState()) };
}

test('each setting is listed under its group with value, source and default', async () => {
  const { see, frame } = opened();
  await see('Find: part of a name or a value');
  expect(frame()).toMatch(/Setting +Value +From +Default/);
  expect(frame()).toMatch(/Appearance.*\n.*> theme +light +config\.toml:1/);
  expect(frame()).toMatch(/default_profile +work +MSG_TUI_PROFILE/);
});

test('the whole text about a setting fits below the list, also if a variable sets it', () => {
  const themes = 'dark, light, high-contrast, colour-blind, ansi or none, or the name of a file such as mine.toml';
  const theme = entry({
    id: 'theme',
    value: 'light',
    unset: 'follows the terminal',
    source: 'MSG_TUI_THEME',
    variable: 'MSG_TUI_THEME',
    about: 'the colours of the chat',
    expected: themes,
  });
  const page = { entries: [theme], problem: null };
  const overlay = { kind: 'settings', typed: '', selected: 0, page, tried: {}, before: {}, remark: null } as const;
  const lines = stage(scene({ overlays: [overlay], size: { columns: 80, rows: 24 } }))
    .frame()
    .split('\n')
    .map((line) => line.replaceAll(/[│┌┐└┘├┤╭╮╰╯]/g, '').trim());
  const text = lines.join(' ').replaceAll(/ +/g, ' ');
  expect(text).toContain(
    `The colours of the chat. Default: follows the terminal. It must be ${themes}. MSG_TUI_THEME is set and overrides config.toml.`,
  );
});

test('a tried value is bold in the colour of text, so that it can be read in the selected row of each theme', () => {
  const theme = entry({ id: 'theme', value: null, default: null, unset: 'follows the terminal', source: 'default' });
  const page = { entries: [theme], problem: null };
  const tried = { theme: 'light' };
  const overlay = { kind: 'settings', typed: '', selected: 0, page, tried, before: {}, remark: null } as const;
  const [choice] = settingChoices(overlay, 90, { theme: themes.light, signs: unicodeSigns });
  const row = choice !== undefined && 'row' in choice && typeof choice.row === 'function' ? choice.row() : [];
  const written = row.filter(({ text }) => /^(light|not saved)/.test(text));
  expect(written.map(({ style }) => style)).toEqual([themes.light.strong, themes.light.strong]);
});

test('where there is room, the longest default stands in its column whole', () => {
  const theme = entry({ id: 'theme', value: null, default: null, unset: 'follows the terminal', source: 'default' });
  const page = { entries: [theme], problem: null };
  const overlay = { kind: 'settings', typed: '', selected: 0, page, tried: {}, before: {}, remark: null } as const;
  const row = (columns: number) =>
    stage(scene({ overlays: [overlay], size: { columns, rows: 24 } }))
      .frame()
      .split('\n')
      .find((line) => line.includes('> theme'));
  expect(row(80)).toMatch(/follows the terminal +default +follows th…/);
  expect(row(120)).toMatch(/follows the terminal +default +follows the terminal /);
});

test('a click chooses a setting, a second one changes it, and the wheel moves the choice', async () => {
  const { see, mouse, shown } = opened();
  await see('undo_send_seconds');
  mouse('press', 'undo_send_seconds');
  expect(shown()).toMatchObject({ selected: 2, tried: {} });
  await see('> undo_send_seconds');
  mouse('press', 'undo_send_seconds');
  expect(shown()).toMatchObject({ selected: 2, tried: { undo_send_seconds: 1 } });
  mouse('wheel-up', 'undo_send_seconds');
  expect(shown()).toMatchObject({ selected: 1 });
});

test('a problem in config.toml that has to be corrected first is shown below the settings', async () => {
  const { see, store } = opened();
  await see('undo_send_seconds');
  const shown = topOverlay(store.getState());
  if (shown?.kind !== 'settings' || shown.page === null) throw new Error('the settings are not shown');
  const page = { ...shown.page, problem: 'config.toml:3: mouse must be true or false' };
  store.setState((state) => ({ ...state, screen: { ...state.screen, overlays: [{ ...shown, page }] } }));
  await see('config.toml:3: mouse must be true or false. Correct it first.');
});
