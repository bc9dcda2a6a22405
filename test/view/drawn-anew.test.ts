/** Panes keep what they have drawn. Whatever changes, they must show what panes show that have never drawn before. */
import { beforeEach, expect, test } from 'vitest';
import { newVim } from '../../src/state/composer/vim/vim.ts';
import type { AppState, Completion, Draft, Notice } from '../../src/state/model/app-state.ts';
import { standardKeys } from '../../src/state/model/key-settings.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { paneNames } from '../support/builders/picture.ts';
import { annMessages, scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

let now = eg.now;
const make = (): Panes => createPanes({ theme: themes.dark, ascii: false, now: () => now, keyOf: () => 'Esc' });

const hints = [{ label: 'Enter', title: 'send' }];

const shown = (panes: Panes, state: AppState) => {
  const where = panes.layout(state);
  const rows = paneNames.map((name) => panes.rows(name, state, where, hints));
  const { characters, room } = panes.echoes(state, where) ?? {};
  return { where, rows, cursor: panes.cursor(state, where), echoes: [characters?.size, room] };
};

type Change = (state: AppState) => AppState;

const screen =
  (patch: Partial<AppState['screen']>): Change =>
  (state) => ({ ...state, screen: { ...state.screen, ...patch } });
const view =
  (patch: Partial<AppState['view']>): Change =>
  (state) => ({ ...state, view: { ...state.view, ...patch } });
const settings =
  (patch: Partial<AppState['settings']>): Change =>
  (state) => ({ ...state, settings: { ...state.settings, ...patch } });
const local =
  (patch: Partial<AppState['local']>): Change =>
  (state) => ({ ...state, local: { ...state.local, ...patch } });
const drafted =
  (fields: Partial<Draft>): Change =>
  (state) => {
    const draft = { ...(state.local.drafts.get('c-ann') ?? eg.draft('')), ...fields };
    return local({ drafts: new Map([...state.local.drafts, ['c-ann', draft]]) })(state);
  };
const both =
  (...changes: Change[]): Change =>
  (state) =>
    changes.reduce((changed, change) => change(changed), state);

const notice = (text: string): Notice => ({ id: 1, tone: 'info', text, at: eg.now, until: null, about: '' });
const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
const files = [{ label: 'poster.png', url: 'https://example.org/poster.png' }];
const scrolled: Change = (state) => {
  const places = new Map([
    ['c-ann', { scroll: { at: 'message', messageId: 'a1', line: 0 }, selectedId: null } as const],
  ]);
  return view({ places })(screen({ size: { columns: 80, rows: 14 } })(state));
};
const vimKeys = settings({ keys: { ...standardKeys, profile: 'vim' } });
const offered: Completion = {
  conversationId: 'c-ann',
  kind: 'emoji',
  start: 0,
  typed: 'words',
  rows: [{ text: '😄', label: '😄 :smile:', note: '' }],
  selected: null,
  isDone: true,
  isClosed: false,
};

const changes: Readonly<Record<string, Change>> = {
  'the text': drafted({ text: 'other words' }),
  'more lines': drafted({ text: lines, cursor: lines.length }),
  'the cursor': drafted({ cursor: 1 }),
  'what is selected': drafted({ anchor: 1 }),
  'what is attached': drafted({ attachments: files }),
  'an edit': drafted({ editing: { messageId: 'a5', base: 'Hi Ann' } }),
  'an edit of a message with a file': drafted({ editing: { messageId: 'a4', base: '' } }),
  'the width of the screen': screen({ size: { columns: 60, rows: 24 } }),
  'the height of the screen': screen({ size: { columns: 80, rows: 18 } }),
  'a screen that is too small': screen({ size: { columns: 30, rows: 5 } }),
  'the width of the list': local({ listWidth: 20 }),
  'the width of the text': settings({ textWidth: 30 }),
  'the focus': screen({ focus: 'messages' }),
  'the focus on a narrow screen': screen({ focus: 'list', size: { columns: 60, rows: 24 } }),
  'another conversation': view({ openId: 'c-crew' }),
  'no conversation': view({ openId: null }),
  'an archive': both(drafted({ text: '', cursor: 0 }), view({ isArchive: true })),
  'the name of the conversation': local({ names: new Map([['ann', 'Annie']]) }),
  'a notice': screen({ notices: [notice('Copied')] }),
  'keys that are held': screen({ heldKeys: 'g' }),
  'an overlay': both(
    screen({ notices: [notice('word '.repeat(40))] }),
    screen({ overlays: [{ kind: 'help', typed: '', selected: 0 }] }),
  ),
  'rows that are offered': view({ completion: offered }),
  'the row that is chosen': view({ completion: { ...offered, selected: 0 } }),
  'the keys of vim': vimKeys,
  'the mode of vim': both(vimKeys, view({ vim: { ...newVim('c-ann'), mode: 'normal' } })),
  'a selection of vim': both(vimKeys, view({ vim: { ...newVim('c-ann'), mode: 'visual', anchor: 1 } })),
  'a key of vim that waits': both(
    vimKeys,
    view({ vim: { ...newVim('c-ann'), mode: 'normal', pending: { ...newVim('c-ann').pending, keys: '2d' } } }),
  ),
  'the connection': (state) => view({ connection: { ...state.view.connection, status: 'offline' } })(state),
  'unread messages below': scrolled,
};

const base = (): AppState => drafted({ text: 'words', cursor: 5 })(scene({ size: { columns: 80, rows: 24 } }));

test.each(Object.entries(changes))('after %s changed, and after it changed back', (_, change) => {
  now = eg.now;
  const panes = make();
  // One state, so that what did not change is the same object.
  const state = base();
  const before = shown(make(), state);
  expect(shown(panes, state)).toEqual(before);
  const changed = shown(panes, change(state));
  expect(changed).toEqual(shown(make(), change(state)));
  expect(changed).not.toEqual(before);
  expect(shown(panes, state)).toEqual(before);
});

test('after a change of each kind on top of each other one', () => {
  now = eg.now;
  const panes = make();
  const first = base();
  for (const one of Object.values(changes)) {
    for (const other of Object.values(changes)) {
      const state = both(one, other)(first);
      expect(shown(panes, state)).toEqual(shown(make(), state));
    }
  }
});

const scrolledTo: Change = (state) => {
  const draft = state.local.drafts.get('c-ann') ?? eg.draft('');
  return view({ draftScroll: { draft, top: 7 } })(state);
};
const visual = view({ vim: { ...newVim('c-ann'), mode: 'visual', anchor: 1 } });
const loaded: Change = (state) => ({ ...state, cache: { ...state.cache, threads: new Map() } });

test.each([
  ['the mode of vim', vimKeys, visual],
  ['the rows that the wheel scrolled to', drafted({ text: lines, cursor: lines.length }), scrolledTo],
  ['the file of the message that is edited', drafted({ editing: { messageId: 'a4', base: '' } }), loaded],
])('after %s changed and nothing else', (_, beforehand, change) => {
  now = eg.now;
  const panes = make();
  const state = beforehand(base());
  const before = shown(panes, state);
  const changed = shown(panes, change(state));
  expect(changed).toEqual(shown(make(), change(state)));
  expect(changed).not.toEqual(before);
  expect(changed.rows[3]).not.toEqual(before.rows[3]);
});

test('after an unread message arrived below', () => {
  now = eg.now;
  const panes = make();
  const state = local({ readLines: new Map([['c-ann', { messageId: 'a6', at: eg.now - 1 }]]) })(scrolled(base()));
  const first = shown(panes, state);
  const late = eg.message({
    id: 'a7',
    conversationId: 'c-ann',
    contact: annMessages[0]?.contact ?? null,
    text: 'late',
  });
  const threads = new Map([['c-ann', eg.thread([...annMessages, { ...late, createdAt: eg.now }])]]);
  const arrived = { ...state, cache: { ...state.cache, threads, unread: new Map([['c-ann', 1]]) } };
  expect(shown(panes, arrived)).toEqual(shown(make(), arrived));
  expect(shown(panes, arrived).rows[3]).not.toEqual(first.rows[3]);
});

test('after midnight', () => {
  now = eg.now;
  const panes = make();
  const state = base();
  const first = shown(panes, state);
  now += 24 * eg.hour;
  expect(shown(panes, state)).toEqual(shown(make(), state));
  expect(shown(panes, state)).not.toEqual(first);
});

test('a message that arrives does not lay out the draft again', () => {
  now = eg.now;
  const panes = make();
  const state = base();
  const first = shown(panes, state);
  const cache = { ...state.cache, lastMessages: new Map(), threads: new Map([['c-ann', eg.thread([])]]) };
  const second = shown(panes, { ...state, cache });
  expect(second.where).toBe(first.where);
  expect(second.cursor).toBe(first.cursor);
});
