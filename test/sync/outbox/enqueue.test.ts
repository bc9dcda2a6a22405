import { describe, expect, test } from 'vitest';
import { undoableSend } from '../../../src/state/local/outbox.ts';
import { markOffline } from '../../../src/state/view/connection.ts';
import { openInView } from '../../../src/state/view/view.ts';
import { apiFault, me } from '../../support/servers/fake-service.ts';
import { syncWorld } from '../../support/worlds/sync-world.ts';

describe('a message that can still be taken back', () => {
  async function ready() {
    const world = syncWorld({ undoSendSeconds: 5 });
    world.service.addConversation('c1');
    await world.clock.advance(100);
    world.open('c1');
    await world.clock.advance(1_000);
    return world;
  }

  test('is on disk with the time when it leaves, and leaves then', async () => {
    const world = await ready();
    world.send('hi');
    const [op] = world.outbox.ops();
    expect(op).toMatchObject({ state: 'queued', notBefore: world.clock.now() + 5_000 });
    expect(world.store.getState().screen.notices.at(-1)).toMatchObject({ text: 'Is sent in 5 s; Esc brings it back' });
    world.engine.pollNow();
    await world.clock.advance(4_900);
    expect(world.service.postsOf('hi')).toBe(0);
    await world.clock.advance(1_000);
    expect(world.service.copiesOf('hi')).toBe(1);
  });

  test('is not said to leave soon while the server cannot be reached', async () => {
    const world = await ready();
    world.store.setState(
      markOffline({ now: world.clock.now(), reason: 'no answer', nextPollAt: world.clock.now() + 60_000 }),
    );
    world.send('hi');
    expect(world.store.getState().screen.notices.at(-1)).toMatchObject({
      text: 'Waits to be sent; Esc brings it back within 5 s',
    });
  });

  test('is announced in its own conversation alone, where Esc takes it back', async () => {
    const world = await ready();
    const notices = () => world.store.getState().screen.notices.map(({ about }) => about);
    world.service.addConversation('c2', { contactId: 'bob' });
    await world.clock.advance(10_000);
    world.engine.enqueue({ kind: 'message.send', conversationId: 'c2', text: 'forwarded', attachments: [] });
    expect(notices()).toEqual([]);
    world.send('hi');
    expect(notices()).toEqual(['held']);
    world.store.setState(openInView('c2'));
    expect(notices()).toEqual([]);
  });

  test('has the delay that is set when the message is written, also while the program runs', async () => {
    const world = await ready();
    world.store.setState((state) => ({ ...state, settings: { ...state.settings, undoSendSeconds: 0 } }));
    world.send('hi');
    await world.clock.advance(100);
    expect(world.service.copiesOf('hi')).toBe(1);
  });

  test('is never sent if it is taken back in time, also not by the next run', async () => {
    const world = await ready();
    world.send('hi');
    await world.clock.advance(2_000);
    expect(world.engine.discard('u1')).toBe(true);
    world.restart();
    await world.clock.advance(60_000);
    expect(world.service.postsOf('hi')).toBe(0);
  });

  test('is sent after the restart of a program that died meanwhile, and a clock set back makes it wait no longer', async () => {
    const world = await ready();
    world.send('hi');
    const [op] = world.outbox.ops();
    if (op !== undefined)
      world.outbox.changeOp(op.uuid, (held) => ({ ...held, notBefore: held.notBefore + 86_400_000 }));
    world.restart();
    await world.clock.advance(3_000);
    expect(world.service.postsOf('hi')).toBe(0);
    await world.clock.advance(9_000);
    expect(world.service.copiesOf('hi')).toBe(1);
  });

  test('does not count as held after a failure, so that the next run tries at once', async () => {
    const world = await ready();
    world.send('hi');
    const [op] = world.outbox.ops();
    if (op !== undefined) world.outbox.changeOp(op.uuid, (held) => ({ ...held, reason: 'offline' }));
    world.restart();
    expect(undoableSend(world.store.getState(), 'c1', world.clock.now())).toBe(null);
    await world.clock.advance(1_000);
    expect(world.service.copiesOf('hi')).toBe(1);
  });

  test('a change that was made by a letter waits for the given time, without a notice, and its opposite removes it', async () => {
    const world = await ready();
    const mute = { kind: 'conversation.mute', conversationId: 'c1' } as const;
    world.engine.enqueue({ ...mute, value: true }, { holdMs: 400 });
    await world.clock.advance(300);
    expect([world.service.conversations.get('c1')?.isMuted, world.outbox.ops().length]).toEqual([false, 1]);
    world.engine.enqueue({ ...mute, value: false });
    expect(world.outbox.ops()).toEqual([]);
    world.engine.enqueue({ ...mute, value: true }, { holdMs: 400 });
    await world.clock.advance(1_000);
    expect(world.service.conversations.get('c1')?.isMuted).toBe(true);
    expect(world.store.getState().screen.notices).toEqual([]);
  });

  test('other changes do not wait', async () => {
    const world = await ready();
    world.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
    await world.clock.advance(1_000);
    expect(world.service.conversations.get('c1')?.isMuted).toBe(true);
  });
});

test('a reaction that is taken back is taken back on the server, also if its thread is not loaded', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.rule = 'replace';
  const said = world.service.say('c1', 'earlier', me);
  world.service.messages.set(said.id, { ...said, reactions: [{ name: 'tada', by: ['me-name'] }] });
  world.send('who I am');
  await world.clock.advance(10_000);
  expect(world.cache.message('c1', said.id)?.reactions).toHaveLength(1);
  world.restart();
  world.service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
  await world.clock.advance(1_000);
  const react = {
    kind: 'message.react',
    conversationId: 'c1',
    messageId: said.id,
    name: 'tada',
    confirmed: true,
  } as const;
  world.engine.enqueue({ ...react, present: true });
  world.engine.enqueue({ ...react, present: false });
  world.service.fault = () => null;
  world.engine.pollNow();
  await world.clock.advance(30_000);
  expect(world.service.messages.get(said.id)?.reactions).toEqual([]);
});
