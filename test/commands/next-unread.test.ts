import { expect, test } from 'vitest';
import { applyConversations, setEmpty } from '../../src/state/cache/conversations.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { setScroll } from '../../src/state/view/thread-place.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const unreadCrew = (state: AppState): AppState => ({
  ...state,
  cache: { ...state.cache, unread: new Map([['crew', 1]]) },
});

test('the next unread conversation opens where unread begins, and not where it was left; the nth one opens where it was left', () => {
  const left = { at: 'message', messageId: 'm1', line: 0 } as const;
  const scrollAfter = (key: string) => {
    const w = world(chat());
    w.update((state) => setScroll('crew', left)(unreadCrew(state)));
    w.press(key);
    expect(w.state().view.openId).toBe('crew');
    return selectPlace(w.state(), 'crew').scroll;
  };
  expect(scrollAfter('alt+a')).toEqual({ at: 'bottom' });
  expect(scrollAfter('alt+2')).toEqual(left);
});

test('each stop says how many are left, and after the last one the user returns to where the walk began', () => {
  const w = world(chat());
  const left = { at: 'message', messageId: 'm1', line: 0 } as const;
  w.update(setScroll('with ann', left));
  const unread = (counts: Readonly<Record<string, number>>) =>
    w.update((state) => ({ ...state, cache: { ...state.cache, unread: new Map(Object.entries(counts)) } }));
  unread({ crew: 1, 'with bob': 1 });
  w.press('alt+a');
  const first = w.state().view.openId ?? '';
  expect(w.notice()).toBe('1 left after this one');
  unread({ [first === 'crew' ? 'with bob' : 'crew']: 1 });
  w.press('alt+a');
  expect(w.notice()).toBe('None left after this one');
  unread({});
  w.press('alt+a');
  expect([w.state().view.openId, w.notice()]).toEqual([
    'with ann',
    'Nothing else is unread in this list: back to where you were',
  ]);
  expect(selectPlace(w.state(), 'with ann').scroll).toEqual(left);
  w.press('alt+a');
  expect([w.state().view.openId, w.notice()]).toEqual(['with ann', 'Nothing else is unread in this list']);
});

test('a walk that began in the list ends in the composer, as does every key that opens a conversation', () => {
  const w = world(chat({ focus: 'list' }));
  w.update(unreadCrew);
  w.press('alt+a');
  w.update((state) => ({ ...state, cache: { ...state.cache, unread: new Map() } }));
  w.press('alt+a');
  expect([w.state().view.openId, w.state().screen.focus]).toEqual(['with ann', 'composer']);
});

test('what was said about the walk goes when another conversation is opened', () => {
  const w = world(chat());
  w.update(unreadCrew);
  w.press('alt+a');
  expect(w.notice()).toBe('None left after this one');
  w.press('alt+/');
  expect([w.state().view.openId, w.notice()]).toEqual(['with ann', undefined]);
});

test('a walk that was ended by opening another conversation does not lead back', () => {
  const w = world(chat());
  w.update(unreadCrew);
  w.press('alt+a', 'alt+/', 'alt+down');
  w.update((state) => ({ ...state, cache: { ...state.cache, unread: new Map() } }));
  const { openId } = w.state().view;
  w.press('alt+a');
  expect([w.state().view.openId, w.notice()]).toEqual([openId, 'Nothing else is unread in this list']);
});

test('going through unread conversations with none open at the start ends in the last one', () => {
  const w = world(chat());
  w.update((state) => ({ ...unreadCrew(state), view: { ...state.view, openId: null } }));
  w.press('alt+a');
  w.update((state) => ({ ...state, cache: { ...state.cache, unread: new Map([['with bob', 1]]) } }));
  w.press('alt+a');
  w.update((state) => ({ ...state, cache: { ...state.cache, unread: new Map() } }));
  w.press('alt+a');
  expect([w.state().view.openId, w.notice()]).toEqual(['with bob', 'Nothing else is unread in this list']);
});

test('a conversation that stays unread comes once in a walk, whose end says that it is not read to the end', () => {
  const w = world(chat());
  const unread = (...ids: string[]) =>
    w.update((state) => ({ ...state, cache: { ...state.cache, unread: new Map(ids.map((id) => [id, 9])) } }));
  unread('crew', 'with bob');
  const stops = () => {
    w.press('alt+a');
    return [w.state().view.openId, w.notice()];
  };
  for (let walk = 0; walk < 2; walk++) {
    expect(stops()).toEqual(['crew', '1 left after this one']);
    expect(stops()).toEqual(['with bob', 'None left after this one']);
    expect(stops()).toEqual(['with ann', '2 conversations are not read to the end yet: back to where you were']);
  }
  stops();
  stops();
  unread('with bob');
  expect(stops()).toEqual(['with ann', 'One conversation is not read to the end yet: back to where you were']);
});

test('conversations of which no message is known may be unread, unless the list shows that they were opened since', () => {
  const w = world(chat());
  w.update(
    applyConversations([eg.conversation({ id: 'new', contactId: 'cyd', lastActiveAt: null, lastOpenedAt: null })]),
  );
  const opened = (lastOpenedAt: number | null, ...ids: string[]) =>
    w.update((state) => {
      const conversations = new Map(state.cache.conversations);
      for (const id of ids) conversations.set(id, { ...conversations.get(id)!, lastOpenedAt });
      return { ...state, cache: { ...state.cache, conversations } };
    });
  const said = () => {
    w.press('alt+a');
    return w.notice();
  };
  const known = 'Nothing else in this list is known to be unread; the messages of';
  expect(said()).toBe('Nothing else is unread in this list');
  opened(null, 'crew');
  expect(said()).toBe(`${known} one conversation are not here yet`);
  opened(eg.now - 3 * eg.hour, 'with bob');
  expect(said()).toBe(`${known} 2 conversations are not here yet`);
  w.update(setEmpty(['crew', 'with bob'], true));
  expect(said()).toBe('Nothing else is unread in this list');
});

test('a stop says that more may be left while messages or conversations are still to come', () => {
  const said = (change: (state: AppState) => AppState, ...ids: string[]) => {
    const w = world(chat());
    w.update((state) => change({ ...state, cache: { ...state.cache, unread: new Map(ids.map((id) => [id, 1])) } }));
    w.press('alt+a');
    return w.notice();
  };
  const unopened = (state: AppState): AppState => {
    const conversations = new Map(state.cache.conversations);
    conversations.set('with bob', { ...conversations.get('with bob')!, lastOpenedAt: null });
    return { ...state, cache: { ...state.cache, conversations } };
  };
  const partOfList = (state: AppState): AppState => ({
    ...state,
    view: { ...state.view, connection: { ...state.view.connection, listRest: 'coming' } },
  });
  for (const change of [unopened, partOfList]) {
    expect(said(change, 'crew', 'with bob')).toBe('At least 1 left after this one');
    expect(said(change, 'crew')).toBe('No other is known to be unread yet');
  }
});
