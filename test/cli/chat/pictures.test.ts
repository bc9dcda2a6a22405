import { expect, test } from 'vitest';
import { createAppearance } from '../../../src/cli/chat/appearance.ts';
import { startPictures } from '../../../src/cli/chat/pictures.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { Settings } from '../../../src/state/model/settings.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { initialCapabilities, type TerminalFacts } from '../../../src/terminal/capabilities.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { scene } from '../../support/builders/scene.ts';
import { createHeadless } from '../../support/terminals/headless.ts';

const facts = { term: 'xterm', colorTerm: 'truecolor', locale: 'C.UTF-8', isTty: true } as TerminalFacts;

test.each([
  ['theme', 'none', 'dark'],
  ['glyphs', 'ascii', 'unicode'],
] as const)('whether pictures are drawn follows a change of %s, from %s to %s', (name, off, on) => {
  const store = createAppStore(scene());
  const set = (settings: Partial<Settings>): void =>
    store.setState((state) => ({ ...state, settings: { ...state.settings, ...settings } }));
  const capabilities = () => initialCapabilities(facts);
  const screen = new Screen({ tty: createHeadless(80, 24) });
  const terminal = { screen, capabilities, onResize: () => () => undefined, onLearn: () => () => undefined };
  const { theme, glyphs } = {
    theme: () => store.getState().settings.theme,
    glyphs: () => store.getState().settings.glyphs,
  };
  const look = { noColor: null, forceColor: true, theme, glyphs, own: () => null, ascii: false };
  const { panes } = createAppearance(terminal, look, () => '');
  set({ [name]: off });
  const session = { store, record: () => undefined };
  const account = { server: 'http://127.0.0.1:9', cacheDirectory: temporaryDirectory() };
  startPictures({ session, account, terminal, environment: readEnvironment({}), panes });
  expect(store.getState().screen.drawsPictures).toBe(false);
  set({ [name]: on });
  expect(store.getState().screen.drawsPictures).toBe(true);
  set({ [name]: off });
  expect(store.getState().screen.drawsPictures).toBe(false);
});
