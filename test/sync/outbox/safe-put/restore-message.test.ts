/** A change drops all that it does not name, and nobody but the author may name the text. */
import { beforeEach, expect, test } from 'vitest';
import { me } from '../../../support/servers/fake-service.ts';
import { replaceOnPut } from '../../../support/servers/replacing-put.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const heart = [{ name: 'heart', by: ['bob'] }];

let world: SyncWorld;

beforeEach(async () => {
  world = syncWorld();
  const { messages } = world.service;
  replaceOnPut(world.service, 'dropped');
  world.service.addConversation('c1');
  world.service.say('c1', 'mine', me);
  messages.set('m2', { ...world.service.say('c1', 'theirs'), reactions: heart });
  world.send('who I am');
  await world.clock.advance(10_000);
});

const react = async (messageId: string): Promise<void> => {
  const action = { kind: 'message.react', conversationId: 'c1', messageId, name: '+1', present: true } as const;
  world.engine.enqueue({ ...action, confirmed: true });
  await world.clock.advance(20_000);
};

test('once a change has dropped the text of an own message, messages of others are not changed', async () => {
  await react('m1');
  expect(world.service.messages.get('m1')).toMatchObject({ text: 'mine', reactions: [{ name: '+1' }] });
  expect(world.store.getState().local.capabilities.putRule?.value).toBe('full-replace');

  await react('m2');
  expect(world.service.messages.get('m2')).toMatchObject({ text: 'theirs', reactions: heart });
  expect(world.store.getState().screen.notices).toMatchObject([{ text: expect.stringContaining('did not take') }]);
  expect(world.store.getState().local.capabilities.ownReactionsOnly).toBeUndefined();
});
