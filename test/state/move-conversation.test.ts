import { expect, test } from 'vitest';
import { startEditing } from '../../src/state/drafts.ts';
import { moveConversation } from '../../src/state/move-conversation.ts';
import type { AppState, Draft, Place } from '../../src/state/state.ts';
import * as eg from '../support/eg.ts';

const place: Place = { scroll: { at: 'message', messageId: 'm1', line: 2 }, selectedId: 'm1' };

function begun(): AppState {
  const state = eg.state({});
  return {
    cache: {
      ...state.cache,
      conversations: new Map(
        [eg.conversation({ id: 'old' }), eg.conversation({ id: 'new' })].map((one) => [one.id, one]),
      ),
    },
    local: {
      ...state.local,
      opened: 'old',
      drafts: new Map([['old', eg.draft('words')]]),
      readLines: new Map([['old', { messageId: null, at: 5 }]]),
    },
    view: {
      ...state.view,
      openId: 'old',
      previousId: 'old',
      visited: ['x', 'old', 'new'],
      places: new Map([['old', place]]),
      list: { ...state.view.list, selectedId: 'old', topId: 'old', frozenOrder: ['new', 'x', 'old'] },
      overlays: [
        { kind: 'react', conversationId: 'old', messageId: 'm1', query: '', selected: 0 },
        { kind: 'find', conversationId: 'old', here: 'old', query: '', selected: 0, found: null },
      ],
      connection: { ...state.view.connection, loading: new Set(['old']), failures: new Map([['old', 'not found']]) },
    },
  };
}

const moved = moveConversation('old', 'new');

test('what is open, selected and asked is about the other id', () => {
  const { cache, local, view } = moved(begun());
  expect([...cache.conversations.keys()]).toEqual(['new']);
  expect(local.opened).toBe('new');
  expect(local.readLines.get('new')).toEqual({ messageId: null, at: 5 });
  expect(view).toMatchObject({ openId: 'new', previousId: 'new', visited: ['x', 'new'] });
  expect(view.list).toMatchObject({ selectedId: 'new', topId: 'new', frozenOrder: ['new', 'x'] });
  expect(view.places.get('new')).toBe(place);
  expect(view.overlays).toMatchObject([{ conversationId: 'new' }, { conversationId: 'new', here: 'new' }]);
  expect(JSON.stringify([[...local.drafts], [...local.readLines], [...view.places], view])).not.toContain('"old"');
  expect([...view.connection.loading, ...view.connection.failures]).toEqual([]);
});

const withDrafts = (...drafts: readonly (readonly [string, Draft])[]): AppState => {
  const state = begun();
  return moved({ ...state, local: { ...state.local, drafts: new Map(drafts) } });
};

test.each([
  [eg.draft(''), eg.draft('words'), 'words'],
  [eg.draft('there'), eg.draft(''), 'there'],
  [eg.draft('there'), eg.draft('words'), 'there\nwords'],
] as const)('no words of a draft go', (held, mine, text) => {
  const { drafts } = withDrafts(['new', held], ['old', mine]).local;
  expect(drafts.get('new')?.text).toBe(text);
  expect(drafts.has('old')).toBe(false);
});

test('words are not put into a message that is being edited', () => {
  const edited = startEditing(eg.draft('begun'), 'm1', 'base');
  expect(withDrafts(['new', edited], ['old', eg.draft('words')]).local.drafts.get('new')).toMatchObject({
    text: 'base',
    editing: { messageId: 'm1', stash: 'begun\nwords' },
  });
});

test('where nothing is known of the old id nothing changes for the others', () => {
  const state = begun();
  const { local, view } = moveConversation('nobody', 'new')(state);
  expect([...local.drafts]).toEqual([...state.local.drafts]);
  expect(view).toEqual(state.view);
});
