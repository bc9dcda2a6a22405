import { describe, expect, test } from 'vitest';
import { draftOf, startEditing } from '../../../src/state/composer/drafts.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import { filterList } from '../../../src/state/search/list-search.ts';
import { selectListOrder, selectPlace } from '../../../src/state/select/selectors.ts';
import { leaveLayer } from '../../../src/state/view/escape.ts';
import { setFilter, setListView, startFilter, stepInList, viewAfter } from '../../../src/state/view/list-place.ts';
import { addNotice, endRefusal } from '../../../src/state/view/notices.ts';
import {
  closeOverlays,
  moveChoice,
  popOverlay,
  pushOverlay,
  scrollOverlay,
  setTyped,
  topOverlay,
} from '../../../src/state/view/overlays.ts';
import { selectMessage, setScroll, stepTarget } from '../../../src/state/view/thread-place.ts';
import { closeInView, cycleFocus, openInView, setFocus, setSize } from '../../../src/state/view/view.ts';
import * as eg from '../../support/builders/eg.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id, index) =>
  eg.conversation({ id, contactId: `of ${id}`, lastActiveAt: eg.now - index * eg.hour }),
);
const state = eg.state({ conversations: [a!, b!, c!], view: { openId: 'a' } });
const run = (from: AppState, ...steps: ((state: AppState) => AppState)[]): AppState =>
  steps.reduce((now, step) => step(now), from);

describe('focus', () => {
  test('goes through the panes in both directions', () => {
    expect(cycleFocus(1)(state).screen.focus).toBe('messages');
    expect(run(state, cycleFocus(1), cycleFocus(1), cycleFocus(1)).screen.focus).toBe('list');
    expect(cycleFocus(-1)(state).screen.focus).toBe('composer');
  });

  test('stays in the list while nothing is open', () => {
    const closed = closeInView(setFocus('composer')(state));
    expect(closed).toMatchObject({ view: { openId: null, previousId: 'a' }, screen: { focus: 'list' } });
    expect(setFocus('composer')(closed)).toBe(closed);
    expect(cycleFocus(1)(closed)).toBe(closed);
  });

  test('opening remembers the previous conversation and selects the new one', () => {
    const opened = openInView('b')(state);
    expect(opened).toMatchObject({ view: { openId: 'b', previousId: 'a' }, screen: { focus: 'list' } });
    expect(opened.view.list.selectedId).toBe('b');
    expect(openInView('b')(opened)).toBe(opened);
  });

  test('the same size returns the same state', () => {
    expect(setSize({ columns: 80, rows: 24 })(state)).toBe(state);
    expect(setSize({ columns: 81, rows: 24 })(state).screen.size.columns).toBe(81);
  });
});

describe('the list', () => {
  const order = selectListOrder(state);

  test('the selection stops at both ends', () => {
    const selected = (step: 'next' | 'previous' | 'first' | 'last', from: string | null) =>
      stepInList(order, step)(eg.state({ view: { list: { ...state.view.list, selectedId: from } } })).view.list
        .selectedId;
    expect(order).toEqual(['a', 'b', 'c']);
    expect([selected('next', 'a'), selected('next', 'c')]).toEqual(['b', 'c']);
    expect([selected('previous', 'b'), selected('previous', 'a')]).toEqual(['a', 'a']);
    expect([selected('first', 'c'), selected('last', 'a')]).toEqual(['a', 'c']);
    // Without a selection the keyboard is on the first one, which the list shows as selected.
    expect([selected('next', null), selected('previous', 'gone')]).toEqual(['b', 'a']);
    expect(stepInList([], 'next')(state)).toBe(state);
  });

  test('the selection moves to the neighbour of a conversation that is gone', () => {
    const moved = stepInList(order, 'next')(state);
    const left = {
      ...moved,
      cache: { ...moved.cache, conversations: new Map([['a', a!] as const, ['c', c!] as const]) },
    };
    const selected = (step: 'next' | 'previous') => stepInList(selectListOrder(left), step)(left).view.list.selectedId;
    expect(moved.view.list.selectedId).toBe('b');
    expect([selected('next'), selected('previous')]).toEqual(['c', 'a']);
    const onlyA = { ...left, cache: { ...left.cache, conversations: new Map([['a', a!] as const]) } };
    expect(stepInList(selectListOrder(onlyA), 'next')(onlyA).view.list.selectedId).toBe('a');
  });

  test('the order is kept from the first move until the focus leaves', () => {
    const moved = stepInList(order, 'next')(state);
    const busy = new Map(moved.cache.conversations).set('c', { ...c!, lastActiveAt: eg.now + eg.hour });
    const polled = { ...moved, cache: { ...moved.cache, conversations: busy } };
    expect(selectListOrder(polled)).toEqual(['a', 'b', 'c']);
    expect(selectListOrder(setFocus('composer')(polled))).toEqual(['c', 'a', 'b']);
    expect(selectListOrder(setListView('all')(polled))).toEqual(['c', 'a', 'b']);
    expect(setFilter('of')(polled).view.list.frozenOrder).toBe(null);
  });

  test('the views follow one another, and the last leads to all', () => {
    const seen: unknown[] = [];
    let view = state.view.list.view;
    for (let i = 0; i < 5; i++) {
      view = viewAfter(view);
      seen.push(view);
    }
    expect(seen).toEqual(['unread', 'pinned', 'muted', 'archived', 'all']);
  });

  test('a filter selects its first match, and ends when it is deleted', () => {
    const named = eg.state({
      conversations: [a!, b!],
      contacts: [eg.contact({ id: 'of a', username: 'Ann' }), eg.contact({ id: 'of b', username: 'Bob' })],
      view: { openId: 'a' },
    });
    const filtered = run(named, startFilter, filterList('bo'));
    expect(selectListOrder(filtered)).toEqual(['b']);
    expect(filtered.view.list.selectedId).toBe('b');
    expect(filterList('bo')(filtered)).toBe(filtered);
  });
});

describe('positions in threads', () => {
  const day = 24 * eg.hour;
  const items = [0, 1, day, day + 1, day + 2, 2 * day].map((after, index) => ({
    id: `m${index}`,
    createdAt: eg.now - 3 * day + after,
  }));

  test('move by message, to the ends and by day', () => {
    const from = (id: string | null, step: Parameters<typeof stepTarget>[2]) => stepTarget(items, id, step);
    expect([from('m1', 'next'), from('m5', 'next')]).toEqual(['m2', 'm5']);
    expect([from('m1', 'previous'), from('m0', 'previous')]).toEqual(['m0', 'm0']);
    expect([from('m3', 'first'), from('m3', 'last')]).toEqual(['m0', 'm5']);
    expect([from('m0', 'next-day'), from('m3', 'next-day'), from('m5', 'next-day')]).toEqual(['m2', 'm5', 'm5']);
    expect([from('m4', 'previous-day'), from('m2', 'previous-day'), from('m1', 'previous-day')]).toEqual([
      'm2',
      'm0',
      'm0',
    ]);
    expect([from(null, 'previous'), from('gone', 'next')]).toEqual(['m5', 'm5']);
    expect(stepTarget([], null, 'next')).toBe(null);
  });

  test('are kept by conversation, and the same place is the same state', () => {
    const scroll = { at: 'message', messageId: 'm0', line: 2 } as const;
    const placed = run(state, selectMessage('a', 'm1'), setScroll('a', scroll));
    expect(selectPlace(placed, 'a')).toEqual({ scroll, selectedId: 'm1' });
    expect(selectPlace(placed, 'b').selectedId).toBe(null);
    expect(setScroll('a', scroll)(placed)).toBe(placed);
    expect(setScroll('b', { at: 'bottom' })(placed)).toBe(placed);
    expect(selectMessage('a', 'm1')(placed)).toBe(placed);
  });
});

describe('overlays', () => {
  const picker = { kind: 'reaction-picker', conversationId: 'a', messageId: 'm', typed: '', selected: 0 } as const;

  test('open and close as a stack', () => {
    const two = run(
      state,
      pushOverlay({ kind: 'help', typed: '', selected: 0 }),
      pushOverlay({ kind: 'token', typed: '' }),
    );
    expect(topOverlay(two)?.kind).toBe('token');
    expect(topOverlay(popOverlay(two))?.kind).toBe('help');
    expect(popOverlay(state)).toBe(state);
  });

  test('are closed together as one by one: what was only tried in the settings is taken back', () => {
    const settings = {
      kind: 'settings',
      typed: '',
      selected: 0,
      page: null,
      tried: { mouse: false },
      before: { mouse: true },
    } as const;
    const trying = { ...state, settings: { ...state.settings, mouse: false } };
    const open = run(trying, pushOverlay({ ...settings, remark: null }), pushOverlay({ kind: 'token', typed: '' }));
    const closed = closeOverlays(open);
    expect([closed.screen.overlays, closed.settings.mouse]).toEqual([[], true]);
    expect(closeOverlays(state)).toBe(state);
  });

  test('pass typed text to the top one, which selects its first row', () => {
    const open = pushOverlay({ ...picker, typed: 'a', selected: 3 })(state);
    expect(topOverlay(setTyped('ab')(open))).toMatchObject({ typed: 'ab', selected: 0 });
    expect(setTyped('a')(open)).toBe(open);
    expect(setTyped('x')(state)).toBe(state);
    const token = pushOverlay({ kind: 'token', typed: '' })(state);
    expect(topOverlay(setTyped('secret')(token))).toMatchObject({ typed: 'secret' });
  });

  test('keep the choice among the rows, and a page within its rows', () => {
    const open = pushOverlay(picker)(state);
    expect(topOverlay(moveChoice(5, 3)(open))).toMatchObject({ selected: 2 });
    expect(moveChoice(-1, 3)(open)).toBe(open);
    expect(moveChoice(1, 0)(open)).toBe(open);
    const notices = pushOverlay({ kind: 'notices', scroll: 0 })(state);
    expect(topOverlay(scrollOverlay(99, 7)(notices))).toMatchObject({ scroll: 7 });
  });
});

describe('Esc closes one layer at a time', () => {
  test('closes the overlay, then the selection of text, then the edit, and then does nothing', () => {
    const draft = { ...startEditing(eg.draft('unsent'), 'm1', 'sent'), anchor: 0 };
    const full = eg.state({
      conversations: [a!],
      local: { drafts: new Map([['a', draft]]) },
      view: { openId: 'a' },
      screen: { focus: 'composer', overlays: [{ kind: 'help', typed: '', selected: 0 }] },
    });
    const closed = leaveLayer(full);
    expect(closed.screen.overlays).toEqual([]);
    expect(draftOf(closed, 'a')).toBe(draft);
    const deselected = leaveLayer(closed);
    expect(draftOf(deselected, 'a')).toMatchObject({ anchor: null, text: 'sent', editing: { messageId: 'm1' } });
    const cancelled = leaveLayer(deselected);
    expect(draftOf(cancelled, 'a')).toMatchObject({ text: 'unsent', editing: null });
    expect(leaveLayer(cancelled)).toBe(cancelled);
  });

  test('returns from the messages to the composer, with no message selected', () => {
    const left = leaveLayer(run(state, setFocus('messages'), selectMessage('a', 'm1')));
    expect(left.screen.focus).toBe('composer');
    expect(selectPlace(left, 'a').selectedId).toBe(null);
  });

  test('closes the filter, and then returns to the composer', () => {
    const filtered = run(state, startFilter, filterList('x'));
    const cleared = leaveLayer(filtered);
    expect(cleared.view.list).toMatchObject({ filter: '' });
    expect(cleared.view.list.isFiltering).toBe(undefined);
    expect(cleared.screen.focus).toBe('list');
    expect(leaveLayer(cleared).screen.focus).toBe('composer');
  });

  test('returns from the composer to the list on a narrow screen', () => {
    const narrow = run(state, setSize({ columns: 60, rows: 20 }), setFocus('composer'));
    expect(leaveLayer(narrow).screen.focus).toBe('list');
  });
});

test('the end of a refusal shows what stays until it is resolved or can be taken back, and no other notice that it had covered', () => {
  const notice = { tone: 'info', at: 0, until: 5_000 } as const;
  const added = [
    addNotice({ ...notice, text: 'Not saved', about: 'disk', until: null }),
    addNotice({ ...notice, text: 'Is sent in 5 s; Esc brings it back', about: 'held' }),
    addNotice({ ...notice, text: 'Hit 1 of 3', about: 'hit' }),
    addNotice({ ...notice, text: 'This is the first hit', about: 'command', isRefusal: true }),
  ].reduce((state, add) => add(state), eg.state());
  const texts = ({ screen }: AppState) => screen.notices.map(({ text }) => text);
  expect(texts(endRefusal(added))).toEqual(['Not saved', 'Is sent in 5 s; Esc brings it back']);
  const later = addNotice({ ...notice, text: 'Muted', about: 'mute' })(added);
  expect(texts(endRefusal(later))).toEqual(['Not saved', 'Is sent in 5 s; Esc brings it back', 'Muted']);
  const none = endRefusal(added);
  expect(endRefusal(none)).toBe(none);
});
