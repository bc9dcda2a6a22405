import { expect, test } from 'vitest';
import { footerHints } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { selectMenuRows } from '../../src/commands/menus.ts';
import { commands } from '../../src/commands/table.ts';
import { startEditing, updateDraft } from '../../src/state/composer/drafts.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { selectMarked } from '../../src/state/select/marked.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { leaveRemoved, toggleMark } from '../../src/state/view/thread-place.ts';
import { chat, type World, world } from './world.ts';

const on = (id: string): World =>
  world(chat({ focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: id }]]) }));
const marked = (state: AppState) => selectMarked(state).map(({ id }) => id);

test('v and Space mark the message and move on; the same key removes the mark', () => {
  const { press, state } = on('m1');
  press('v', 'space');
  expect([marked(state()), selectPlace(state(), 'with ann').selectedId]).toEqual([['m1', 'm2'], 'm3']);
  press('k', 'v');
  expect(marked(state())).toEqual(['m1']);
});

test('several marks in a row are not taken for a sentence, and a sentence that begins with v leaves no mark', () => {
  const fast = on('m1');
  fast.type('vjvy', 120);
  fast.wait(1_000);
  expect([marked(fast.state()), topOverlay(fast.state())?.kind]).toEqual([['m1', 'm3'], 'menu']);
  const sentence = on('m1');
  sentence.type('very well', 120);
  expect([marked(sentence.state()), sentence.draft().text]).toEqual([[], 'very well']);
});

test('while messages are marked, the footer names the keys that act on all of them, and not those for one', () => {
  const { press, state } = on('m1');
  const titles = () => footerHints(state(), createKeymap(commands)).map(({ title }) => title);
  const forOne = ['reply', 'react', 'pin'];
  expect(titles()).toEqual(expect.arrayContaining([...forOne, 'copy', 'forward']));
  press('v');
  expect(titles().filter((title) => forOne.includes(title))).toEqual([]);
  expect(titles()).toEqual(expect.arrayContaining(['1 marked', 'copy', 'forward']));
});

test('Esc removes the marks before it leaves the messages', () => {
  const { press, state } = on('m1');
  press('v', 'escape');
  expect([marked(state()), state().screen.focus]).toEqual([[], 'messages']);
  press('escape');
  expect(state().screen.focus).toBe('composer');
});

test('a message that is gone is no longer marked, also when its id comes back', () => {
  const { press, state, update } = on('m1');
  press('v', 'v');
  update(leaveRemoved('with ann', ['m1']));
  expect(marked(state())).toEqual(['m2']);
  expect(selectPlace(state(), 'with ann').marked).toEqual(['m2']);
});

test('the number of marks is limited', () => {
  const { press, state, update, notice } = on('m1');
  for (let i = 0; i < 600; i++) update(toggleMark('with ann', `x${i}`));
  expect(selectPlace(state(), 'with ann').marked).toHaveLength(500);
  press('v');
  expect(notice()).toMatch(/No more messages can be marked/);
});

test('y and Y copy all marked messages', () => {
  const { press, calls, state } = on('m1');
  press('v', 'v', 'y');
  expect(selectMenuRows(state())[0]).toMatchObject({ label: 'The 2 marked messages', key: '1' });
  press('y', 'Y');
  expect(calls.at(-2)).toBe('copy "The ferry leaves at nine\\n\\nHi Ann"');
  expect(calls.at(-1)).toMatch(/^copy "ann, .*:\\nThe ferry leaves at nine\\n\\nYou, .*:\\nHi Ann"$/);
});

test('d asks once, names the messages that stay, and deletes the own ones', () => {
  const { press, actions, state, update, draft } = on('m1');
  update(updateDraft('with ann', (held) => startEditing(held, 'm2', 'Hi Ann')));
  press('v', 'v', 'd');
  expect(topOverlay(state())).toMatchObject({ kind: 'confirm', id: 'message.deleteMarked' });
  press('enter');
  expect(actions).toEqual([{ kind: 'message.delete', conversationId: 'with ann', messageId: 'm2' }]);
  expect(marked(state())).toEqual(['m1']);
  expect(draft().editing).toBeNull();
  const others = on('m3');
  others.press('v', 'd');
  expect([others.actions, others.notice()]).toEqual([
    [],
    'None of the marked messages is yours; only your own can be deleted',
  ]);
});

test('the answer yes to the deletion counts only while the messages are unchanged', () => {
  const { press, actions, update, notice } = on('m2');
  press('v', 'd');
  update((state) => {
    const thread = state.cache.threads.get('with ann')!;
    const messages = thread.messages.map((one) => (one.id === 'm2' ? { ...one, text: 'changed' } : one));
    return { ...state, cache: { ...state.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
  });
  press('enter');
  expect([actions, notice()]).toEqual([[], 'The message changed meanwhile; nothing was done']);
});
