/** The steps of the first screen. */
import { render } from 'ink-testing-library';
import { expect, onTestFinished, test, vi } from 'vitest';
import { editOfKey } from '../../src/commands/text-editing.ts';
import { insert } from '../../src/state/composer/draft-edit.ts';
import {
  beginWelcome,
  clickWelcome,
  editWelcome,
  finishCheck,
  pressWelcome,
  type WelcomeState,
} from '../../src/state/view/welcome.ts';
import { createDrawnOverlays } from '../../src/ui/drawn-overlays.ts';
import { Welcome, welcomeSpot } from '../../src/ui/welcome.tsx';
import { plain } from './stage.tsx';

function welcome(initial: WelcomeState, isAscii = false) {
  let state = initial;
  const listeners = new Set<() => void>();
  const set = (next: WelcomeState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const drawnOverlays = createDrawnOverlays();
  const problemOf = (server: string): string | null => (server === 'bad' ? 'not a URL' : null);
  const { lastFrame, unmount } = render(
    <Welcome
      drawnOverlays={drawnOverlays}
      isAscii={isAscii}
      version="1.2.3"
      subscribe={(listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      }}
      getState={() => state}
    />,
  );
  onTestFinished(unmount);
  return {
    state: () => state,
    set,
    press: (key: string) => set(pressWelcome(state, key, problemOf)),
    type: (text: string) => set(editWelcome(state, (draft) => insert(draft, text))),
    see: (text: string | RegExp) => vi.waitFor(() => expect(plain(lastFrame() ?? '')).toMatch(text)),
    frame: () => plain(lastFrame() ?? ''),
    /** Clicks on the text, or so many cells beside its beginning. */
    click(text: string, beside = 0) {
      const lines = plain(lastFrame() ?? '').split('\n');
      const y = lines.findIndex((line) => line.includes(text));
      const x = (lines[y] ?? '').indexOf(text) + beside;
      set(clickWelcome(state, welcomeSpot(drawnOverlays, x, y), problemOf));
    },
  };
}

test('a click on a key does what the key does', async () => {
  const screen = welcome(beginWelcome(''));
  await screen.see('choose · Enter take it');
  screen.click('choose');
  expect(screen.state().step).toBe('menu');
  screen.press('down');
  await screen.see('> Connect');
  screen.click('Enter take it', 8);
  screen.type('bad');
  await screen.see('Enter go on · Esc back · Ctrl-Q quit');
  screen.click('Enter go on');
  await screen.see('! not a URL');
  screen.click('Esc empty', 4);
  expect(screen.state()).toMatchObject({ step: 'server', server: '' });
  await screen.see('Esc back');
  screen.click('Esc back');
  expect(screen.state().step).toBe('menu');
  await screen.see('q quit');
  screen.click('q quit');
  expect(screen.state().done).toEqual({ kind: 'quit' });
});

test('a terminal with ASCII only gets nothing else', async () => {
  const screen = welcome(beginWelcome(''), true);
  await screen.see('Up/Down choose - Enter');
  expect(screen.frame()).toMatch(/^[\n\x20-\x7e]*$/);
  screen.set({ ...screen.state(), step: 'checking' });
  await screen.see('Asking the server ...');
  expect(screen.frame()).toMatch(/^[\n\x20-\x7e]*$/);
});

test('a click chooses a row of the menu, and changes nothing else', async () => {
  const screen = welcome(beginWelcome(''));
  await screen.see('> Try the built-in demo');
  expect(screen.frame()).toMatch(/msg-tui 1\.2\.3\n[\s\S]*A chat client for services with the Messaging Service API/);
  const before = screen.state();
  screen.click('msg-tui');
  screen.click('To connect, you need');
  screen.click('Quit', -20);
  screen.click('Quit', 40);
  expect(screen.state()).toBe(before);
  screen.click('Connect to a service');
  expect(screen.state()).toMatchObject({ step: 'server', selected: 1 });
  await screen.see('Server');
  screen.press('escape');
  await screen.see('> Connect to a service');
  screen.click('Quit');
  expect(screen.state().done).toEqual({ kind: 'quit' });
});

test('the menu leads to the connection to a service', async () => {
  const screen = welcome(beginWelcome(''));
  await screen.see('> Try the built-in demo');
  screen.press('down');
  await screen.see('> Connect to a service');
  screen.press('enter');
  await screen.see(/Server: https:\/\/chat\.example\.com/);
  screen.type('bad');
  await screen.see('Server: bad');
  screen.press('enter');
  await screen.see('! not a URL');
  await screen.see('Esc empty the field');
  screen.press('escape');
  await screen.see(/Server: https:\/\/chat\.example\.com/);
  screen.press('escape');
  await screen.see('> Connect to a service');
  screen.set({ ...screen.state(), step: 'token', server: 'https://chat.example', problem: null });
  await screen.see('the access token of your account');
  screen.type('secret-token');
  await screen.see(/\*{6}/);
  expect(screen.frame()).not.toContain('secret');
  screen.press('enter');
  await screen.see('Esc stop waiting');
  screen.set(finishCheck(screen.state(), 'refused \u001b]0;PWN\u0007'));
  await screen.see('! refused ␛]0;PWN␇');
  screen.press('enter');
  screen.set(finishCheck(screen.state(), null));
  expect(screen.state().done).toEqual({ kind: 'connect', server: 'https://chat.example', token: 'secret-token' });
  await screen.see('Saving the token');
  expect(screen.frame()).not.toContain('Esc');
  const keeping = screen.state();
  screen.press('escape');
  expect(screen.state()).toBe(keeping);
});

test.each([
  [['ctrl+u'], ''],
  [['ctrl+w'], 'https://chat.example one '],
  [['home', 'delete'], 'ttps://chat.example one two'],
  [['ctrl+a', 'alt+f', 'ctrl+d'], 'https//chat.example one two'],
  [['alt+b', 'backspace'], 'https://chat.example onetwo'],
  [['home', 'end', 'backspace'], 'https://chat.example one tw'],
] as const)('%j edit a field as they edit the composer', (keys, text) => {
  const screen = welcome({ ...beginWelcome(''), step: 'server' });
  screen.type('https://chat.example one two');
  for (const key of keys) screen.set(editWelcome(screen.state(), editOfKey(key) ?? ((draft) => draft)));
  expect(screen.state().server).toBe(text);
});

test('q quits from the menu, and is a letter in a field', () => {
  const screen = welcome(beginWelcome(''));
  screen.press('q');
  expect(screen.state().done).toEqual({ kind: 'quit' });
  const typing = welcome(beginWelcome('https://chat.example'));
  typing.press('q');
  expect(typing.state().done).toBe(null);
});

test('a known server is asked for the token only', async () => {
  const screen = welcome(beginWelcome('https://chat.example'));
  await screen.see(/Server: https:\/\/chat\.example[\s\S]*Token/);
});
