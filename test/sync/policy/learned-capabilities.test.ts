/** What is learned of a server is observed in answers, kept one by one, and stays forgotten once it was. */
import { describe, expect, test } from 'vitest';
import type { CapabilityName } from '../../../src/protocol/capabilities.ts';
import { noCapabilities } from '../../../src/protocol/capabilities.ts';
import { mergeLocal } from '../../../src/state/local/merge-local.ts';
import { changedRecords, withRecords } from '../../../src/state/local/records.ts';
import { initialState } from '../../../src/state/store.ts';
import { apiFault } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

async function ready(options: { readonly revealReading?: boolean } = {}): Promise<SyncWorld> {
  const world = syncWorld(options);
  world.service.addConversation('c1');
  world.service.addConversation('c2', { contactId: 'bob' });
  world.service.say('c1', 'unread');
  await world.clock.advance(10_000);
  return world;
}

const learned = (world: SyncWorld, name: CapabilityName) => world.store.getState().local.capabilities[name];
const seen = (world: SyncWorld, name: CapabilityName): unknown => learned(world, name)?.value;

describe('capabilities are observed, without requests for them', () => {
  test('how times are written is learned from the list, and not if rows disagree', async () => {
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

  test('a conversation without a time of its own is archived in the way of its server', async () => {
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

  test('that texts are escaped is learned, also from the history only; a text without such characters shows nothing', async () => {
    const world = await ready();
    const { client } = world.service;
    const { sendMessage } = client;
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    Object.assign(client, {
      sendMessage: async (...[sent, ...rest]: Parameters<typeof sendMessage>) => {
        const answer = await sendMessage({ ...sent, message: escaped(sent.message) }, ...rest);
        const isShown = sent.message !== 'a < b';
        if (!isShown) throw apiFault('not-api', 'ambiguous', { status: 201 });
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

  test('that texts are changed in another way is learned, until one with more than letters in it comes back unchanged', async () => {
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
});

describe('capabilities are stored one by one', () => {
  const capability = <T>(value: T, at = 1) => ({ value, at, from: 'GET /v1/messages' });

  test('and only those that differ are changes', () => {
    const order = capability('newest-first' as const);
    const before = { messageOrder: order, ownReactionsOnly: capability(true) };
    const { local } = initialState({ local: { capabilities: before } });
    expect(changedRecords(local, { ...local, capabilities: { ...before } }, 'capabilities')).toEqual([]);
    const after = { ...local, capabilities: { messageOrder: order, largestLimit: capability(50) } };
    const changes = changedRecords(local, after, 'capabilities');
    expect(changes).toEqual([
      ['capabilities', 'largestLimit', capability(50)],
      ['capabilities', 'ownReactionsOnly', null],
    ]);
    const disk = { ownReactionsOnly: capability(true), reactionRule: capability('add' as const) };
    expect(withRecords({ ...local, capabilities: disk }, changes).capabilities).toEqual({
      largestLimit: capability(50),
      reactionRule: capability('add' as const),
    });
  });

  test('and the disk is right: other values and removed ones are taken over, whatever the times say', () => {
    const merged = (held: object, disk: object) => {
      const state = initialState({ local: { capabilities: held } });
      const next = mergeLocal({ ...state.local, capabilities: disk }, { isSender: true, keptDrafts: new Set() })(state);
      return { isSame: next === state, capabilities: next.local.capabilities };
    };
    const held = { ownReactionsOnly: capability(true, 9_999_999_999_999), reactionRule: capability('add' as const) };
    expect(merged(held, { reactionRule: capability('add' as const) }).capabilities).toEqual({
      reactionRule: capability('add' as const),
    });
    expect(merged(held, { ...held, ownReactionsOnly: capability(false, 5) }).capabilities.ownReactionsOnly).toEqual(
      capability(false, 5),
    );
    expect(merged(held, structuredClone(held)).isSame).toBe(true);
    expect(merged(held, noCapabilities).capabilities).toEqual({});
  });
});
