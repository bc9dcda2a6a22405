import { expect, test } from 'vitest';
import { selectMenuRows } from '../../src/commands/menus.ts';
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

test('Y copies it with author and time above', () => {
  const { press, calls } = saying('to be copied');
  press('Y');
  expect(calls).toHaveLength(1);
  expect(JSON.parse(calls[0]!.slice('copy '.length))).toMatch(/^\S.*, .*\d\d:\d\d:\nto be copied$/);
});

test('a text that no terminal accepts is not copied in part', () => {
  const { press, calls, notice } = saying('x'.repeat(60_000));
  press('y', 'Y');
  expect(calls).toEqual([]);
  expect(notice()).toMatch(/nothing was copied/);
});

test('o shows the addresses, and Enter opens the chosen one', () => {
  const { press, calls, state } = saying('https://a.example and https://b.example');
  press('o');
  expect([calls, top(state())?.kind]).toEqual([[], 'links']);
  press('down', 'enter');
  expect(calls).toEqual(['openLink "https://b.example/"']);
  expect(top(state())).toBeUndefined();
});

test('y in the list of addresses copies the address, Esc does nothing', () => {
  const copying = saying('https://a.example');
  copying.press('o', 'y');
  expect(copying.calls).toEqual(['copy "https://a.example/"']);
  const leaving = saying('https://a.example');
  leaving.press('o', 'escape');
  expect([leaving.calls, top(leaving.state())]).toEqual([[], undefined]);
});

test('a change of the message does not change the open list of addresses', () => {
  const { press, calls, update } = saying('https://a.example');
  press('o');
  update((state) => ({ ...state, cache: { ...state.cache, threads: new Map() } }));
  press('enter');
  expect(calls).toEqual(['openLink "https://a.example/"']);
});

test.each([
  ['no address at all', 'nothing here', /no link/],
  ['only one that is not opened', 'https://u:p@a.example', /without a password/],
])('o says that a message has %s', (_, text, said) => {
  const { press, state, notice } = saying(text);
  press('o');
  expect(top(state())).toBeUndefined();
  expect(notice()).toMatch(said);
});

test('of a long message, the part in sight is searched for addresses', () => {
  const { press, state } = saying(`${'x '.repeat(4000)}https://late.example`);
  press('o');
  expect(top(state())).toBeUndefined();
  press('m', 'm', 'm', 'o');
  expect(top(state())).toMatchObject({ links: { addresses: [{ href: 'https://late.example/' }] } });
});

const rich = 'look\n> quoted\n> twice\n\nanswer https://a.example\n```js\nlet a\n\nlet b\n```\n~~~\nraw\n~~~';

test('y offers the parts of a message that has several, each with a digit', () => {
  const { press, calls, state } = saying(rich);
  press('y');
  expect(calls).toEqual([]);
  expect(selectMenuRows(state()).map(({ key, label }) => [key, label])).toEqual([
    ['1', 'Message: look'],
    ['2', 'Code block 1: let a'],
    ['3', 'Code block 2: raw'],
    ['4', 'Link: https://a.example/'],
    ['5', 'Quote: quoted'],
  ]);
});

test.each([
  ['y', rich],
  ['1', rich],
  ['2', 'let a\n\nlet b'],
  ['3', 'raw'],
  ['4', 'https://a.example/'],
  ['5', 'quoted\ntwice'],
])('%s after y copies what was written', (key, text) => {
  const slowly = saying(rich);
  slowly.press('y', key);
  const fast = saying(rich);
  fast.type(`y${key}`, 100);
  fast.wait(1_000);
  expect([slowly.calls, fast.calls]).toEqual([[`copy ${JSON.stringify(text)}`], [`copy ${JSON.stringify(text)}`]]);
});

test.each([
  ['closed at the end of its last line', 'see\n```js\nlet a;\nlet b;```\nand so on', 'let a;\nlet b;'],
  ['in a list', '- first\n  ```sh\n  make\n    all\n  ```\n- second', 'make\n  all'],
  ['after the marker of a list', '1. ```sh\n   make\n   ```\n2. second', 'make'],
  ['in a quote', '> see\n> ```sh\n> make\n>   all\n> ```\nyes', 'make\n  all'],
  ['in a quote of a quote, never closed', '>> ```\n>> a\n\n> b', 'a'],
])('a block of code is copied as it is drawn: %s', (_, text, code) => {
  const { press, calls } = saying(text);
  press('y', '2');
  expect(calls).toEqual([`copy ${JSON.stringify(code)}`]);
});

test('a message of quote signs alone is copied, however many there are', () => {
  const { press, wait, calls } = saying(`${'>'.repeat(20_000)} \`\`\`\nhttps://a.example`);
  press('y', '1');
  wait(1_000);
  expect(calls).toHaveLength(1);
});

test('a sentence that y and a digit begin copies nothing', () => {
  const { type, wait, calls, draft } = saying(rich);
  type('y2 is a name', 120);
  wait(1_000);
  expect([calls, draft().text]).toEqual([[], 'y2 is a name']);
});

test('a message without words is copied as the address of its file, by Y and with the marked messages', () => {
  const { press, calls, update } = saying('');
  const file = { label: 'cat.png', url: 'https://f.example/cat.png', size: null, mediaType: null, fields: {} };
  update((state) => {
    const thread = state.cache.threads.get('with ann')!;
    const messages = thread.messages.map((one) => (one.id === 'm1' ? { ...one, attachments: [file] } : one));
    return { ...state, cache: { ...state.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
  });
  press('Y', 'v', 'y', '1');
  const [withAuthor, marked] = calls.filter((call) => call.startsWith('copy '));
  expect(withAuthor).toMatch(/\d\d:\d\d:\\nhttps:\/\/f\.example\/cat\.png"$/);
  expect(marked).toBe(`copy "${file.url}"`);
});

test('the addresses of attachments are offered', () => {
  const { press, calls, update } = saying('see');
  update((state) => {
    const thread = state.cache.threads.get('with ann')!;
    const file = { label: 'map.png', url: 'https://f.example/map.png', size: null, mediaType: null, fields: {} };
    const messages = thread.messages.map((one) => (one.id === 'm1' ? { ...one, attachments: [file] } : one));
    return { ...state, cache: { ...state.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
  });
  press('y', '2');
  expect(calls).toEqual(['copy "https://f.example/map.png"']);
});
