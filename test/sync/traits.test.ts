/** What is learned of a server is observed in answers, kept one by one, and stays forgotten once it was. */
import { describe, expect, test } from 'vitest';
import type { TraitName } from '../../src/protocol/traits.ts';
import { noTraits, traitChanges, withTraitChanges } from '../../src/protocol/traits.ts';
import { mergeLocal } from '../../src/state/merge-local.ts';
import { initialState } from '../../src/state/store.ts';
import { apiFault } from '../support/fake-service.ts';
import { type SyncWorld, syncWorld } from '../support/sync-world.ts';

async function ready(options: { readonly revealReading?: boolean } = {}): Promise<SyncWorld> {
  const world = syncWorld(options);
  world.service.addConversation('c1');
  world.service.addConversation('c2', { contactId: 'bob' });
  world.service.say('c1', 'unread');
  await world.clock.advance(10_000);
  return world;
}

const learned = (world: SyncWorld, name: TraitName) => world.store.getState().local.traits[name];
const seen = (world: SyncWorld, name: TraitName): unknown => learned(world, name)?.value;

describe('observed, never probed', () => {
  test('how times are written, from the list; nothing where rows disagree', async () => {
    const world = await ready();
    expect(learned(world, 'timeFormat')).toMatchObject({
      value: { kind: 'number', unit: 's' },
      from: 'GET /v1/conversations',
    });
    const mixed = syncWorld();
    mixed.service.addConversation('c1');
    mixed.service.addConversation('c2', { timeFormat: { kind: 'iso' } });
    await mixed.clock.advance(10_000);
    expect(seen(mixed, 'timeFormat')).toBeUndefined();
  });

  test('a conversation that shows no time of its own is archived in the way of its server', async () => {
    const world = syncWorld();
    world.service.addConversation('c1', { timeFormat: { kind: 'number', unit: 'ms' } });
    world.service.addConversation('bare', { timeFormat: null });
    const sent: unknown[] = [];
    const { updateConversation } = world.service.client;
    Object.assign(world.service.client, {
      updateConversation: (...call: Parameters<typeof updateConversation>) => {
        sent.push(call[1].archivedAt);
        return updateConversation(...call);
      },
    });
    await world.clock.advance(10_000);
    const at = world.clock.now();
    world.engine.enqueue({ kind: 'conversation.archive', conversationId: 'bare', at });
    await world.clock.advance(1_000);
    expect(sent).toEqual([String(at)]);
  });

  test('that texts are escaped, also where only the history shows it; a text without such characters says nothing', async () => {
    const world = await ready();
    const { client } = world.service;
    const { sendMessage } = client;
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    Object.assign(client, {
      sendMessage: async (...[sent, ...rest]: Parameters<typeof sendMessage>) => {
        const answer = await sendMessage({ ...sent, message: escaped(sent.message) }, ...rest);
        const isShown = sent.message !== 'a < b';
        if (!isShown) throw apiFault('not-api', 'A', { status: 201 });
        return answer;
      },
    });
    world.send('who I am');
    await world.clock.advance(5_000);
    expect(seen(world, 'textChange')).toBe('none');
    world.send('a < b');
    await world.clock.advance(10_000);
    expect(learned(world, 'textChange')).toMatchObject({ value: 'escape', from: 'GET /v1/messages' });
    world.send('hi');
    await world.clock.advance(5_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(seen(world, 'textChange')).toBe('escape');
  });

  test('that texts are changed in a way of the server, until one with more than letters in it is left alone', async () => {
    const world = await ready();
    const { client } = world.service;
    const { sendMessage } = client;
    Object.assign(client, {
      sendMessage: (...[sent, ...rest]: Parameters<typeof sendMessage>) =>
        sendMessage({ ...sent, message: sent.message.replaceAll('*', '') }, ...rest),
    });
    for (const [text, change] of [
      ['*bold*', 'unknown'],
      ['hi', 'unknown'],
      ['a & b', 'none'],
    ] as const) {
      world.send(text);
      await world.clock.advance(5_000);
      expect(seen(world, 'textChange')).toBe(change);
    }
  });

  test('what a DELETE answers', async () => {
    const world = await ready();
    const { id } = world.service.say('c1', 'mine');
    world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: id });
    await world.clock.advance(1_000);
    expect(learned(world, 'deleteAnswer')).toMatchObject({ value: 'empty', from: 'DELETE /v1/messages/:id' });
  });

  test.each([
    [true, 'echoed'],
    [false, 'unseen'],
  ])('the key of a POST that comes back (%s)', async (hasEchoedKey, value) => {
    const world = await ready();
    const { sendMessage } = world.service.client;
    Object.assign(world.service.client, {
      sendMessage: async (...call: Parameters<typeof sendMessage>) => ({
        ...(await sendMessage(...call)),
        hasEchoedKey,
      }),
    });
    world.send('hello');
    await world.clock.advance(2_000);
    expect(seen(world, 'idempotencyKey')).toBe(value);
    expect(seen(world, 'timesAgree')).toBe(true);
  });

  test('times that do not agree with the Date of the answer', async () => {
    const world = await ready();
    const { sendMessage } = world.service.client;
    Object.assign(world.service.client, {
      sendMessage: async (...call: Parameters<typeof sendMessage>) => {
        const answer = await sendMessage(...call);
        return { ...answer, value: { ...answer.value, createdAt: (answer.serverDate ?? 0) / 1000 } };
      },
    });
    world.send('hello');
    await world.clock.advance(2_000);
    expect(seen(world, 'timesAgree')).toBe(false);
  });
});

describe('whether opening a conversation marks it as read', () => {
  const marking = (world: SyncWorld, afterMs: number | null): void => {
    const { retrieveConversation } = world.service.client;
    Object.assign(world.service.client, {
      retrieveConversation: async (...call: Parameters<typeof retrieveConversation>) => {
        const answer = await retrieveConversation(...call);
        const mark = (): void => {
          for (const message of world.service.messages.values())
            if (message.conversationId === call[0])
              world.service.messages.set(message.id, { ...message, readAt: world.clock.now() });
        };
        if (afterMs === 0) mark();
        else if (afterMs !== null) world.clock.after(afterMs, mark);
        return answer;
      },
    });
  };

  test('it does: the messages that were unread are read from then on', async () => {
    const world = await ready({ revealReading: true });
    marking(world, 0);
    world.open('c1');
    await world.clock.advance(20_000);
    expect(learned(world, 'marksRead')).toMatchObject({
      value: true,
      from: 'GET /v1/conversations/:id',
    });
  });

  test('it does not: they are unread after a while; lists may lag, so not at once', async () => {
    const world = await ready({ revealReading: true });
    world.open('c1');
    await world.clock.advance(60_000);
    expect(seen(world, 'marksRead')).toBeUndefined();
    await world.clock.advance(120_000);
    expect(seen(world, 'marksRead')).toBe(false);
  });

  test('read later, on another device: that says nothing', async () => {
    const world = await ready({ revealReading: true });
    marking(world, 30_000);
    world.open('c1');
    await world.clock.advance(240_000);
    expect(seen(world, 'marksRead')).toBeUndefined();
  });

  test('nothing is learned of a group, of what was read before, or where reading is kept to oneself', async () => {
    const group = await ready({ revealReading: true });
    group.service.addConversation('g', { contactId: null, groupId: 'g1' });
    group.service.say('g', 'to all');
    await group.clock.advance(20_000);
    marking(group, 0);
    group.open('g');
    await group.clock.advance(200_000);
    expect(seen(group, 'marksRead')).toBeUndefined();
    const quiet = await ready({ revealReading: false });
    marking(quiet, 0);
    quiet.open('c1');
    await quiet.clock.advance(200_000);
    expect(seen(quiet, 'marksRead')).toBeUndefined();
    expect(quiet.service.requests).not.toContain('retrieveConversation c1');
  });
});

describe('kept one by one', () => {
  const trait = <T>(value: T, at = 1) => ({ value, at, from: 'GET /v1/messages' });

  test('changes are those traits alone that differ', () => {
    const order = trait('newest-first' as const);
    const before = { messageOrder: order, marksRead: trait(true) };
    expect(traitChanges(before, before)).toBeNull();
    const changes = traitChanges(before, { messageOrder: order, largestLimit: trait(50) });
    expect(changes).toEqual({ marksRead: null, largestLimit: trait(50) });
    expect(withTraitChanges({ marksRead: trait(true), pageCap: trait(9) }, changes ?? {})).toEqual({
      largestLimit: trait(50),
      pageCap: trait(9),
    });
  });

  test('the disk is right: other values and forgotten ones are taken over, whatever the clocks said', () => {
    const merged = (held: object, disk: object) => {
      const state = initialState({ local: { traits: held } });
      const next = mergeLocal({ ...state.local, traits: disk }, { isSender: true, isTyped: () => false })(state);
      return { isSame: next === state, traits: next.local.traits };
    };
    const held = { marksRead: trait(true, 9_999_999_999_999), pageCap: trait(9) };
    expect(merged(held, { pageCap: trait(9) }).traits).toEqual({ pageCap: trait(9) });
    expect(merged(held, { ...held, marksRead: trait(false, 5) }).traits.marksRead).toEqual(trait(false, 5));
    expect(merged(held, structuredClone(held)).isSame).toBe(true);
    expect(merged(held, noTraits).traits).toEqual({});
  });
});
