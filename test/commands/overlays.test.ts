/** Ctrl-U and Ctrl-W in the field of every overlay. */

import { expect, test } from 'vitest';
import type { Overlay } from '../../src/state/model/app-state.ts';
import { openNamePrompt } from '../../src/state/search/name-prompt.ts';
import { typeText } from '../../src/state/search/type-text.ts';
import type { Transition } from '../../src/state/store.ts';
import { pushOverlay, topOverlay } from '../../src/state/view/overlays.ts';
import { chat, world } from './world.ts';

const overlays: readonly Overlay[] = [
  { kind: 'message-search', conversationId: null, here: null, typed: '', selected: 0, result: null },
  { kind: 'reaction-picker', conversationId: 'with ann', messageId: 'm1', typed: '', selected: 0 },
  { kind: 'token', typed: '' },
  { kind: 'attach', conversationId: 'with ann', typed: '' },
  { kind: 'own-name', of: 'ann', typed: '' },
];
const opened: readonly [string, Transition][] = [
  ['switcher', openNamePrompt('switcher')],
  ['new-conversation', openNamePrompt('new-conversation')],
  ...overlays.map((overlay): [string, Transition] => [overlay.kind, pushOverlay(overlay)]),
];

test.each(opened)('%s', (_kind, open) => {
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
