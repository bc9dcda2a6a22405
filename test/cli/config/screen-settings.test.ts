/** The settings of the screen count while the program runs: focus, motion, signs and the width of text. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type AppearanceOptions, createAppearance } from '../../../src/cli/chat/appearance.ts';
import { createTerminalFocus } from '../../../src/cli/chat/attention.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import type { Settings } from '../../../src/state/model/settings.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { setSize } from '../../../src/state/view/view.ts';
import { initialCapabilities } from '../../../src/terminal/capabilities.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import { Painter } from '../../../src/ui/painter.ts';
import { dimmedStyles } from '../../../src/view/dimmed.ts';
import * as eg from '../../support/builders/eg.ts';
import { scene } from '../../support/builders/scene.ts';
import { createHeadless } from '../../support/terminals/headless.ts';

beforeEach(eg.restart);

const utf8 = { term: 'xterm-256color', isTty: true, locale: 'C.UTF-8' } as Parameters<typeof initialCapabilities>[0];
const latin = { ...utf8, locale: 'en_US.ISO-8859-1' };

/** The chat on a terminal, without keys and engine. */
function open({ facts = utf8, ascii = false, state = scene(), columns = 80 } = {}) {
  const tty = createHeadless(columns, 24);
  const store = createAppStore(setSize({ columns, rows: 24 })(state));
  const terminal = { capabilities: () => initialCapabilities(facts), askAgain: () => undefined };
  const screen = new Screen({ tty });
  const wanted: AppearanceOptions = {
    noColor: null,
    forceColor: true,
    theme: () => store.getState().settings.theme,
    own: () => null,
    ascii,
    glyphs: () => store.getState().settings.glyphs,
  };
  const { panes } = createAppearance(terminal, wanted, () => '');
  const session = { engine: { setFocused: () => undefined } };
  const focus = createTerminalFocus({ terminal, session, panes, paint: () => painter.paint() });
  const { restyle } = focus;
  const painter = new Painter({ ...store, screen, panes, hintsOf: () => [], isCovered: () => false, restyle });
  onTestFinished(() => {
    painter.stop();
  });
  screen.enter();
  painter.paint();
  const settled = async (): Promise<void> => {
    await new Promise(setImmediate);
    await tty.settled();
  };
  return {
    tty,
    screen,
    store,
    focus,
    panes,
    set: (settings: Partial<Settings>) =>
      store.setState((now: AppState) => ({ ...now, settings: { ...now.settings, ...settings } })),
    async cells() {
      await settled();
      return Array.from({ length: 24 }, (_, y) => tty.cells(y)).join('\n');
    },
    async text() {
      await settled();
      return tty.text().join('\n');
    },
  };
}

test('the screen is dimmed in one frame when the focus goes, and is as before when it returns', async () => {
  const { screen, focus, set, cells, text } = open();
  const [bright, words] = [await cells(), await text()];
  focus.set(false);
  expect(await cells()).toBe(bright);
  focus.set(true);
  set({ dimUnfocused: true });
  expect(await cells()).toBe(bright);
  const before = screen.stats.frames;
  focus.set(false);
  const muted = await cells();
  expect(screen.stats.frames - before).toBe(1);
  expect(muted).not.toBe(bright);
  expect(await text()).toBe(words);
  focus.set(true);
  expect(await cells()).toBe(bright);
  expect(screen.stats.frames - before).toBe(2);
  focus.set(false);
  set({ dimUnfocused: false });
  expect(await cells()).toBe(bright);
});

test('a muted style has the muted colour and keeps its other attributes', () => {
  const grey = dimmedStyles('38;5;245');
  expect(['', '1;7;36', '4;38;2;1;5;4', '48;5;3;9', '91', '2'].map((style) => grey?.(style))).toEqual([
    '38;5;245',
    '38;5;245;1;7',
    '38;5;245;4',
    '38;5;245;9',
    '38;5;245',
    '38;5;245',
  ]);
  expect(dimmedStyles('2')?.('1;4;36')).toBe('2;4');
  expect(dimmedStyles('')).toBeNull();
});

test('with reduced motion the cursor is steady, and the header shows minutes', async () => {
  const state = scene();
  const connection = { ...state.view.connection, status: 'offline', since: eg.now, nextPollAt: eg.now } as const;
  const { tty, screen, set, text } = open({ state: { ...state, view: { ...state.view, connection } }, columns: 120 });
  expect(await text()).toMatch(/since \d\d:\d\d:\d\d/);
  tty.chunks.length = 0;
  set({ reducedMotion: true });
  const [header = ''] = (await text()).split('\n');
  expect(header).toMatch(/since \d\d:\d\d .*next try \d\d:\d\d$/);
  expect(header).not.toMatch(/\d\d:\d\d:\d\d/);
  expect(tty.chunks.join('')).toContain('\x1b[2 q');
  tty.chunks.length = 0;
  screen.leave();
  expect(tty.chunks.join('')).toContain('\x1b[0 q');
});

test('the setting chooses the glyph set, and --ascii overrides it', async () => {
  const { set, text } = open();
  const isAscii = async (): Promise<boolean> => !(await text()).includes('─');
  expect(await isAscii()).toBe(false);
  set({ glyphs: 'ascii' });
  expect(await isAscii()).toBe(true);
  set({ glyphs: 'auto' });
  expect(await isAscii()).toBe(false);
  const old = open({ facts: latin });
  expect(await old.text()).not.toContain('─');
  old.set({ glyphs: 'unicode' });
  expect(await old.text()).toContain('─');
  const asked = open({ ascii: true });
  asked.set({ glyphs: 'unicode' });
  expect(await asked.text()).not.toContain('─');
});

test('lines of messages are as wide as the setting says', () => {
  const state = scene();
  const words = 'word '.repeat(120).trim();
  const messages = [eg.message({ id: 'long', conversationId: 'c-ann', text: words })];
  const cache = { ...state.cache, threads: new Map([['c-ann', eg.thread(messages)]]) };
  const { store, panes, set } = open({ state: { ...state, cache }, columns: 200 });
  const widest = (): number => {
    const now = store.getState();
    const rows = panes().rows('thread', now, panes().layout(now));
    const lines = rows.map((row) => row.map(({ text }) => text).join(''));
    return Math.max(...lines.map((line) => /word( word)*/.exec(line)?.[0].length ?? 0));
  };
  const list = (): number => panes().layout(store.getState()).list?.width ?? 0;
  expect(widest()).toBe(99);
  const usual = list();
  set({ textWidth: 50 });
  expect(widest()).toBe(49);
  set({ textWidth: 150 });
  expect(widest()).toBe(149);
  expect(list()).toBeLessThan(usual);
  set({ textWidth: 400 });
  expect(widest()).toBeGreaterThanOrEqual(149);
  expect(list()).toBe(40);
});

test('a terminal that seemed to have ASCII only gets Unicode if the setting asks for it', async () => {
  const tty = createHeadless(10, 1);
  const screen = new Screen({ tty, isUtf8: false });
  screen.enter();
  const rect = { x: 0, y: 0, width: 10, height: 1 };
  screen.addLayer({ rect, z: 1 }).setRows([[{ text: '─é' as never, style: '', width: 2 }]]);
  screen.flush();
  await tty.settled();
  expect(tty.row(0)).toBe('??');
  screen.setUtf8(true);
  screen.flush();
  await tty.settled();
  expect(tty.row(0)).toBe('─é');
});
