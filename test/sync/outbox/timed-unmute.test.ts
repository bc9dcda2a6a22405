import { expect, test } from 'vitest';
import { setMutedUntil } from '../../../src/state/local/muting.ts';
import { syncWorld } from '../../support/worlds/sync-world.ts';

async function mutedFor(ms: number) {
  const world = syncWorld();
  world.service.addConversation('c1');
  await world.clock.advance(1_000);
  world.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
  world.store.setState(setMutedUntil('c1', world.clock.now() + ms));
  await world.clock.advance(5_000);
  return world;
}

const isMuted = (world: Awaited<ReturnType<typeof mutedFor>>) =>
  world.store.getState().cache.conversations.get('c1')?.isMuted;

test('a conversation is unmuted when its time is over, and once', async () => {
  const world = await mutedFor(3_600_000);
  expect(isMuted(world)).toBe(true);
  await world.clock.advance(3_500_000);
  expect(isMuted(world)).toBe(true);
  await world.clock.advance(120_000);
  expect([isMuted(world), world.store.getState().local.mutedUntil.size]).toEqual([false, 0]);
  world.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
  await world.clock.advance(600_000);
  expect(isMuted(world)).toBe(true);
});

test('a conversation that somebody has unmuted meanwhile is not changed', async () => {
  const world = await mutedFor(60_000);
  world.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: false });
  await world.clock.advance(120_000);
  expect([isMuted(world), world.store.getState().local.mutedUntil.size]).toEqual([false, 0]);
});

test('a program that is killed while it unmutes does so after its next start', async () => {
  const world = await mutedFor(60_000);
  const { enqueue } = world.outbox;
  world.outbox.enqueue = () => {
    world.outbox.enqueue = enqueue;
    world.restart();
    throw new Error('killed');
  };
  await world.clock.advance(120_000);
  expect([isMuted(world), world.store.getState().local.mutedUntil.size]).toEqual([false, 0]);
});
