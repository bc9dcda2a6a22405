/** Every text field is edited by the keys of the composer. */
import { expect, test } from 'vitest';
import { selectField } from '../../src/state/search/edit-field.ts';
import { filterList } from '../../src/state/search/list-search.ts';
import { startFilter } from '../../src/state/view/list-place.ts';
import { pushOverlay } from '../../src/state/view/overlays.ts';
import { setFocus } from '../../src/state/view/view.ts';
import { chat, type World, world } from './world.ts';

function prompt(typed: string): World {
  const w = world(chat());
  w.update(pushOverlay({ kind: 'own-name', of: { kind: 'contact', id: 'c1' }, typed }));
  return w;
}

function filter(text: string): World {
  const w = world(chat());
  w.update((state) => filterList(text)(startFilter(setFocus('list')(state))));
  return w;
}

const textOf = (w: World): string | undefined => selectField(w.state())?.text;

for (const [name, open] of [
  ['a prompt', prompt],
  ['the filter', filter],
] as const) {
  test(`${name}: Home, End, word moves, Delete and Backspace`, () => {
    const w = open('the ferry');
    w.press('home', 'delete', 'end', 'backspace');
    expect(textOf(w)).toBe('he ferr');
    w.press('alt+b');
    w.type('big ');
    w.press('ctrl+a');
    w.type('T');
    w.press('alt+f', 'alt+d');
    expect(textOf(w)).toBe('The ferr');
    w.press('ctrl+e', 'ctrl+w', 'ctrl+y', 'ctrl+u');
    expect(textOf(w)).toBe('');
  });

  test(`${name}: Backspace takes a whole emoji, and undo brings it back`, () => {
    const w = open('a👨‍👩‍👧');
    w.press('backspace');
    expect(textOf(w)).toBe('a');
    w.press('ctrl+_');
    expect(textOf(w)).toBe('a👨‍👩‍👧');
  });

  test(`${name}: a paste is one line and one undo step, at the cursor`, () => {
    const w = open('ab');
    w.press('left');
    w.paste('one\r\ntwo\tthree\n');
    expect(textOf(w)).toBe('aone two threeb');
    w.press('ctrl+_');
    expect(textOf(w)).toBe('ab');
  });

  test(`${name}: what is typed replaces what is selected`, () => {
    const w = open('the ferry');
    w.press('shift+home');
    w.type('b');
    expect(textOf(w)).toBe('b');
  });
}

test('Backspace in an empty filter closes it', () => {
  const w = filter('a');
  w.press('backspace');
  expect(w.state().view.list.isFiltering).toBe(true);
  w.press('backspace');
  expect(w.state().view.list.isFiltering).toBe(undefined);
});

test('undo in one prompt does not restore the text of another', () => {
  const w = prompt('secret');
  w.press('ctrl+u', 'escape');
  w.update(pushOverlay({ kind: 'own-name', of: { kind: 'contact', id: 'c1' }, typed: '' }));
  w.press('ctrl+_', 'ctrl+y');
  expect(textOf(w)).toBe('');
});

test('a paste while a dialog without a field is open is ignored', () => {
  const w = world(chat());
  w.press('f1');
  w.paste('lost');
  expect(w.draft().text).toBe('');
});
