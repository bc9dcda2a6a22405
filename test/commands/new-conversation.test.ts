import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { openStarted } from '../../src/commands/new-conversation.ts';
import { applyConversation } from '../../src/state/cache/conversations.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const eve = eg.conversation({ id: 'with eve', contactId: 'eve' });

/** A chat in which the conversation with Eve was asked for, unless `isAsked` is false. */
function starting(isAsked = true) {
  const w = world(chat());
  w.update((state) => ({
    ...state,
    cache: { ...state.cache, contacts: new Map(state.cache.contacts).set('eve', eg.contact({ id: 'eve' })) },
  }));
  if (isAsked) {
    w.press('ctrl+n');
    w.type('eve');
    w.press('enter');
  }
  /** Returns what is opened then. */
  const finish = (): readonly string[] => {
    const opened: string[] = [];
    w.update(applyConversation(eve));
    const openConversation = (id: string): void => void opened.push(id);
    const context = { get: w.state, update: w.update, now: () => eg.now, keyOf: () => '', openConversation };
    openStarted(context as unknown as CommandContext, eve.id);
    return opened;
  };
  return { ...w, finish };
}

describe('a conversation that the server has made', () => {
  test('is opened where it was asked for', () => {
    const w = starting();
    expect(w.finish()).toEqual([eve.id]);
  });

  test('is not opened under the fingers of somebody who goes on writing', () => {
    const w = starting();
    w.type('to ann');
    expect(w.finish()).toEqual([]);
    expect(w.notice()).toContain('is there');
  });

  test('is not opened where another program has asked for it', () => {
    const w = starting(false);
    expect(w.finish()).toEqual([]);
  });
});
