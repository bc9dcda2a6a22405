import { describe, expect, test } from 'vitest';
import { canResend } from '../../../src/state/local/resend-rule.ts';
import { apiFault, me } from '../../support/servers/fake-service.ts';
import { syncWorld } from '../../support/worlds/sync-world.ts';

async function ready() {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.addConversation('c2');
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

const lost = (applies: boolean | { afterMs: number }) => ({ applies, error: apiFault('timeout', 'ambiguous') });
const ops = (world: { store: { getState(): { local: { outbox: readonly { state: string }[] } } } }) =>
  world.store.getState().local.outbox.map((op) => op.state);

describe('sending', () => {
  test('removes a message from the outbox in the update that adds it to the thread', async () => {
    const world = await ready();
    const seen: string[] = [];
    world.store.subscribe((state) => {
      const held = state.cache.threads.get('c1')?.messages.filter((message) => message.text === 'hi').length ?? 0;
      seen.push(`${state.local.outbox.length} ${held}`);
    });
    world.send('hi');
    await world.clock.advance(5_000);
    expect(world.service.copiesOf('hi')).toBe(1);
    expect(world.texts()).toEqual(['earlier', 'hi']);
    expect(new Set(seen)).toEqual(new Set(['1 0', '0 1']));
    expect(world.store.getState().local.me).toEqual({ contactId: 'me', username: 'me-name', isConfirmed: true });
  });

  test('keeps a message selected when it has arrived', async () => {
    const world = await ready();
    world.send('hi');
    const uuid = world.store.getState().local.outbox[0]?.uuid;
    const pending = `op:${uuid}`;
    const place = { scroll: { at: 'message', messageId: pending, line: 0 }, selectedId: pending } as const;
    world.store.setState((state) => ({ ...state, view: { ...state.view, places: new Map([['c1', place]]) } }));
    await world.clock.advance(5_000);
    const arrived = world.store
      .getState()
      .cache.threads.get('c1')
      ?.messages.find(({ text }) => text === 'hi')?.id;
    expect(arrived).toBeDefined();
    expect(world.store.getState().view.places.get('c1')).toEqual({
      scroll: { at: 'message', messageId: arrived, line: 0 },
      selectedId: arrived,
    });
  });

  test('writes the op as sending to the disk before the request leaves', async () => {
    const world = await ready();
    let onDisk: string | undefined;
    world.service.fault = (operation) => {
      if (operation === 'sendMessage') onDisk = world.outbox.ops()[0]?.state;
      return null;
    };
    world.send('hi');
    await world.clock.advance(100);
    expect(onDisk).toBe('sending');
  });

  test('changes no state when the disk refuses, and reports it', async () => {
    const world = await ready();
    world.outbox.failing = true;
    expect(world.engine.enqueue({ kind: 'message.send', conversationId: 'c1', text: 'hi' })).toBe(false);
    expect(ops(world)).toEqual([]);
    expect(world.store.getState().screen.notices.at(-1)?.text).toContain('nothing sent');
  });

  test.each([
    ['refused for good', apiFault('invalid', 'rejected', { status: 422 }), ['failed'], 1],
    ['forbidden', apiFault('forbidden', 'not-applied', { status: 403 }), ['failed'], 1],
    ['too large', apiFault('too-large', 'rejected', { status: 413 }), ['failed'], 1],
    ['moved', apiFault('redirect', 'not-applied', { status: 301 }), ['failed'], 1],
    ['server error', apiFault('server', 'ambiguous', { status: 500 }), ['unsure'], 1],
    ['reset', apiFault('network', 'ambiguous'), ['unsure'], 1],
    ['captive portal', apiFault('not-api', 'ambiguous', { status: 200 }), ['unsure'], 1],
  ])('%s', async (_, error, expected, posts) => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? { applies: false, error } : null);
    world.send('hi');
    await world.clock.advance(120_000);
    expect(ops(world)).toEqual(expected);
    expect(world.service.postsOf('hi')).toBe(posts);
  });

  test('repeats an attempt by itself that was not applied', async () => {
    const world = await ready();
    let left = 3;
    world.service.fault = (operation) =>
      operation === 'sendMessage' && left-- > 0 ? { applies: false, error: apiFault('network', 'not-applied') } : null;
    world.send('hi');
    await world.clock.advance(120_000);
    expect(world.service.copiesOf('hi')).toBe(1);
    expect(ops(world)).toEqual([]);
  });

  test('keeps the order in a conversation through a failure; other conversations go on', async () => {
    const world = await ready();
    let isFirst = true;
    world.service.fault = (operation, subject) => {
      if (operation !== 'sendMessage' || subject !== 'one' || !isFirst) return null;
      isFirst = false;
      return { applies: false, error: apiFault('server', 'not-applied', { status: 500 }) };
    };
    world.send('one');
    world.send('two');
    world.send('elsewhere', 'c2');
    await world.clock.advance(60_000);
    const sent = world.service.requests.filter((request) => request.startsWith('sendMessage'));
    expect(sent.indexOf('sendMessage elsewhere')).toBeLessThan(sent.lastIndexOf('sendMessage one'));
    expect([...world.service.messages.values()].map((message) => message.text)).toEqual([
      'earlier',
      'elsewhere',
      'one',
      'two',
    ]);
  });

  test('holds back the next message after an unsure one, but not a mute', async () => {
    const world = await ready();
    world.service.fault = (operation, subject) =>
      operation === 'sendMessage' && subject === 'one' ? lost(false) : null;
    world.send('one');
    world.send('two');
    world.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
    await world.clock.advance(60_000);
    expect(ops(world)).toEqual(['unsure', 'queued']);
    expect(world.service.conversations.get('c1')?.isMuted).toBe(true);
    world.engine.discard('u1');
    await world.clock.advance(5_000);
    expect(world.service.copiesOf('two')).toBe(1);
  });
});

describe('an unsure message that no longer holds back later ones', () => {
  test('is recognised when it appears after them', async () => {
    const world = await ready();
    world.service.fault = (operation, subject) =>
      operation === 'sendMessage' && subject === 'one' ? lost({ afterMs: 90_000 }) : null;
    world.send('one');
    world.send('two');
    world.engine.letPass('u1');
    await world.clock.advance(10_000);
    expect(ops(world)).toEqual(['unsure', 'queued']);
    world.engine.letPass('u1');
    await world.clock.advance(10_000);
    expect(ops(world)).toEqual(['unsure']);
    world.send('three');
    await world.clock.advance(120_000);
    expect(ops(world)).toEqual([]);
    expect([...world.service.messages.values()].map(({ text }) => text)).toEqual(['earlier', 'two', 'three', 'one']);
    expect(world.service.postsOf('one')).toBe(1);
  });

  test('has its place before those that wait when it is sent again', async () => {
    const world = await ready();
    world.service.fault = (operation, subject) =>
      operation === 'sendMessage' && subject === 'one' ? lost(false) : null;
    world.send('one');
    await world.clock.advance(60_000);
    world.engine.letPass('u1');
    world.service.fault = () => null;
    world.engine.retry('u1');
    world.send('two');
    await world.clock.advance(20_000);
    expect([...world.service.messages.values()].map(({ text }) => text)).toEqual(['earlier', 'one', 'two']);
  });
});

describe('a message whose answer never came', () => {
  test('is settled from history without a second request', async () => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? lost(true) : null);
    world.send('hi');
    await world.clock.advance(5_000);
    expect(ops(world)).toEqual([]);
    expect(world.service.postsOf('hi')).toBe(1);
    expect(world.texts()).toEqual(['earlier', 'hi']);
  });

  test.each([
    [
      'a reset',
      apiFault('network', 'ambiguous', { code: 'ECONNRESET' }),
      'No answer from the server. Not in the history after',
    ],
    ['a 500', apiFault('server', 'ambiguous', { status: 500 }), 'The server answered 500. Not in the history after'],
    [
      'an empty 201',
      apiFault('not-api', 'ambiguous', { status: 201 }),
      'The server said OK (201) without this message. Not in',
    ],
  ])('is reported as what it was after %s', async (_, fault, said) => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? { applies: false, error: fault } : null);
    world.send('hi');
    await world.clock.advance(40_000);
    expect(world.store.getState().local.outbox[0]?.reason).toContain(said);
  });

  test('is settled when it is applied minutes later', async () => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? lost({ afterMs: 180_000 }) : null);
    world.send('hi');
    await world.clock.advance(170_000);
    expect(ops(world)).toEqual(['unsure']);
    await world.clock.advance(60_000);
    expect(ops(world)).toEqual([]);
    expect(world.service.copiesOf('hi')).toBe(1);
  });

  test('with the same text as two others claims one of three messages', async () => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? lost(true) : null);
    for (let i = 0; i < 3; i++) world.send('ok');
    await world.clock.advance(60_000);
    expect(ops(world)).toEqual([]);
    expect(world.service.copiesOf('ok')).toBe(3);
    expect(world.service.postsOf('ok')).toBe(3);
    expect(world.outbox.claims('c1').size).toBe(3);
  });

  test('is not settled by an earlier message with the same text', async () => {
    const world = await ready();
    world.service.say('c1', 'ok', me);
    await world.clock.advance(5_000);
    world.service.fault = (operation) => (operation === 'sendMessage' ? lost(false) : null);
    world.send('ok');
    await world.clock.advance(60_000);
    expect(ops(world)).toEqual(['unsure']);
  });

  test('is not settled by the same text of somebody else', async () => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? lost(false) : null);
    world.send('ok');
    await world.clock.advance(500);
    world.service.say('c1', 'ok');
    await world.clock.advance(60_000);
    expect(ops(world)).toEqual(['unsure']);
  });

  test('may be sent again by the user after two complete checks, the last one 30 s later; never by itself', async () => {
    const world = await ready();
    let isLost = true;
    world.service.fault = (operation) => (operation === 'sendMessage' && isLost ? lost(false) : null);
    world.send('hi');
    await world.clock.advance(20_000);
    isLost = false;
    world.engine.retry('u1');
    await world.clock.advance(8_000);
    expect(world.service.postsOf('hi')).toBe(1);
    await world.clock.advance(10_000);
    const op = world.store.getState().local.outbox[0];
    expect(op !== undefined && canResend(op, world.clock.now())).toBe(true);
    world.engine.retry('u1');
    await world.clock.advance(5_000);
    expect(world.service.postsOf('hi')).toBe(2);
    expect(ops(world)).toEqual([]);
  });

  test('is not called missing after checks that fail', async () => {
    const world = await ready();
    world.service.fault = (operation) => {
      if (operation === 'sendMessage') return lost(false);
      return operation === 'listMessages' && world.service.postsOf('hi') > 0
        ? { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) }
        : null;
    };
    world.send('hi');
    await world.clock.advance(120_000);
    expect(world.store.getState().local.outbox[0]?.scans).toBe(0);
  });

  test('is unsure after a crash while it was sent, and is settled from history', async () => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? { applies: true, error: 'hang' } : null);
    world.send('hi');
    await world.clock.advance(100);
    world.restart();
    expect(ops(world)).toEqual(['unsure']);
    world.service.fault = () => null;
    await world.clock.advance(10_000);
    expect(ops(world)).toEqual([]);
    expect(world.service.postsOf('hi')).toBe(1);
  });
});
