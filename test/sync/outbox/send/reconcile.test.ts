/** What becomes of messages without a complete answer; `auto-after-check` sends them again once without being asked. */
import { describe, expect, test } from 'vitest';
import type { Op } from '../../../../src/state/model/app-state.ts';
import type { ResendRule } from '../../../../src/state/model/settings.ts';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const status = (code: number) => apiFault('server', 'ambiguous', { status: code });

async function failing(error: ReturnType<typeof status>, resend: ResendRule, times = 9): Promise<SyncWorld> {
  const world = syncWorld({ resend });
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(10_000);
  let left = times;
  world.service.fault = (operation) => (operation === 'sendMessage' && left-- > 0 ? { applies: false, error } : null);
  world.send('hi');
  return world;
}

const only = (world: SyncWorld): Op | undefined => world.store.getState().local.outbox[0];

test.each([500, 503])('after a %i a message is sent again once the checks are over', async (code) => {
  const world = await failing(status(code), 'auto-after-check', 1);
  const said = new Set<string>();
  world.store.subscribe(({ screen }) => {
    for (const { text } of screen.notices) said.add(text);
  });
  await world.clock.advance(29_000);
  expect(world.service.postsOf('hi')).toBe(1);
  await world.clock.advance(15_000);
  expect(world.service.postsOf('hi')).toBe(2);
  expect(world.service.copiesOf('hi')).toBe(1);
  expect(only(world)).toBeUndefined();
  expect([...said].join()).toContain(`sent again by itself after ${code}`);
});

test('a message is sent again once; then a question names what was tried', async () => {
  const world = await failing(status(500), 'auto-after-check');
  await world.clock.advance(40_000);
  world.restart();
  await world.clock.advance(300_000);
  expect(world.service.postsOf('hi')).toBe(2);
  const op = only(world);
  expect(op).toMatchObject({ state: 'unsure', autoResent: true });
  expect(op?.reason).toMatch(/^The server answered 500. Not in the history .* It was sent again by itself.$/);
  expect(op?.attempts.map(({ evidence }) => evidence)).toEqual(['500', '500']);
  world.engine.retry(op?.uuid ?? '');
  await world.clock.advance(300_000);
  expect(world.service.postsOf('hi')).toBe(3);
});

test('by default nothing is sent again', async () => {
  const world = await failing(status(500), 'ask');
  await world.clock.advance(300_000);
  expect(world.service.postsOf('hi')).toBe(1);
});

test.each([
  ['no answer', apiFault('timeout', 'ambiguous')],
  ['504', status(504)],
  ['502', status(502)],
  ['a 500 that broke off', apiFault('server', 'ambiguous', { status: 500, code: 'CUT_OFF' })],
])('%s does not count as a complete 500 or 503', async (_, error) => {
  const world = await failing(error, 'auto-after-check');
  await world.clock.advance(300_000);
  expect(world.service.postsOf('hi')).toBe(1);
  expect(only(world)?.state).toBe('unsure');
});

test('nothing is sent again if an earlier attempt had no answer', async () => {
  const world = await failing(apiFault('timeout', 'ambiguous'), 'auto-after-check', 1);
  await world.clock.advance(60_000);
  world.service.fault = (operation) => (operation === 'sendMessage' ? { applies: false, error: status(500) } : null);
  world.engine.retry(only(world)?.uuid ?? '');
  await world.clock.advance(300_000);
  expect(world.service.postsOf('hi')).toBe(2);
});

test('a message that arrived nevertheless is found and not sent again', async () => {
  const world = syncWorld({ resend: 'auto-after-check' });
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(10_000);
  world.service.fault = (operation) => (operation === 'sendMessage' ? { applies: true, error: status(500) } : null);
  world.send('hi');
  await world.clock.advance(120_000);
  expect(world.service.copiesOf('hi')).toBe(1);
  expect(only(world)).toBeUndefined();
});

test('a message that arrived after the last look is found when the user has it sent again', async () => {
  const world = await failing(status(500), 'ask', 1);
  await world.clock.advance(60_000);
  world.service.say('c1', 'hi', me);
  world.restart();
  world.engine.retry(only(world)?.uuid ?? '');
  expect(only(world)?.state).toBe('queued');
  await world.clock.advance(60_000);
  expect(world.service.postsOf('hi')).toBe(1);
  expect(world.service.copiesOf('hi')).toBe(1);
  expect(world.store.getState().local.outbox).toEqual([]);
});

test('a message that arrived a moment after the page was read is found when the user has it sent again', async () => {
  const world = await failing(status(500), 'ask', 1);
  await world.clock.advance(60_000);
  world.open('c1');
  await world.clock.advance(1_000);
  world.service.say('c1', 'hi', me);
  world.engine.retry(only(world)?.uuid ?? '');
  await world.clock.advance(60_000);
  expect(world.service.postsOf('hi')).toBe(1);
  expect(world.service.copiesOf('hi')).toBe(1);
});

test('if the contact has other ids in conversations than in messages, nobody is taken for the user', async () => {
  const world = syncWorld();
  world.service.addConversation('c1', { contactId: 'contact_77' });
  world.service.say('c1', 'earlier');
  world.service.say('c1', 'mine', me);
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  let left = 1;
  world.service.fault = (operation) =>
    operation === 'sendMessage' && left-- > 0 ? { applies: false, error: status(503) } : null;
  world.send('ok');
  await world.clock.advance(1_000);
  world.service.say('c1', 'ok');
  await world.clock.advance(60_000);
  expect(world.store.getState().local.me).toBeNull();
  expect(only(world)).toMatchObject({
    state: 'unsure',
    hasPossibleCopy: true,
    reason: expect.stringContaining('nobody knows yet whether it is yours'),
  });
});

test('in a conversation with oneself a message without an answer is not called missing while the user is not known', async () => {
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
  // An answer shows who the user is, and so who wrote the message.
  world.service.fault = () => null;
  world.service.addConversation('c2');
  world.send('to Ann', 'c2');
  await world.clock.advance(60_000);
  expect(outbox.ops()).toEqual([]);
  expect(world.service.copiesOf('hi')).toBe(1);
});

describe('a message that was there before the first ambiguous attempt does not settle an op', () => {
  const lost = apiFault('timeout', 'ambiguous');

  /** The first attempt certainly fails, and all later ones are lost. */
  async function firstRefused(text: string, first: ReturnType<typeof apiFault>): Promise<SyncWorld> {
    const world = syncWorld();
    world.service.addConversation('c1');
    world.send('who I am');
    await world.clock.advance(5_000);
    world.service.say('c1', 'from the phone', me);
    await world.clock.advance(60_000);
    let attempts = 0;
    world.service.fault = (operation) => {
      if (operation !== 'sendMessage') return null;
      attempts += 1;
      return { applies: false, error: attempts === 1 ? first : lost };
    };
    world.send(text);
    await world.clock.advance(5_000);
    return world;
  }

  test('also if it has the text that replaced the rejected one', async () => {
    const tooLarge = apiFault('too-large', 'rejected', { status: 413 });
    const world = await firstRefused('far too long', tooLarge);
    const uuid = only(world)?.uuid ?? '';
    expect(world.engine.rewrite(uuid, 'from the phone')).toBe(true);
    world.engine.retry(uuid);
    await world.clock.advance(300_000);
    expect(only(world)).toMatchObject({ state: 'unsure', action: { text: 'from the phone' } });
  });

  test('also if it was sent elsewhere while the server asked to wait', async () => {
    const world = await firstRefused(
      'ok',
      apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 60_000 }),
    );
    world.service.say('c1', 'ok', me);
    await world.clock.advance(300_000);
    expect(world.service.postsOf('ok')).toBe(2);
    expect(only(world)).toMatchObject({ state: 'unsure' });
  });
});

test('a page that lacks a new known message does not count as a check of the whole history', async () => {
  const world = syncWorld({ resend: 'auto-after-check' });
  const { service, clock } = world;
  service.addConversation('c1');
  service.say('c1', 'earlier');
  await clock.advance(10_000);
  world.send('first');
  await clock.advance(2_000);
  expect(only(world)).toBeUndefined();
  const { fetchNewest } = service.paging;
  let isBehind = true;
  Object.assign(service.paging, {
    fetchNewest: async ({ ifNoneMatch: _, ...request }: Parameters<typeof fetchNewest>[0]) => {
      const answer = await fetchNewest(request);
      if ('notModified' in answer || !isBehind) return answer;
      return { ...answer, messages: answer.messages.filter(({ text }) => text === 'earlier'), etag: null };
    },
  });
  service.fault = (operation) => (operation === 'sendMessage' ? { applies: true, error: status(500) } : null);
  world.send('hi');
  await clock.advance(60_000);
  expect([only(world)?.state, service.postsOf('hi')]).toEqual(['unsure', 1]);
  isBehind = false;
  await clock.advance(60_000);
  expect([only(world), service.copiesOf('hi')]).toEqual([undefined, 1]);
});

test('a message that was edited elsewhere before it was found is named, and nothing is sent again by itself', async () => {
  const world = syncWorld({ resend: 'auto-after-check' });
  const { service, clock } = world;
  service.addConversation('c1');
  world.send('who I am');
  await clock.advance(10_000);
  service.fault = (operation) => {
    if (operation !== 'sendMessage') return null;
    // The phone edits it in the second in which it arrives.
    clock.after(1, () => {
      const sent = [...service.messages.values()].find(({ text }) => text === 'hi');
      if (sent !== undefined) service.messages.set(sent.id, { ...sent, text: 'hello', updatedAt: clock.now() });
    });
    return { applies: true, error: status(500) };
  };
  world.send('hi');
  await clock.advance(120_000);
  expect(service.postsOf('hi')).toBe(1);
  expect(only(world)).toMatchObject({
    state: 'unsure',
    hasPossibleCopy: true,
    reason: expect.stringMatching(/changed after it was sent/),
  });
});

test('a clock that is set forward does not shorten the time in which a message is looked for', async () => {
  const world = await failing(status(500), 'auto-after-check', 1);
  await world.clock.advance(2_000);
  world.clock.sleep(3_600_000);
  await world.clock.advance(20_000);
  expect(world.service.postsOf('hi')).toBe(1);
  await world.clock.advance(20_000);
  expect(world.service.postsOf('hi')).toBe(2);
});

test('a message that was there before, or was first seen as it was sent, is not taken for an edited one', async () => {
  const world = syncWorld();
  const { service, clock } = world;
  service.addConversation('c1');
  world.send('who I am');
  await clock.advance(10_000);
  service.fault = (operation) => (operation === 'sendMessage' ? { applies: false, error: status(500) } : null);
  world.send('hi');
  service.say('c1', 'from the phone', me);
  await clock.advance(10_000);
  const reaction = { name: '+1', by: ['ann'] };
  for (const [id, one] of service.messages)
    service.messages.set(id, { ...one, reactions: [reaction], updatedAt: clock.now() });
  await clock.advance(60_000);
  expect(only(world)).toMatchObject({ state: 'unsure', hasPossibleCopy: false });
});
