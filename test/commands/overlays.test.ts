/** Ctrl-U and Ctrl-W in the field of every overlay, and pages of choices. */

import { expect, test } from 'vitest';
import { rowIds } from '../../src/commands/accept.ts';
import { selectPalette } from '../../src/commands/table.ts';
import type { Overlay } from '../../src/state/model/app-state.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { openNamePrompt } from '../../src/state/search/name-prompt.ts';
import type { Transition } from '../../src/state/store.ts';
import { pushOverlay, topOverlay } from '../../src/state/view/overlays.ts';
import { chat, world } from './world.ts';

const overlays: readonly Overlay[] = [
  { kind: 'message-search', conversationId: null, here: null, typed: '', selected: 0, result: null },
  { kind: 'reaction-picker', conversationId: 'with ann', messageId: 'm1', typed: '', selected: 0 },
  { kind: 'token', typed: '' },
  { kind: 'attach', conversationId: 'with ann', typed: '' },
  { kind: 'own-name', of: { kind: 'contact', id: 'ann' }, typed: '' },
];
const opened: readonly [string, Transition][] = [
  ['switcher', openNamePrompt('switcher')],
  ['new-conversation', openNamePrompt('new-conversation')],
  ...overlays.map((overlay): [string, Transition] => [overlay.kind, pushOverlay(overlay)]),
];

test.each(opened)('Ctrl-W and Ctrl-U delete in the field of %s', (_kind, open) => {
  const w = world(chat());
  const text = (): string => {
    const top = topOverlay(w.state());
    return top !== null && 'typed' in top ? top.typed : 'none';
  };
  w.update(open);
  w.update(typeText('one two  three '));
  w.press('ctrl+w');
  expect(text()).toBe('one two  ');
  w.press('ctrl+w', 'ctrl+w', 'ctrl+w');
  expect(text()).toBe('');
  w.update(typeText('one two'));
  w.press('ctrl+u');
  expect(text()).toBe('');
});

test.each([
  ['the help', ['f1'], ''],
  ['the palette', ['ctrl+k'], '>'],
  ['the settings', ['alt+,'], ''],
])('%s: a key moves a page further, to the last choice and back', (_, keys, typed) => {
  const w = world(chat());
  w.press(...keys);
  w.update(typeText(typed));
  w.update((state) => ({ ...state, screen: { ...state.screen, size: { columns: 80, rows: 14 } } }));
  const selected = () => (topOverlay(w.state()) as { readonly selected: number }).selected;
  w.press('pagedown');
  const page = selected();
  expect(page).toBeGreaterThan(0);
  w.press('ctrl+end');
  const last = selected();
  expect(last).toBe(rowIds(w.state(), selectPalette).length - 1);
  w.press('pageup');
  expect(selected()).toBe(last - page);
  w.press('ctrl+home');
  expect(selected()).toBe(0);
});
