/** What commands and the view read: order, names, threads with pending changes, and that nothing is made anew for nothing. */
import { beforeEach, describe, expect, test } from 'vitest';
import { setName } from '../../../src/state/local/own-names.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import {
  selectConversation,
  selectConversationName,
  selectListOrder,
  selectThreadItems,
} from '../../../src/state/select/selectors.ts';
import * as eg from '../../support/builders/eg.ts';
import { fastest } from '../../support/clocks/fastest.ts';

beforeEach(eg.restart);

const list = (state: AppState, patch: Partial<AppState['view']['list']>): AppState => ({
  ...state,
  view: { ...state.view, list: { ...state.view.list, ...patch } },
});

describe('list order', () => {
  const at = (id: string, minutes: number, fields = {}) =>
    eg.conversation({ id, lastActiveAt: eg.now - minutes * eg.minute, ...fields });

  test('lists pinned conversations first, then by activity, newest first', () => {
    const state = eg.state({ conversations: [at('old', 30), at('new', 1), at('pinned', 90, { isPinned: true })] });
    expect(selectListOrder(state)).toEqual(['pinned', 'new', 'old']);
  });

  test('uses the newest known message and the creation if there is no activity', () => {
    const silent = (id: string, createdAt: number) => eg.conversation({ id, createdAt });
    const state = eg.state({
      conversations: [silent('a', 1), silent('b', 2), silent('c', 3)],
      cache: { lastMessages: new Map([['a', eg.message({ createdAt: 9 })]]) },
    });
    expect(selectListOrder(state)).toEqual(['a', 'c', 'b']);
  });

  test('shows a pin before the server confirms it, and hides what is being deleted', () => {
    const state = eg.state({
      conversations: [at('a', 1), at('b', 2), at('c', 3)],
      local: {
        outbox: [
          eg.op({ kind: 'conversation.pin', conversationId: 'c', value: true }),
          eg.op({ kind: 'conversation.delete', conversationId: 'a' }),
        ],
      },
    });
    expect(selectListOrder(state)).toEqual(['c', 'b']);
  });

  test('shows archived conversations only in their own view', () => {
    const state = eg.state({
      conversations: [at('a', 1, { archivedAt: 5, isMuted: true }), at('b', 2, { isMuted: true })],
    });
    expect(selectListOrder(state)).toEqual(['b']);
    expect(selectListOrder(list(state, { view: 'muted' }))).toEqual(['b']);
    expect(selectListOrder(list(state, { view: 'archived' }))).toEqual(['a']);
  });

  test('narrows to unread ones, keeping the open one while it is read', () => {
    const state = eg.state({
      conversations: [at('a', 1), at('b', 2), at('c', 3)],
      cache: { unread: new Map([['b', 2]]) },
      view: { openId: 'c' },
    });
    expect(selectListOrder(list(state, { view: 'unread' }))).toEqual(['b', 'c']);
  });

  test('narrows to one group and to names that hold every word', () => {
    const state = eg.state({
      conversations: [at('a', 1, { contactId: 'ann' }), at('b', 2, { groupId: 'g' })],
      contacts: [eg.contact({ id: 'ann', username: 'Ann Wells' })],
    });
    expect(selectListOrder(list(state, { view: { groupId: 'g' } }))).toEqual(['b']);
    expect(selectListOrder(list(state, { filter: ' wel ANN' }))).toEqual(['a']);
    expect(selectListOrder(list(state, { filter: 'wells bob' }))).toEqual([]);
  });

  test('keeps its order while frozen: new conversations come last, removed ones disappear', () => {
    const state = list(eg.state({ conversations: [at('new', 0), at('b', 2), at('a', 3)] }), {
      frozenOrder: ['a', 'gone', 'b'],
    });
    expect(selectListOrder(state)).toEqual(['a', 'b', 'new']);
  });

  test('is the same array after typing, selecting and sending a message', () => {
    const state = eg.state({ conversations: [at('a', 1), at('b', 2)] });
    const order = selectListOrder(state);
    const typed = { ...state, local: { ...state.local, drafts: new Map([['a', eg.draft('x')]]) } };
    const sending = eg.op({ kind: 'message.send', conversationId: 'a', text: 'x' });
    expect(selectListOrder(list(typed, { selectedId: 'b' }))).toBe(order);
    expect(selectListOrder({ ...state, local: { ...state.local, outbox: [sending] } })).toBe(order);
    const polled = { ...state, cache: { ...state.cache, conversations: new Map(state.cache.conversations) } };
    expect(selectListOrder(polled)).toBe(order);
  });

  test('sorts 100,000 conversations once and then not again', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => at(`c${i}`, i % 977));
    const state = eg.state({ conversations: many });
    const order = selectListOrder(state);
    expect(order).toHaveLength(100_000);
    const move = (): void => {
      for (let i = 0; i < 1000; i++) expect(selectListOrder(list(state, { selectedId: `c${i}` }))).toBe(order);
    };
    expect(fastest(500, move)).toBeLessThan(500);
  });
});

describe('names', () => {
  const inConversation = (parts: eg.Parts) =>
    eg.state({ conversations: [eg.conversation({ id: 'c', contactId: 'contact-000123' })], ...parts });
  const ann = eg.contact({ id: 'contact-000123', username: 'Ann', phoneNumber: '+44 1' });

  test('of a conversation are the local name, the user name, the phone number, or the end of the id', () => {
    const named = inConversation({ contacts: [ann], local: { names: new Map([['contact-000123', 'Sis']]) } });
    expect(selectConversationName(named, 'c')).toBe('Sis');
    expect(selectConversationName(inConversation({ contacts: [ann] }), 'c')).toBe('Ann');
    expect(selectConversationName(inConversation({ contacts: [{ ...ann, username: ' ' }] }), 'c')).toBe('+44 1');
    expect(selectConversationName(inConversation({}), 'c')).toBe('Contact #000123');
  });

  test('of groups are the local name, or the end of the id', () => {
    const state = eg.state({ conversations: [eg.conversation({ id: 'c', groupId: 'g1' })] });
    expect(selectConversationName(state, 'c')).toBe('Group #g1');
    const named = { ...state, local: { ...state.local, names: new Map([['g1', 'Harbour crew']]) } };
    expect(selectConversationName(named, 'c')).toBe('Harbour crew');
  });

  test('of a person and a group with the same id are separate', () => {
    const direct = eg.conversation({ id: 'direct', contactId: '1' });
    const group = eg.conversation({ id: 'group', groupId: '1' });
    const contacts = [eg.contact({ id: '1', username: 'Ann' })];
    const shown = (state: AppState) => ['direct', 'group'].map((id) => selectConversationName(state, id));
    const state = eg.state({ conversations: [direct, group], contacts });
    const sis = setName({ kind: 'contact', id: '1' }, 'Sis')(state);
    expect(shown(sis)).toEqual(['Sis', 'Group #1']);
    expect(shown(setName({ kind: 'group', id: '1' }, 'Crew')(sis))).toEqual(['Sis', 'Crew']);
    expect(shown(setName({ kind: 'contact', id: '1' }, null)(sis))).toEqual(['Ann', 'Group #1']);
  });

  test('of an earlier version belong to both kinds until another one is given, or none', () => {
    const conversations = [
      eg.conversation({ id: 'direct', contactId: '1' }),
      eg.conversation({ id: 'group', groupId: '1' }),
    ];
    const state = eg.state({ conversations, local: { names: new Map([['1', 'Old']]) } });
    const shown = (now: AppState) => ['direct', 'group'].map((id) => selectConversationName(now, id));
    expect(shown(state)).toEqual(['Old', 'Old']);
    expect(shown(setName({ kind: 'group', id: '1' }, 'Crew')(state))).toEqual(['Old', 'Crew']);
    expect(shown(setName({ kind: 'contact', id: '1' }, null)(state))[0]).toBe('Contact #1');
  });

  test('that look like one another are shown with the id', () => {
    const twin = eg.contact({ id: 'twin', username: 'Аnn' });
    expect(selectConversationName(inConversation({ contacts: [ann, twin] }), 'c')).toBe('Ann (#000123)');
  });

  test('have no control character', () => {
    const state = inConversation({ contacts: [{ ...ann, username: 'A\u001b[31m\nB' }] });
    expect(selectConversationName(state, 'c')).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe('the thread', () => {
  const bob = eg.contact({ id: 'bob', username: 'Bob' });
  const self = eg.contact({ id: 'self', username: 'me' });
  const conversation = eg.conversation({ id: 'c', contactId: 'bob', pinnedMessageId: 'm1' });
  const m1 = eg.message({ id: 'm1', conversationId: 'c', contact: bob, text: 'one' });
  const m2 = eg.message({ id: 'm2', conversationId: 'c', contact: self, text: 'two', readAt: eg.now });
  const m3 = eg.message({ id: 'm3', conversationId: 'c', contact: self, text: 'three' });
  const make = (local: Partial<AppState['local']> = {}) =>
    eg.state({
      conversations: [conversation],
      contacts: [bob, self],
      cache: { threads: new Map([['c', eg.thread([m1, m2, m3])]]) },
      local: { me: { contactId: 'self', username: 'me' }, ...local },
    });

  test('distinguishes own messages from others, read from sent, and the pinned one', () => {
    const items = selectThreadItems(make(), 'c');
    expect(items.map(({ authorName, state, isPinned }) => [authorName, state, isPinned])).toEqual([
      ['Bob', null, true],
      ['You', 'read', false],
      ['You', 'sent', false],
    ]);
  });

  test('shows edits, reactions and deletions in the messages and ends with unsent messages', () => {
    const op = (action: Parameters<typeof eg.op>[0], fields = {}) => eg.op(action, fields);
    const at = { conversationId: 'c' };
    const state = make({
      outbox: [
        op({ kind: 'message.edit', ...at, messageId: 'm2', base: 'two', text: 'TWO' }),
        op({ kind: 'message.react', ...at, messageId: 'm1', name: '+1', present: true, confirmed: false }),
        op({ kind: 'message.delete', ...at, messageId: 'm3' }),
        op({ kind: 'message.send', ...at, text: 'four' }, { uuid: 'u4', state: 'unsure' }),
      ],
    });
    const items = selectThreadItems(state, 'c');
    expect(items.map((item) => item.id)).toEqual(['m1', 'm2', 'op:u4']);
    expect(items[0]?.reactions).toEqual([{ name: '+1', count: 1, isMine: true }]);
    expect(items[1]?.message?.text).toBe('TWO');
    expect(items[1]?.isEdited).toBe(true);
    expect(items[2]).toMatchObject({ kind: 'pending', text: 'four', state: 'unsure', isOwn: true });
  });

  test('shows how many reacted if the server does not say who, and leaves out reactions without a name', () => {
    const reactions = [
      { name: 'heart', by: ['ann'], unnamed: 2 },
      { name: '', by: [], unnamed: 1 },
    ];
    const react = { kind: 'message.react', conversationId: 'c', messageId: 'm1', name: 'heart' } as const;
    const chips = (present: boolean) => {
      const outbox = [eg.op({ ...react, present, confirmed: false })];
      const cache = { threads: new Map([['c', eg.thread([{ ...m1, reactions }])]]) };
      return selectThreadItems(eg.state({ cache, local: { outbox } }), 'c')[0]?.reactions;
    };
    expect(chips(true)).toEqual([{ name: 'heart', count: 4, isMine: true }]);
    expect(chips(false)).toEqual([{ name: 'heart', count: 3, isMine: false }]);
  });

  test('shows a refused change as it was before, with the op that failed', () => {
    const edit = eg.op(
      { kind: 'message.edit', conversationId: 'c', messageId: 'm2', base: 'two', text: 'TWO' },
      { state: 'failed' },
    );
    const item = selectThreadItems(make({ outbox: [edit] }), 'c')[1];
    expect(item?.message?.text).toBe('two');
    expect(item?.isEdited).toBe(false);
    expect(item?.op).toBe(edit);
  });

  test('shows the text of a refused edit if its message is gone or not in memory', () => {
    const action = { kind: 'message.edit', conversationId: 'c', messageId: 'gone', base: 'two', text: 'TWO' } as const;
    const items = (state: 'failed' | 'queued') =>
      selectThreadItems(make({ outbox: [eg.op(action, { uuid: 'e', state })] }), 'c').slice(3);
    expect(items('failed')).toMatchObject([{ id: 'op:e', kind: 'pending', text: 'TWO', state: 'failed' }]);
    expect(items('queued')).toEqual([]);
  });

  test('counts a later update as an edit only if no reaction explains it', () => {
    const later = { updatedAt: eg.now };
    const reacted = { ...m3, ...later, reactions: [{ name: '+1', by: ['bob'] }] };
    const state = eg.state({
      conversations: [conversation],
      cache: { threads: new Map([['c', eg.thread([{ ...m2, ...later }, reacted])]]) },
    });
    expect(selectThreadItems(state, 'c').map((item) => item.isEdited)).toEqual([true, false]);
  });

  test('is the same array while nothing shown changed, and keeps unchanged items', () => {
    const state = make();
    const items = selectThreadItems(state, 'c');
    const elsewhere = {
      ...state,
      local: { ...state.local, drafts: new Map([['c', eg.draft('x')]]) },
      cache: { ...state.cache, contacts: new Map(state.cache.contacts) },
    };
    expect(selectThreadItems(elsewhere, 'c')).toBe(items);
    const renamed = { ...m3, text: 'THREE' };
    const threads = new Map([['c', eg.thread([m1, m2, renamed])]]);
    const after = selectThreadItems({ ...state, cache: { ...state.cache, threads } }, 'c');
    expect(after[0]).toBe(items[0]);
    expect(after[1]).toBe(items[1]);
    expect(after[2]).not.toBe(items[2]);
  });
});

test('a conversation with pending changes is one object as long as they are the same', () => {
  const conversation = eg.conversation({ id: 'c' });
  const mute = eg.op({ kind: 'conversation.mute', conversationId: 'c', value: true });
  const state = eg.state({ conversations: [conversation], local: { outbox: [mute] } });
  const shown = selectConversation(state, 'c');
  expect(shown?.isMuted).toBe(true);
  const other = eg.op({ kind: 'message.send', conversationId: 'elsewhere', text: 'x' });
  expect(selectConversation({ ...state, local: { ...state.local, outbox: [mute, other] } }, 'c')).toBe(shown);
});
