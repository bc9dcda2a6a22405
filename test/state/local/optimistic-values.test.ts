import { describe, expect, test } from 'vitest';
import { shownConversation, shownMessage } from '../../../src/state/local/optimistic-values.ts';
import { opsOf } from '../../../src/state/local/outbox.ts';
import type { Op, OpAction } from '../../../src/state/model/app-state.ts';
import { initialState } from '../../../src/state/store.ts';
import * as eg from '../../support/builders/eg.ts';

const conversation = (id: string) => eg.conversation({ id, contactId: 'ann' });
const message = eg.message({
  id: 'm1',
  conversationId: 'c1',
  contact: eg.contact({ id: 'ann' }),
  text: 'hello',
  createdAt: 5,
  reactions: [{ name: 'heart', by: ['ann'] }],
});
const op = (action: OpAction, patch: Partial<Op> = {}): Op =>
  eg.op(action, { uuid: 'u1', seq: 1, created: 0, ...patch });
const mute = op({ kind: 'conversation.mute', conversationId: 'c1', value: true });

describe('what is shown', () => {
  test('without ops are the cached objects themselves', () => {
    const held = conversation('c1');
    expect(shownConversation(held, [])).toBe(held);
    expect(shownMessage(message, [])).toBe(message);
    const state = initialState();
    expect(opsOf(state, 'c1')).toBe(opsOf(state, 'c2'));
  });

  test('shows pending changes and stores none', () => {
    const react = op({
      kind: 'message.react',
      conversationId: 'c1',
      messageId: 'm1',
      name: 'heart',
      present: true,
      confirmed: true,
    });
    const edit = op({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'hello', text: 'bye' });
    const shown = shownMessage(message, [react, edit], ['me']);
    expect(shown.text).toBe('bye');
    expect(shown.reactions).toEqual([{ name: 'heart', by: ['ann', 'me'] }]);
    expect(message.text).toBe('hello');
    expect(shownConversation(conversation('c1'), [mute])?.isMuted).toBe(true);
  });

  test('of a failed op is marked but not applied', () => {
    const gone = op({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' }, { state: 'failed' });
    expect(shownMessage(message, [gone]).marks).toMatchObject({ deletion: gone, isHidden: false });
    expect(shownMessage(message, [{ ...gone, state: 'queued' }]).marks?.isHidden).toBe(true);
  });
});
