/** The theme on the screen is that of the settings, also when it is changed while the program runs. */
import { expect, test } from 'vitest';
import { createAppearance } from '../../../src/cli/chat/appearance.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { setSize } from '../../../src/state/view/view.ts';
import { initialCapabilities } from '../../../src/terminal/capabilities.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import { Painter } from '../../../src/ui/painter.ts';
import { scene } from '../../support/builders/scene.ts';
import { createHeadless } from '../../support/terminals/headless.ts';

test('a theme that is set while the program runs is on the screen with the next frame', async () => {
  const tty = createHeadless(80, 24);
  const screen = new Screen({ tty });
  const store = createAppStore(setSize({ columns: 80, rows: 24 })(scene()));
  const facts = { term: 'xterm-256color', isTty: true } as Parameters<typeof initialCapabilities>[0];
  const terminal = { capabilities: () => initialCapabilities(facts) };
  const theme = () => store.getState().settings.theme;
  const look = createAppearance(
    terminal,
    { noColor: null, forceColor: true, theme, own: () => null, ascii: false },
    () => '',
  );
  const painter = new Painter({ ...store, screen, panes: look.panes, hintsOf: () => [], isCovered: () => false });
  screen.enter();
  painter.paint();
  const shown = async (): Promise<string> => {
    await new Promise(setImmediate);
    await tty.settled();
    return Array.from({ length: 24 }, (_, y) => tty.cells(y)).join('\n');
  };
  const dark = await shown();
  const panes = look.panes();
  expect(look.panes()).toBe(panes);
  const setTheme = (name: 'light' | null): void =>
    store.setState((state) => ({ ...state, settings: { ...state.settings, theme: name } }));
  setTheme('light');
  expect(await shown()).not.toBe(dark);
  setTheme(null);
  expect(await shown()).toBe(dark);
  painter.stop();
});
