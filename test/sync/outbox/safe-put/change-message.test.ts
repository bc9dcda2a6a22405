/** A change drops what it does not name, and nobody but the author may name the text. */
import { beforeEach, describe, expect, test } from 'vitest';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { replaceOnPut } from '../../../support/servers/replacing-put.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

let world: SyncWorld;

const file = { label: 'a.txt', url: null, size: null, mediaType: null, fields: { id: 'f1', filename: 'a.txt' } };

describe('on a server that keeps a text that is not sent', () => {
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
    messages.set('m0', { ...own, id: 'm0', text: 'plain' });
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

  test("a reaction keeps the rest of somebody else's message as it was", async () => {
    await react('+1', true);
    expect(world.service.messages.get(theirs)).toMatchObject({ text: 'theirs', attachments: [file] });
    expect(world.service.messages.get(theirs)?.reactions).toEqual([others[0], { name: '+1', by: ['bob', 'me-name'] }]);
    expect(world.store.getState().screen.notices).toEqual([]);
  });

  test('a reaction sends only what is dropped otherwise, once that is known, and never the text of others', async () => {
    await react('+1', true);
    const { omittedText, omittedFiles, omittedReactions } = world.store.getState().local.capabilities;
    expect([omittedText?.value, omittedFiles?.value, omittedReactions?.value]).toEqual(['kept', 'dropped', undefined]);
    await react('+1', false);
    expect(world.service.messages.get(theirs)).toMatchObject({
      text: 'theirs',
      reactions: others,
      attachments: [file],
    });
    expect(world.store.getState().screen.notices).toEqual([]);
  });

  test('a text that survived a reaction proves nothing about reactions: an edit asks first, and restores them', async () => {
    world.engine.enqueue({
      kind: 'message.react',
      conversationId: 'c1',
      messageId: 'm0',
      name: '+1',
      present: true,
      confirmed: true,
    });
    await world.clock.advance(20_000);
    expect(world.store.getState().local.capabilities.omittedText?.value).toBe('kept');
    world.engine.enqueue({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'mine', text: 'better' });
    await world.clock.advance(20_000);
    const tada = [{ name: 'tada', by: ['bob'] }];
    expect(world.service.messages.get('m1')).toMatchObject({ text: 'mine', reactions: tada });
    const [op] = world.store.getState().local.outbox;
    expect(op?.reason).toContain('it may drop 1 of other people');
    world.engine.retry(op?.uuid ?? '');
    await world.clock.advance(20_000);
    expect(world.service.messages.get('m1')).toMatchObject({ text: 'better', reactions: tada });
  });

  test('a reaction to an own message does not teach that reactions of others may not be sent, which would forbid edits', async () => {
    await react('+1', true);
    const edit = { kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'mine', text: 'mine, better' };
    world.engine.enqueue(edit as Parameters<typeof world.engine.enqueue>[0]);
    await world.clock.advance(20_000);
    world.engine.retry(world.store.getState().local.outbox[0]?.uuid ?? '');
    await world.clock.advance(20_000);
    expect(world.store.getState().local.capabilities.ownReactionsOnly?.value).not.toBe(true);
    expect(world.service.messages.get('m1')).toMatchObject({
      text: 'mine, better',
      reactions: [{ name: 'tada', by: ['bob'] }],
    });
  });
});

describe('on a server that drops a text that is not sent', () => {
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

  test('messages of others are not changed once a change has dropped the text of an own message', async () => {
    await react('m1');
    expect(world.service.messages.get('m1')).toMatchObject({ text: 'mine', reactions: [{ name: '+1' }] });
    expect(world.store.getState().local.capabilities.omittedText?.value).toBe('dropped');

    await react('m2');
    expect(world.service.messages.get('m2')).toMatchObject({ text: 'theirs', reactions: heart });
    expect(world.store.getState().screen.notices).toMatchObject([{ text: expect.stringContaining('did not take') }]);
    expect(world.store.getState().local.capabilities.ownReactionsOnly).toBeUndefined();
  });

  test('attachments and reactions are restored also if the text may not be restored', async () => {
    const { messages } = world.service;
    const before = messages.get('m2');
    if (before !== undefined) messages.set('m2', { ...before, attachments: [file] });
    await react('m2');
    expect(messages.get('m2')).toMatchObject({
      text: '',
      attachments: [file],
      reactions: [...heart, { name: '+1', by: ['me-name'] }],
    });
    expect(world.store.getState().screen.notices).toMatchObject([
      { text: expect.stringMatching(/has lost its text\.$/) },
    ]);
  });

  test('a text that was put back by a change that was answered with 409 is not reported as lost', async () => {
    const { client } = world.service;
    const { updateMessage } = client;
    let changes = 0;
    Object.assign(client, {
      updateMessage: async (...args: Parameters<typeof updateMessage>) => {
        const answer = await updateMessage(...args);
        changes += 1;
        if (changes === 2) throw apiFault('invalid', 'ambiguous', { status: 409 });
        return answer;
      },
    });
    await react('m1');
    expect(world.service.messages.get('m1')).toMatchObject({ text: 'mine', reactions: [{ name: '+1' }] });
    expect(world.store.getState().screen.notices).toEqual([]);
  });

  test('a text that was edited before the repair after a lost answer is not replaced by the old one', async () => {
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

test('attachments that the server keeps are not sent with the reactions that it drops, and are never doubled', async () => {
  world = syncWorld();
  const { client, messages } = world.service;
  const { retrieveMessage } = client;
  const sentFiles: number[] = [];
  Object.assign(client, {
    updateMessage: async (...[id, sent]: Parameters<typeof client.updateMessage>) => {
      const answer = await retrieveMessage(id);
      const held = answer.value;
      sentFiles.push(sent.attachments?.length ?? 0);
      const added = (sent.attachments ?? []).map((fields, at) => ({ ...file, fields: { ...fields, id: `new${at}` } }));
      const attachments = [...held.attachments, ...added];
      const next = { ...held, text: sent.message ?? held.text, reactions: sent.reactions ?? [], attachments };
      messages.set(id, next);
      return { ...answer, value: next };
    },
  });
  world.service.addConversation('c1');
  const own = world.service.say('c1', 'mine', me);
  const heart = [{ name: 'heart', by: ['bob'] }];
  messages.set(own.id, { ...own, reactions: heart, attachments: [file] });
  world.send('who I am');
  await world.clock.advance(10_000);
  for (const [base, text] of [
    ['mine', 'two'],
    ['two', 'three'],
    ['three', 'four'],
  ] as const) {
    world.engine.enqueue({ kind: 'message.edit', conversationId: 'c1', messageId: own.id, base, text });
    await world.clock.advance(20_000);
    for (const op of world.store.getState().local.outbox) world.engine.retry(op.uuid);
    await world.clock.advance(20_000);
  }
  expect(messages.get(own.id)).toMatchObject({ text: 'four', reactions: heart, attachments: [file] });
  expect(sentFiles.every((count) => count === 0)).toBe(true);
});
