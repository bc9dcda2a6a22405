/** The panes together: what they look like, that every row fits, and that only what changed is made anew. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { moveToStart } from '../../src/state/composer/draft-move.ts';
import { updateDraft } from '../../src/state/composer/drafts.ts';
import type { AppState, Draft } from '../../src/state/model/app-state.ts';
import { type Row, rowWidth, targetAt } from '../../src/text/layout/row.ts';
import type { PaneName } from '../../src/view/layout.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { paneNames, picture } from '../support/builders/picture.ts';
import { annMessages, scene } from '../support/builders/scene.ts';
import { campaignSize } from '../support/campaigns/partition.ts';

beforeEach(eg.restart);

const hints = [
  { label: 'Enter', title: 'send' },
  { label: 'Alt-Enter', title: 'newline' },
  { label: 'F1', title: 'help' },
];

const keys: Readonly<Record<string, string>> = { 'message.retry': 'R', 'message.discard': 'D', 'server.poll': 'F5' };

const make = (ascii = false): Panes =>
  createPanes({ theme: themes.dark, ascii, now: () => eg.now, keyOf: (id) => keys[id] ?? '' });

const typed = (state: AppState, text: string): AppState => ({
  ...state,
  local: { ...state.local, drafts: new Map([...state.local.drafts, ['c-ann', eg.draft(text)]]) },
});

describe('the screen', () => {
  test.each([
    [80, 24],
    [120, 40],
    [200, 60],
    [60, 20],
  ])('is drawn at %i × %i', (columns, rows) => {
    expect(picture(make(), scene({ size: { columns, rows } }), hints).join('\n')).toMatchSnapshot();
  });

  test.each([200, 80, 40])('shows at %i columns that a server is not encrypted, whatever else there is', (columns) => {
    const state = scene({ size: { columns, rows: 12 }, isUnencrypted: true });
    const connection = {
      ...state.view.connection,
      status: 'offline',
      since: eg.now,
      nextPollAt: eg.now,
      reason: 'nothing listens at the address of the server',
    } as const;
    for (const view of [state.view, { ...state.view, connection }])
      expect(picture(make(), { ...state, view })[0]).toContain('not encrypted');
  });

  test('has only the list on a narrow screen', () => {
    const state = scene({ size: { columns: 60, rows: 14 }, focus: 'list' });
    expect(picture(make(), state, hints).join('\n')).toMatchSnapshot();
  });

  test('has nothing but ASCII if asked for, and no emoji for reactions', () => {
    const screen = picture(make(true), typed(scene(), 'hello'), hints).join('\n');
    expect(screen).toMatch(/^[\x20-\x7e\n]*$/);
    expect(screen).toMatchSnapshot();
  });

  test('has a note if it is too small', () => {
    const screen = picture(make(), scene({ size: { columns: 30, rows: 5 } }));
    expect(screen.slice(0, 3)).toEqual(['Too small', 'needs 40 x 10', 'has 30 x 5']);
  });
});

test('cuts a long attachment or reaction so that its size and count are visible', () => {
  const [first] = annMessages;
  if (first === undefined) throw new Error('the scene has messages');
  const message = {
    ...first,
    reactions: [{ name: 'q'.repeat(60), by: ['bob'] }],
    attachments: [{ label: 'a'.repeat(60), url: null, size: 1200, mediaType: null, fields: {} }],
  };
  const state = scene({ size: { columns: 80, rows: 24 } });
  const threads = new Map([['c-ann', eg.thread([message], {})]]);
  const screen = picture(make(), { ...state, cache: { ...state.cache, threads } }).join('\n');
  expect(screen).toMatch(/a… \(1 kB\)/);
  expect(screen).toMatch(/q… 1/);
});

/** Text as hostile as the network may send it. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '\u001b[2J\u001b]0;x\u0007',
    '漢字'.repeat(60),
    '👩‍👩‍👧‍👦'.repeat(30),
    `${'a'.repeat(300)}\n\nAnn: forged`,
    `Z${'\u0300'.repeat(200)}`,
    '\u202eexe.gpj',
    '',
    '\n'.repeat(500),
    'https://example.org/'.repeat(20),
  ),
);

function hostile(state: AppState, words: readonly string[]): AppState {
  const word = (i: number): string => words[i % words.length] ?? '';
  const contacts = new Map(
    [...state.cache.contacts].map(([id, one], i) => [id, { ...one, username: word(i) }] as const),
  );
  const messages = annMessages.map((message, i) => ({
    ...message,
    text: word(i + 1),
    reactions: [{ name: word(i), by: [word(i + 2)] }],
    attachments: [{ label: word(i), url: null, size: i * 1e5, mediaType: word(i + 1), fields: {} }],
  }));
  const failed = eg.op(
    { kind: 'message.send', conversationId: 'c-ann', text: word(3) },
    { state: 'failed', reason: word(4) },
  );
  return {
    ...state,
    cache: {
      ...state.cache,
      contacts,
      lastMessages: new Map([...state.cache.lastMessages].map(([id, one], i) => [id, { ...one, text: word(i) }])),
      threads: new Map([['c-ann', eg.thread(messages, { older: 'unreachable', gaps: ['a3'] })]]),
    },
    local: {
      ...state.local,
      outbox: [failed],
      drafts: new Map([
        ['c-ann', eg.draft(word(5))],
        ['c-bob', eg.draft(word(2))],
      ]),
    },
    view: {
      ...state.view,
      serverLabel: word(0),
      list: { ...state.view.list, filter: '', selectedId: 'c-bob' },
      connection: {
        ...state.view.connection,
        status: 'offline',
        reason: word(1),
        failures: new Map([['c-ann', word(2)]]),
      },
    },
    screen: { ...state.screen, notices: [{ id: 1, tone: 'error', text: word(6), at: 0, until: null, about: 'op-1' }] },
  };
}

describe('rows', () => {
  test('are as many as the rectangle has and exactly as wide, whatever the network sends', () => {
    const sizes = fc.record({ columns: fc.integer({ min: 0, max: 220 }), rows: fc.integer({ min: 0, max: 50 }) });
    const focus = fc.constantFrom<AppState['screen']['focus']>('list', 'messages', 'composer');
    fc.assert(
      fc.property(
        sizes,
        focus,
        fc.boolean(),
        fc.array(nasty, { minLength: 7, maxLength: 7 }),
        (size, at, ascii, words) => {
          const state = hostile(scene({ size, focus: at }), words);
          const panes = make(ascii);
          const where = panes.layout(state);
          for (const pane of paneNames) {
            const rect = where[pane];
            const rows = panes.rows(pane, state, where, [{ label: words[0] ?? '', title: words[1] ?? '' }]);
            expect(rows.map(rowWidth)).toEqual(Array.from({ length: rect?.height ?? 0 }, () => rect?.width));
            for (const row of rows)
              for (const { text } of row) expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
          }
          const cursor = panes.cursor(state, where);
          if (cursor !== null) {
            expect(cursor.x).toBeLessThan(size.columns);
            expect(cursor.y).toBeLessThan(size.rows);
          }
        },
      ),
      { numRuns: campaignSize(40, 150) },
    );
  });
});

describe('what stays the same', () => {
  const all = (panes: Panes, state: AppState) => {
    const where = panes.layout(state);
    const rows = paneNames.map((pane) => [pane, panes.rows(pane, state, where, [...hints])] as const);
    return Object.fromEntries(rows) as Record<PaneName, readonly Row[]>;
  };

  test('a poll that changed nothing makes no new row', () => {
    const panes = make();
    const state = scene();
    const before = all(panes, state);
    const polled: AppState = {
      ...state,
      cache: {
        ...state.cache,
        conversations: new Map(state.cache.conversations),
        contacts: new Map(state.cache.contacts),
        lastMessages: new Map(state.cache.lastMessages),
        unread: new Map(state.cache.unread),
      },
    };
    const after = all(panes, polled);
    for (const pane of paneNames) expect(after[pane]).toBe(before[pane]);
  });

  test('a typed key changes one row of the composer and no other pane', () => {
    const panes = make();
    const state = typed(scene(), 'two\nlines');
    const first = all(panes, state);
    const second = all(panes, typed(state, 'two\nlines!'));
    for (const pane of ['header', 'list', 'thread', 'footer'] as const) expect(second[pane]).toBe(first[pane]);
    const changed = second.composer.filter((row, i) => row !== first.composer[i]);
    expect(changed).toHaveLength(1);
  });

  test('moving in the list changes the rows of two conversations', () => {
    const panes = make();
    const state = scene({ focus: 'list', list: { ...scene().view.list, selectedId: 'c-ann' } });
    const first = all(panes, state);
    const moved: AppState = {
      ...state,
      view: { ...state.view, list: { ...state.view.list, selectedId: 'c-bob' } },
    };
    const second = all(panes, moved);
    for (const pane of ['header', 'thread', 'composer', 'footer'] as const) expect(second[pane]).toBe(first[pane]);
    const changed = second.list.flatMap((row, i) => (row === first.list[i] ? [] : [i]));
    expect(changed).toEqual([3, 4, 5, 6]);
  });

  test('scrolling by a page draws only messages that were not visible before', () => {
    const many = Array.from({ length: 600 }, (_, i) =>
      eg.message({ id: `x${i}`, conversationId: 'c-ann', text: `line ${i}`, createdAt: eg.now - (600 - i) * 1000 }),
    );
    const base = scene();
    const cache = { ...base.cache, threads: new Map([['c-ann', eg.thread(many)]]) };
    const state: AppState = { ...base, cache };
    const panes = make();
    const where = panes.layout(state);
    panes.rows('thread', state, where);
    const seen = panes.drawn();
    expect(seen).toBeLessThan(40);
    const up = panes.scroll(state, where, { pages: -1 });
    const scrolled: AppState = {
      ...state,
      view: { ...state.view, places: new Map([['c-ann', { scroll: up, selectedId: null }]]) },
    };
    panes.rows('thread', scrolled, where);
    expect(panes.drawn() - seen).toBeLessThan(40);
    const after = panes.drawn();
    panes.rows('thread', state, where);
    panes.rows('thread', scrolled, where);
    expect(panes.drawn()).toBe(after);
  });
});

describe('positions', () => {
  const long = (view: Partial<AppState['view']> = {}, older: 'end' | 'server' = 'end'): AppState => {
    const many = Array.from({ length: 80 }, (_, i) =>
      eg.message({ id: `x${i}`, conversationId: 'c-ann', text: `line ${i}`, createdAt: eg.now - (80 - i) * 1000 }),
    );
    const base = scene(view);
    return { ...base, cache: { ...base.cache, threads: new Map([['c-ann', eg.thread(many, { older })]]) } };
  };
  const at = (
    state: AppState,
    scroll: AppState['view']['places'] extends ReadonlyMap<string, infer P> ? P : never,
  ) => ({
    ...state,
    view: { ...state.view, places: new Map([['c-ann', scroll]]) },
  });
  const lines = (panes: Panes, state: AppState): string[] =>
    picture(panes, state).flatMap((row) => /line \d+/.exec(row)?.[0] ?? []);

  test('stay when history is fetched', () => {
    const panes = make();
    const state = long();
    const where = panes.layout(state);
    const read = at(state, { scroll: panes.scroll(state, where, { pages: -1 }), selectedId: null });
    const before = lines(panes, read);
    const older = Array.from({ length: 30 }, (_, i) => eg.message({ id: `o${i}`, text: `older ${i}`, createdAt: i }));
    const messages = [...older, ...(read.cache.threads.get('c-ann')?.messages ?? [])];
    const more = { ...read, cache: { ...read.cache, threads: new Map([['c-ann', eg.thread(messages)]]) } };
    expect(lines(panes, more)).toEqual(before);
  });

  test('stay when their message is removed', () => {
    const panes = make();
    const state = long();
    const read = at(state, { scroll: { at: 'message', messageId: 'x10', line: 0 }, selectedId: null });
    expect(lines(panes, read)[0]).toBe('line 10');
    const messages = (read.cache.threads.get('c-ann')?.messages ?? []).filter((message) => message.id !== 'x10');
    const less = { ...read, cache: { ...read.cache, threads: new Map([['c-ann', eg.thread(messages)]]) } };
    expect(lines(panes, less)[0]).toBe('line 11');
  });

  test('request more history before the end is reached, and only if there is more', () => {
    const panes = make();
    const far = long({}, 'server');
    const where = panes.layout(far);
    expect(panes.needsHistory(far, where)).toEqual({ older: false, newer: false });
    const top = at(far, { scroll: { at: 'message', messageId: 'x5', line: 0 }, selectedId: null });
    expect(panes.needsHistory(top, where)).toEqual({ older: true, newer: false });
    const whole = at(long(), { scroll: { at: 'message', messageId: 'x5', line: 0 }, selectedId: null });
    expect(panes.needsHistory(whole, where)).toEqual({ older: false, newer: false });
    const first = at(long(), { scroll: panes.scroll(long(), where, 'top'), selectedId: null });
    expect(panes.needsHistory(first, where)).toEqual({ older: false, newer: false });
  });

  test('show a reader further up that there are new messages', () => {
    const panes = make();
    const state = at(long(), { scroll: { at: 'message', messageId: 'x5', line: 0 }, selectedId: null });
    const unread = { ...state, cache: { ...state.cache, unread: new Map([['c-ann', 3]]) } };
    expect(picture(panes, unread).join('\n')).toContain('3 new ↓');
    expect(picture(panes, long()).join('\n')).not.toContain('↓');
  });

  test('lead the mouse to messages and conversations', () => {
    const panes = make();
    const state = long();
    const where = panes.layout(state);
    const list = panes.rows('list', state, where);
    const thread = panes.rows('thread', state, where);
    const row = thread.find((spans) => spans.some(({ text }) => text.includes('line 79'))) ?? [];
    for (const column of [0, 10, rowWidth(row) - 1])
      expect(targetAt(row, column)).toEqual({ kind: 'message', messageId: 'x79' });
    expect(targetAt(thread[0] ?? [], 5)).toEqual({ kind: 'person', of: { kind: 'contact', id: 'ann' } });
    expect(targetAt(thread[0] ?? [], rowWidth(thread[0] ?? []) - 2)).toBeNull();
    expect([0, 1, 2, 3, 4].map((y) => targetAt(list[y] ?? [], 5))).toEqual([
      null,
      { kind: 'conversation', conversationId: 'c-crew' },
      { kind: 'conversation', conversationId: 'c-crew' },
      { kind: 'conversation', conversationId: 'c-ann' },
      { kind: 'conversation', conversationId: 'c-ann' },
    ]);
  });

  test('mark the selected message on all of its rows', () => {
    const panes = make();
    const state = at(scene(), { scroll: { at: 'bottom' }, selectedId: 'a4' });
    const marked = picture(panes, state).filter((row) => row.slice(30).startsWith('│▌'));
    expect(marked).toHaveLength(4);
    expect(panes.revealPlace(state, panes.layout(state), 'a4')).toEqual({ at: 'bottom' });
  });
});

test('a composer that hides its first or last rows says how many there are', () => {
  const drawn = (lines: number, move: (draft: Draft) => Draft = (draft) => draft): string => {
    const text = Array.from({ length: lines }, (_, n) => `row ${n}`).join('\n');
    const state = typed(scene({ size: { columns: 80, rows: 24 }, focus: 'composer' }), text);
    return picture(make(), updateDraft('c-ann', move)(state), hints).join('\n');
  };
  expect(drawn(3)).not.toContain('more line');
  const shown = drawn(20);
  const first = Number(/row (\d+)/.exec(shown)?.[1]);
  expect(first).toBeGreaterThan(0);
  expect(shown).toContain(`↑ ${first} more lines`);
  expect(shown).not.toContain('↓');
  expect(drawn(300)).toContain('↑ more than 99 lines');
  const atStart = drawn(20, moveToStart);
  const last = Number([...atStart.matchAll(/row (\d+)/g)].at(-1)?.[1]);
  expect(atStart).toContain(`↓ ${19 - last} more lines`);
  expect(atStart).not.toContain('↑');
});
