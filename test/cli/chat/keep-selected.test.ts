import { expect, test } from 'vitest';
import { createAppearance } from '../../../src/cli/chat/appearance.ts';
import { keepSelected, keepSelectedInSight } from '../../../src/cli/chat/keep-selected.ts';
import { showPicture } from '../../../src/cli/chat/show-picture.ts';
import type { AppState, ScrollPlace } from '../../../src/state/model/app-state.ts';
import { createAppStore, type Transition } from '../../../src/state/store.ts';
import { setFailure } from '../../../src/state/view/connection.ts';
import { addNotice } from '../../../src/state/view/notices.ts';
import { selectMessage } from '../../../src/state/view/thread-place.ts';
import { setSize } from '../../../src/state/view/view.ts';
import { initialCapabilities, type TerminalFacts } from '../../../src/terminal/capabilities.ts';
import * as eg from '../../support/builders/eg.ts';
import { rowToText } from '../../support/builders/row-text.ts';

const facts = { term: 'xterm', colorTerm: 'truecolor', locale: 'C.UTF-8', isTty: true } as TerminalFacts;
const capabilities = () => initialCapabilities(facts);
const options = { noColor: null, forceColor: true, theme: () => null, own: () => null, ascii: false } as const;
const { panes } = createAppearance({ capabilities }, options, () => '');
const picture = {
  status: 'shown',
  bitmap: { width: 20, height: 20, rgba: new Uint8Array(1600).fill(255) },
  inTerminal: null,
} as const;
const href = (n: number): string => `https://a.example/${n}.png`;

/** Twelve messages, each with a picture. */
function thread(scroll: ScrollPlace, selectedId: string): AppState {
  const messages = Array.from({ length: 12 }, (_, n) =>
    eg.message({
      id: `m${n}`,
      conversationId: 'c',
      text: `words ${n}`,
      attachments: [{ label: `${n}.png`, url: href(n), size: null, mediaType: 'image/png', fields: {} }],
    }),
  );
  const state = eg.state({
    conversations: [eg.conversation({ id: 'c' })],
    cache: { threads: new Map([['c', eg.thread(messages)]]) },
    ...eg.shown({ openId: 'c', focus: 'messages' }),
  });
  const { screen, settings, view } = state;
  return {
    ...state,
    screen: { ...screen, drawsPictures: true },
    settings: { ...settings, pictures: 'always' },
    view: { ...view, places: new Map([['c', { scroll, selectedId }]]) },
  };
}

function shown(state: AppState): string {
  const layout = panes().layout(state);
  return panes().rows('thread', state, layout).map(rowToText).join('\n');
}

test.each([
  ['above it', { at: 'message', messageId: 'm0', line: 0 }, 'm5', [0, 1, 2, 3]],
  ['below it', { at: 'bottom' }, 'm7', [11, 10, 9, 8]],
  ['its own', { at: 'bottom' }, 'm11', [11]],
] as const)('the selected message stays in sight when pictures come: %s', (_, scroll, selectedId, coming) => {
  let state = thread(scroll, selectedId);
  const words = `words ${selectedId.slice(1)} `;
  expect(shown(state)).toContain(words);
  for (const n of coming) state = showPicture(panes(), href(n), picture)(state);
  expect(shown(state)).toContain(words);
});

test('the thread does not scroll to a selected message that was out of sight before', () => {
  const scroll = { at: 'message', messageId: 'm0', line: 0 } as const;
  const state = thread(scroll, 'm11');
  expect(showPicture(panes(), href(0), picture)(state).view.places).toBe(state.view.places);
});

test.each([
  ['at the end', { at: 'bottom' }, 'm9'],
  ['elsewhere', { at: 'message', messageId: 'm0', line: 0 }, 'm5'],
] as const)('the selected message stays in sight on a smaller screen: %s', (_, scroll, selectedId) => {
  const before = thread(scroll, selectedId);
  const resized = (rows: number) => keepSelected(panes(), before)(setSize({ columns: 80, rows })(before));
  expect(shown(resized(12))).toContain(`words ${selectedId.slice(1)} `);
  expect(resized(4).view.places).toBe(before.view.places);
});

const notice = addNotice({ tone: 'info', text: 'a long notice '.repeat(20), at: 0, until: null, about: 'test' });
const failure = setFailure('c', 'nothing listens at the address of the server');
const pin: Transition = (state) => ({
  ...state,
  cache: {
    ...state.cache,
    conversations: new Map([['c', eg.conversation({ id: 'c', pinnedMessageId: 'm0' })]]),
  },
});

test.each([
  ['a notice of several rows', notice],
  ['the report of a failed refresh', failure],
  ['the pinned message', pin],
])('the whole selected message stays in sight when %s takes rows from the thread', (_, change) => {
  const scroll = { at: 'message', messageId: 'm1', line: -1 } as const;
  const isWhole = (state: AppState, n: number) =>
    new RegExp(`\\(unknown\\).*\\n.* words ${n} .*\\n.* ${n}\\.png`).test(shown(state));
  const cut = [24, 23, 22, 21]
    .map((rows) => setSize({ columns: 80, rows })(thread(scroll, 'm1')))
    .flatMap((before) => Array.from({ length: 12 }, (_unused, n) => ({ before, n })))
    .find(({ before, n }) => isWhole(before, n) && !isWhole(change(before), n));
  if (cut === undefined) throw new Error('no size at which a message loses a row');
  const store = createAppStore(selectMessage('c', `m${cut.n}`)(cut.before));
  keepSelectedInSight(store, panes);
  store.setState(change);
  expect(isWhole(store.getState(), cut.n)).toBe(true);
});

test('a selected message of which a part was in sight is not covered by the report of a failed refresh', () => {
  const store = createAppStore(thread({ at: 'message', messageId: 'm0', line: 0 }, 'm0'));
  expect(shown(store.getState())).toContain(' words 0 ');
  keepSelectedInSight(store, panes);
  store.setState(failure);
  expect(shown(store.getState())).toContain(' words 0 ');
});
