/** Messages of others that turn up before the read line. */
import { expect, test } from 'vitest';
import { contact, me } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

const ann = contact('ann');

/** `c1` was read and left; `c2` is open. */
async function left(): Promise<SyncWorld> {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.addConversation('c2', { contactId: 'bob' });
  world.service.say('c1', 'earlier');
  world.service.say('c1', 'mine', me);
  world.service.say('c2', 'hi', contact('bob'));
  await world.clock.advance(10_000);
  world.service.say('c1', 'read');
  await world.clock.advance(10_000);
  world.open('c1');
  await world.clock.advance(3_000);
  world.open('c2');
  await world.clock.advance(3_000);
  return world;
}

/** Says it as of so long ago. */
function sayLate({ service, clock }: SyncWorld, text: string, agoMs: number, from = ann): void {
  const message = service.say('c1', text, from);
  service.messages.set(message.id, { ...message, createdAt: clock.now() - agoMs });
}

const unread = (world: SyncWorld) => world.store.getState().cache.unread.get('c1') ?? 0;

test.each([20_000, 7_200_000])(
  'messages that appear before the read line are unread until they are read; ms late: %s',
  async (agoMs) => {
    const world = await left();
    expect(unread(world)).toBe(0);
    sayLate(world, 'held up', agoMs);
    await world.clock.advance(30_000);
    expect(unread(world)).toBe(1);
    world.service.say('c1', 'in time');
    await world.clock.advance(30_000);
    expect(unread(world)).toBe(2);
    world.open('c1');
    await world.clock.advance(3_000);
    world.open('c2');
    await world.clock.advance(60_000);
    expect(unread(world)).toBe(0);
    world.service.say('c1', 'next');
    await world.clock.advance(30_000);
    expect(unread(world)).toBe(1);
  },
);

test('own messages from another device are not unread', async () => {
  const world = await left();
  sayLate(world, 'from my other device', 20_000, me);
  await world.clock.advance(30_000);
  expect(unread(world)).toBe(0);
});

test('a backdated message that is deleted again is not unread', async () => {
  const world = await left();
  sayLate(world, 'held up', 20_000);
  await world.clock.advance(30_000);
  expect(unread(world)).toBe(1);
  const late = [...world.service.messages.values()].find(({ text }) => text === 'held up');
  world.service.messages.delete(late?.id ?? '');
  world.service.say('c1', 'in time');
  await world.clock.advance(130_000);
  expect(unread(world)).toBe(1);
});
