import { describe, expect, test } from 'vitest';
import type { Op } from '../../src/state/model/app-state.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const send = (uuid: string, conversationId: string, state: Op['state'], seq: number) =>
  eg.op({ kind: 'message.send', conversationId, text: `words ${uuid}` }, { uuid, state, seq });

describe('the next message that failed or is unsure', () => {
  test('is found in any conversation, one after the other', () => {
    const outbox = [
      send('q', 'with ann', 'queued', 1),
      send('f', 'with ann', 'failed', 2),
      send('u', 'crew', 'unsure', 3),
    ];
    const w = world(chat({ focus: 'list' }, { outbox }));
    const selected = () => [
      w.state().view.openId,
      selectPlace(w.state(), w.state().view.openId ?? '').selectedId,
      w.state().screen.focus,
    ];
    w.press('!');
    expect(selected()).toEqual(['with ann', 'op:f', 'messages']);
    w.press('!');
    expect(selected()).toEqual(['crew', 'op:u', 'messages']);
    w.press('alt+!');
    expect(selected()).toEqual(['with ann', 'op:f', 'messages']);
    expect(w.calls).toContain('open "crew"');
  });

  test('is the selected one where the keyboard has left the messages', () => {
    const w = world(chat({ focus: 'messages' }, { outbox: [send('f', 'with ann', 'failed', 1)] }));
    w.press('!');
    w.press('tab');
    expect(w.state().screen.focus).toBe('composer');
    w.press('alt+!');
    expect(w.state().screen.focus).toBe('messages');
    expect(w.notice()).toBeUndefined();
  });

  test('gives a notice if there is none, and in the composer ! is text', () => {
    const w = world(chat({ focus: 'messages' }, { outbox: [send('q', 'with ann', 'queued', 1)] }));
    w.press('!');
    expect(w.notice()).toBe('No message has failed or is unsure');
    const one = world(chat({ focus: 'messages' }, { outbox: [send('f', 'with ann', 'failed', 1)] }));
    one.press('!', '!');
    expect(one.notice()).toBe('No other message has failed or is unsure');
    const writing = world(chat({}, { outbox: [send('f', 'with ann', 'failed', 1)] }));
    writing.type('!');
    expect(writing.draft().text).toBe('!');
    expect(writing.state().screen.focus).toBe('composer');
  });

  test('says where the first message of a conversation is that could not be started, as no thread shows it', () => {
    const first = { text: 'first words' };
    const create = eg.op({ kind: 'conversation.create', contactId: 'x', groupId: null, first }, { state: 'failed' });
    const w = world(chat({ focus: 'list' }, { outbox: [create] }));
    w.press('!');
    expect(w.notice()).toContain('its first message is kept: see msg-tui outbox list');
  });

  test('a failed edit is found at its message', () => {
    const edit = eg.op(
      { kind: 'message.edit', conversationId: 'with ann', messageId: 'm2', base: 'Hi Ann', text: 'Hi' },
      { uuid: 'e', state: 'failed' },
    );
    const w = world(chat({ focus: 'messages' }, { outbox: [edit] }));
    w.press('!');
    expect(selectPlace(w.state(), 'with ann').selectedId).toBe('m2');
  });
});
