/** A conversation with oneself: everything in it is sent by its contact. */
import { expect, test } from 'vitest';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { syncWorld } from '../../../support/worlds/sync-world.ts';

test('a message without an answer is not said to be missing while nobody knows whose the one in the history is', async () => {
  const world = syncWorld();
  world.service.addConversation('c1', { contactId: me.id });
  world.service.say('c1', 'earlier', me);
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  const { outbox } = world;
  world.service.fault = (operation) =>
    operation === 'sendMessage' ? { applies: true, error: apiFault('timeout', 'ambiguous') } : null;
  world.send('hi');
  await world.clock.advance(60_000);
  expect(outbox.ops()).toMatchObject([
    { state: 'unsure', reason: expect.stringContaining('nobody knows yet whether it is yours') },
  ]);
  // An answer tells who the user is, and with that whose the message is.
  world.service.fault = () => null;
  world.service.addConversation('c2');
  world.send('to Ann', 'c2');
  await world.clock.advance(60_000);
  expect(outbox.ops()).toEqual([]);
  expect(world.service.copiesOf('hi')).toBe(1);
});
