/** A screen that is too small for anything but a note: what cannot be seen is not done. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createHintSelector } from '../../src/commands/footer.ts';
import { keymapFor } from '../../src/commands/table.ts';
import type { Overlay } from '../../src/state/model/app-state.ts';
import { setFocus, setSize } from '../../src/state/view/view.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

beforeEach(eg.restart);

const size = { columns: 80, rows: 9 };
const settings: Overlay = { kind: 'settings', typed: '', selected: 0, page: null, tried: {}, before: {}, remark: null };

test.each(['composer', 'messages', 'list'] as const)('keys and pastes change nothing: %s', (focus) => {
  const w = world(chat({ size: { columns: 80, rows: 24 } }));
  w.type('see you at ');
  w.update((state) => setSize(size)(setFocus(focus)(state)));
  w.type('nine');
  w.paste('ten');
  w.press('backspace');
  w.press('enter');
  expect([w.draft().text, w.actions, w.calls]).toEqual(['see you at ', [], []]);
  w.update((state) => setSize({ columns: 80, rows: 24 })(setFocus('composer')(state)));
  w.type('ten');
  w.press('enter');
  expect(w.actions).toMatchObject([{ kind: 'message.send', text: 'see you at ten' }]);
});

test.each(['f1', 'ctrl+k', 'alt+a', 'alt+down', 'ctrl+n', 'tab', 'escape', 'alt+m', 'pageup'])(
  '%s does nothing',
  (key) => {
    const w = world(chat({ size, focus: 'messages' }));
    const before = w.state();
    w.press(key);
    expect([w.state(), w.calls]).toEqual([before, []]);
  },
);

test.each(['right', 'enter', 'escape', 'down', 'backspace'])('an open overlay does not get %s, nor letters', (key) => {
  const w = world(chat({ size, overlays: [settings] }));
  w.press(key);
  w.type('x');
  w.paste('y');
  expect(w.state().screen.overlays).toEqual([settings]);
  expect([w.calls, w.draft().text]).toEqual([[], '']);
});

test('a token that is typed does not go into the composer', () => {
  const token: Overlay = { kind: 'token', typed: '' };
  const w = world(chat({ size, overlays: [token] }));
  w.type('secret');
  w.paste('token');
  expect([w.draft().text, w.state().view.clipboard ?? null]).toEqual(['', null]);
  expect(w.state().screen.overlays).toEqual([token]);
});

test('the footer names the keys again once the screen has grown', () => {
  const hintsOf = createHintSelector(keymapFor(chat().settings.keys));
  const w = world(chat({ size }));
  expect(hintsOf(w.state())).toEqual([]);
  w.update(setSize({ columns: 80, rows: 24 }));
  expect(hintsOf(w.state())[0]?.id).toBe('message.send');
});

test('a key does not run a command', () => {
  const overlay: Overlay = { kind: 'rebind', command: 'app.quit', pressed: null };
  const w = world(chat({ size, overlays: [overlay] }));
  w.press('ctrl+b');
  expect(w.state().screen.overlays).toEqual([overlay]);
});

describe('ending the program', () => {
  test.each([
    ['ctrl+q', 'quit'],
    ['ctrl+z', 'suspend'],
    ['ctrl+l', 'redraw'],
  ])('%s', (key, call) => {
    const w = world(chat({ size, overlays: [settings] }));
    w.press(key);
    expect(w.calls).toEqual([call]);
  });

  test('Ctrl-C clears nothing, and pressed twice quits', () => {
    const w = world(chat());
    w.type('half a sentence');
    w.update(setSize(size));
    w.press('ctrl+c');
    expect([w.draft().text, w.calls]).toEqual(['half a sentence', []]);
    w.press('ctrl+c');
    expect([w.draft().text, w.calls]).toEqual(['half a sentence', ['quit']]);
  });
});
