/** The order of the list is kept up by what changes: it is what sorting anew would give, and costs no more in a long list. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../src/protocol/types.ts';
import {
  applyContacts,
  applyConversations,
  applyLastMessage,
  removeConversation,
  setUnread,
} from '../../../src/state/cache/conversations.ts';
import { withEntries } from '../../../src/state/collections/sharded-map.ts';
import { shownConversation } from '../../../src/state/local/optimistic-values.ts';
import { addOp, removeOp } from '../../../src/state/local/outbox.ts';
import type { AppState, ListState } from '../../../src/state/model/app-state.ts';
import { selectListOrder } from '../../../src/state/select/listed-conversations.ts';
import { selectConversationName } from '../../../src/state/select/names.ts';
import type { Transition } from '../../../src/state/store.ts';
import * as eg from '../../support/builders/eg.ts';

const setList =
  (list: Partial<ListState>): Transition =>
  (state) => ({ ...state, view: { ...state.view, list: { ...state.view.list, ...list } } });

/** Sorted anew, as the list is described. */
function expected(state: AppState): readonly string[] {
  const { cache, local, view } = state;
  const at = (one: Conversation): number =>
    one.lastActiveAt ?? cache.lastMessages.get(one.id)?.createdAt ?? one.createdAt ?? 0;
  const isSeen = (one: Conversation): boolean => {
    if (view.list.view === 'archived' || one.archivedAt !== null)
      return (view.list.view === 'archived') === (one.archivedAt !== null);
    if (view.list.view === 'unread') return one.id === view.openId || cache.unread.has(one.id);
    return view.list.view === 'pinned' ? one.isPinned : true;
  };
  const ids = [...cache.conversations.values()]
    .flatMap((one) => shownConversation(one, local.outbox) ?? [])
    .filter(isSeen)
    .sort((a, b) => Number(b.isPinned) - Number(a.isPinned) || at(b) - at(a) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  const { frozenOrder } = view.list;
  if (frozenOrder === null) return ids;
  return [...frozenOrder.filter((id) => ids.includes(id)), ...ids.filter((id) => !frozenOrder.includes(id))];
}

const id = fc.integer({ min: 0, max: 30 }).map((index) => `c${index}`);
const time = fc.integer({ min: 0, max: 6 }).map((step) => eg.now - step * 1_000);

const conversation = fc
  .record({ id, isPinned: fc.boolean(), lastActiveAt: fc.option(time), archivedAt: fc.option(time) })
  .map((fields) => eg.conversation(fields));

const step: fc.Arbitrary<Transition> = fc.oneof(
  fc.array(conversation, { maxLength: 20 }).map((list) => applyConversations(list)),
  id.map((one) => removeConversation(one)),
  fc
    .tuple(id, time)
    .map(([one, createdAt]) => applyLastMessage(one, eg.message({ id: `${one} ${createdAt}`, createdAt }))),
  fc.tuple(id, fc.integer({ min: 0, max: 2 })).map(([one, count]) => setUnread(one, count)),
  fc
    .tuple(id, fc.boolean())
    .map(([conversationId, value]) =>
      addOp(eg.op({ kind: 'conversation.pin', conversationId, value }, { uuid: `pin ${conversationId}` })),
    ),
  id.map((conversationId) =>
    addOp(eg.op({ kind: 'conversation.delete', conversationId }, { uuid: `gone ${conversationId}` })),
  ),
  id.map((one) => removeOp(`pin ${one}`)),
  id.map((one) => removeOp(`gone ${one}`)),
  id.map(
    (openId): Transition =>
      (state) => ({ ...state, view: { ...state.view, openId } }),
  ),
  fc
    .constantFrom('all', 'unread', 'archived', 'pinned')
    .map((view) => setList({ view, frozenOrder: null } as Partial<ListState>)),
  fc.constant<Transition>((state) => setList({ frozenOrder: selectListOrder(state) })(state)),
  fc.constant<Transition>(setList({ frozenOrder: null })),
);

test('the list is the same as one that is sorted anew, after any changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state = eg.state({ conversations: [] });
      for (const change of steps) {
        state = change(state);
        expect(selectListOrder(state)).toEqual(expected(state));
      }
    }),
    { numRuns: 500 },
  );
});

test('new conversations of a frozen list are in the order of the list, whichever came first', () => {
  const apply = (one: string, lastActiveAt: number): Transition =>
    applyConversations([eg.conversation({ id: one, lastActiveAt })]);
  const order: readonly string[] = ['c5'];
  let state = setList({ frozenOrder: order })(eg.state({ conversations: [eg.conversation({ id: 'c5' })] }));
  for (const change of [apply('c0', eg.now - 1_000), apply('c1', eg.now)]) {
    state = change(state);
    expect(selectListOrder(state)).toEqual(expected(state));
  }
  expect(selectListOrder(state)).toEqual(['c5', 'c1', 'c0']);
});

describe('in a list of 20,000 conversations', () => {
  let reads = 0;
  /** Counts how often its place is asked for. */
  const counted = (index: number, at: number): Conversation =>
    Object.defineProperty(eg.conversation({ id: `c${index}` }), 'lastActiveAt', {
      enumerable: true,
      get: () => {
        reads += 1;
        return at;
      },
    });
  const many = Array.from({ length: 20_000 }, (_, index) => counted(index, eg.now - index * 1_000));
  const state = eg.state({
    cache: {
      conversations: withEntries(
        new Map(),
        many.map((one) => [one.id, one]),
      ),
    },
  });

  const readsOf = (change: Transition): number => {
    const before = selectListOrder(state);
    const changed = change(state);
    reads = 0;
    expect(selectListOrder(changed)).not.toBe(before);
    return reads;
  };

  test.each([
    ['one that moves up', applyConversations([counted(15_000, eg.now + 1)])],
    ['one that is new', applyConversations([counted(20_001, eg.now - 7_500)])],
    ['one that is gone', removeConversation('c9000')],
    ['a pin on its way', addOp(eg.op({ kind: 'conversation.pin', conversationId: 'c700', value: true }))],
  ])('few are compared for %s', (_, change) => {
    // Halving twice, and comparing what changed.
    expect(readsOf(change)).toBeLessThan(150);
  });

  test('few are compared for a page of the list', () => {
    const page = Array.from({ length: 100 }, (_, index) => counted(30_000 + index, eg.now - index * 50_000));
    expect(readsOf(applyConversations(page))).toBeLessThan(100 * 60);
  });

  test('none is compared for a move, or for a message in the most recent one', () => {
    const order = selectListOrder(state);
    reads = 0;
    let now = setList({ selectedId: 'c4', frozenOrder: order })(state);
    now = applyLastMessage('c5', eg.message({ id: 'm5' }))(now);
    expect(selectListOrder(now)).toBe(order);
    // Whether it is active by itself is the one question.
    expect(reads).toBe(1);
  });
});

test('a name is marked as soon as another looks like it, and no longer', () => {
  const pair = [eg.conversation({ id: 'c1', contactId: 'k1' }), eg.conversation({ id: 'c2', contactId: 'k2' })];
  const alone = eg.state({ conversations: pair, contacts: [eg.contact({ id: 'k1', username: 'paypal' })] });
  expect(selectConversationName(alone, 'c1')).toBe('paypal');
  const both = applyContacts([eg.contact({ id: 'k2', username: 'раypal' })])(alone);
  expect(selectConversationName(both, 'c1')).toBe('paypal (#k1)');
  expect(selectConversationName(both, 'c2')).toContain('(#k2)');
  const renamed = applyContacts([eg.contact({ id: 'k2', username: 'Bob' })])(both);
  expect(selectConversationName(renamed, 'c1')).toBe('paypal');
  // Asked about an earlier state again.
  expect(selectConversationName(both, 'c1')).toBe('paypal (#k1)');
});
