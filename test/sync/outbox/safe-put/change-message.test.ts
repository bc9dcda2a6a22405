/** A change drops what it does not name, and nobody but the author may name the text. */
import { beforeEach, describe, expect, test } from 'vitest';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { replaceOnPut } from '../../../support/servers/replacing-put.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

let world: SyncWorld;

const file = { label: 'a.txt', url: null, size: null, mediaType: null, fields: { id: 'f1', filename: 'a.txt' } };

describe('the text is kept where it is not named', () => {
  const others = [
    { name: 'heart', by: ['bob'] },
    { name: '+1', by: ['bob'] },
  ];
  const theirs = 'm2';

  beforeEach(async () => {
    world = syncWorld();
    const { messages } = world.service;
    replaceOnPut(world.service, 'kept');
    world.service.addConversation('c1');
    const own = world.service.say('c1', 'mine', me);
    messages.set(own.id, { ...own, reactions: [{ name: 'tada', by: ['bob'] }] });
    messages.set(theirs, { ...world.service.say('c1', 'theirs'), reactions: others, attachments: [file] });
    world.send('who I am');
    await world.clock.advance(10_000);
  });

  const react = async (name: string, present: boolean): Promise<void> => {
    world.engine.enqueue({
      kind: 'message.react',
      conversationId: 'c1',
      messageId: theirs,
      name,
      present,
      confirmed: true,
    });
    await world.clock.advance(20_000);
  };

  test('a reaction leaves the rest of what somebody else wrote as it was', async () => {
    await react('+1', true);
    expect(world.service.messages.get(theirs)).toMatchObject({ text: 'theirs', attachments: [file] });
    expect(world.service.messages.get(theirs)?.reactions).toEqual([others[0], { name: '+1', by: ['bob', 'me-name'] }]);
    expect(world.store.getState().screen.notices).toEqual([]);
  });

  test('once that is known, a reaction is refused there, as the text would have to be sent along', async () => {
    await react('+1', true);
    expect(world.store.getState().local.capabilities.putRule?.value).toBe('full-replace');
    const before = world.service.messages.get(theirs);
    await react('+1', false);
    expect(world.service.messages.get(theirs)).toEqual(before);
    expect(world.store.getState().screen.notices).toMatchObject([
      { text: expect.stringContaining('did not take the reaction back. It said: forbidden') },
    ]);
  });

  test('a reaction to it does not teach that reactions of others may not be sent, which would forbid edits', async () => {
    await react('+1', true);
    const edit = { kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'mine', text: 'mine, better' };
    world.engine.enqueue(edit as Parameters<typeof world.engine.enqueue>[0]);
    await world.clock.advance(20_000);
    expect(world.store.getState().local.capabilities.ownReactionsOnly?.value).not.toBe(true);
    expect(world.service.messages.get('m1')).toMatchObject({
      text: 'mine, better',
      reactions: [{ name: 'tada', by: ['bob'] }],
    });
  });
});

describe('the text is dropped where it is not named', () => {
  const heart = [{ name: 'heart', by: ['bob'] }];

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

  test('a text that was written anew before a lost answer is made up for is not replaced by the old one', async () => {
    const { client, messages } = world.service;
    const { updateMessage } = client;
    const before = messages.get('m1');
    if (before !== undefined) messages.set('m1', { ...before, attachments: [file] });
    Object.assign(client, {
      updateMessage: async (...args: Parameters<typeof updateMessage>) => {
        client.updateMessage = updateMessage;
        const { value } = await updateMessage(...args);
        messages.set('m1', { ...value, text: 'written anew' });
        throw apiFault('timeout', 'ambiguous');
      },
    });
    await react('m1');
    await world.clock.advance(60_000);
    expect(world.service.messages.get('m1')).toMatchObject({
      text: 'written anew',
      attachments: [file],
      reactions: [{ name: '+1', by: ['me-name'] }],
    });
  });
});
