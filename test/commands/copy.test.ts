import { expect, test } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { chat, world } from './world.ts';

const saying = (text: string) => {
  const state = chat({
    focus: 'messages',
    places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm1' }]]),
  });
  const thread = state.cache.threads.get('with ann')!;
  const messages = thread.messages.map((message) => (message.id === 'm1' ? { ...message, text } : message));
  const threads = new Map([['with ann', { ...thread, messages }]]);
  return world({ ...state, cache: { ...state.cache, threads } });
};
const top = (state: AppState) => state.screen.overlays.at(-1);

test('y copies the text of the selected message', () => {
  const { press, calls, notice } = saying('to be copied');
  press('y');
  expect(calls).toEqual(['copy "to be copied"']);
  expect(notice()).toBe('Copied the text');
});

test('Y puts author and time above it', () => {
  const { press, calls } = saying('to be copied');
  press('Y');
  expect(calls).toHaveLength(1);
  expect(JSON.parse(calls[0]!.slice('copy '.length))).toMatch(/^\S.*, .*\d\d:\d\d:\nto be copied$/);
});

test('one that no terminal takes is not copied in part', () => {
  const { press, calls, notice } = saying('x'.repeat(60_000));
  press('y', 'Y');
  expect(calls).toEqual([]);
  expect(notice()).toMatch(/nothing was copied/);
});

test('o asks, and Enter opens the address that was chosen', () => {
  const { press, calls, state } = saying('https://a.example and https://b.example');
  press('o');
  expect([calls, top(state())?.kind]).toEqual([[], 'links']);
  press('down', 'enter');
  expect(calls).toEqual(['openLink "https://b.example/"']);
  expect(top(state())).toBeUndefined();
});

test('y there copies the address, Esc does nothing', () => {
  const copying = saying('https://a.example');
  copying.press('o', 'y');
  expect(copying.calls).toEqual(['copy "https://a.example/"']);
  const leaving = saying('https://a.example');
  leaving.press('o', 'escape');
  expect([leaving.calls, top(leaving.state())]).toEqual([[], undefined]);
});

test('a change of the message meanwhile changes nothing in the question', () => {
  const { press, calls, update } = saying('https://a.example');
  press('o');
  update((state) => ({ ...state, cache: { ...state.cache, threads: new Map() } }));
  press('enter');
  expect(calls).toEqual(['openLink "https://a.example/"']);
});

test.each([
  ['no address at all', 'nothing here', /no link/],
  ['only one that is not opened', 'https://u:p@a.example', /without a password/],
])('%s: says so', (_, text, said) => {
  const { press, state, notice } = saying(text);
  press('o');
  expect(top(state())).toBeUndefined();
  expect(notice()).toMatch(said);
});

test('of a long message, the part in sight is looked at', () => {
  const { press, state } = saying(`${'x '.repeat(4000)}https://late.example`);
  press('o');
  expect(top(state())).toBeUndefined();
  press('m', 'm', 'o');
  expect(top(state())).toMatchObject({ links: { targets: [{ href: 'https://late.example/' }] } });
});
