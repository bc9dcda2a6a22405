/** How long the program waits after failures in a row. */
import { describe, expect, test } from 'vitest';
import { backoffMs } from '../../../src/sync/services/backoff.ts';
import { apiFault, me } from '../../support/servers/fake-service.ts';
import { syncWorld } from '../../support/worlds/sync-world.ts';

test('the longest wait doubles with each failure and ends at a minute', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 5_000].map((failures) => backoffMs(failures, () => 1));
  expect(longest).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('the wait is spread over the whole range, but is never below a second', () => {
  expect([0, 0.1, 0.5, 1].map((random) => backoffMs(4, () => random))).toEqual([1_000, 1_600, 8_000, 16_000]);
});

/** A server that asks to wait: one pause for everything, one request after it, and the header says what is. */
const minuteMs = 60_000;
const limited = (retryAfterMs?: number) =>
  apiFault('rate-limited', 'not-applied', { status: 429, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

async function ready() {
  const world = syncWorld({ random: () => 0 });
  for (let index = 0; index < 20; index++) world.service.addConversation(`c${index}`);
  await world.clock.advance(10_000);
  return world;
}

type World = Awaited<ReturnType<typeof ready>>;

/** When the messages were posted. */
function postTimes({ service }: World): readonly number[] {
  return service.requestTimes.filter((_, index) => service.requests[index]?.startsWith('sendMessage'));
}

describe('only writes are asked to wait', () => {
  test('after those that are already being sent, one write leaves in each pause', async () => {
    const world = await ready();
    world.service.fault = (operation) =>
      operation === 'sendMessage' ? { applies: false, error: limited(30_000) } : null;
    for (let index = 0; index < 20; index++) world.send('words', `c${index}`);
    await world.clock.advance(25_000);
    const first = postTimes(world).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(8);
    await world.clock.advance(5 * minuteMs);
    // Ten pauses of half a minute.
    expect(postTimes(world).length - first).toBeLessThanOrEqual(10);
    expect(postTimes(world).length - first).toBeGreaterThanOrEqual(8);
    world.service.fault = () => null;
    await world.clock.advance(minuteMs);
    expect(world.store.getState().local.outbox).toEqual([]);
  });

  test.each([
    ['a second', 1_000],
    ['nothing about how long', undefined],
  ])('%s: at most twelve leave in a minute, and the polls go on', async (_, retryAfterMs) => {
    const world = await ready();
    world.service.fault = (operation) =>
      operation === 'sendMessage' ? { applies: false, error: limited(retryAfterMs) } : null;
    for (let index = 0; index < 20; index++) world.send('words', `c${index}`);
    const before = world.service.requests.length;
    await world.clock.advance(10 * minuteMs);
    const times = postTimes(world);
    const most = Math.max(...times.map((at) => times.filter((other) => other >= at && other < at + minuteMs).length));
    expect(most).toBeLessThanOrEqual(12);
    const polls = world.service.requests.slice(before).filter((request) => request.startsWith('listConversations'));
    expect(polls.length).toBeGreaterThan(10);
    world.service.fault = () => null;
    await world.clock.advance(2 * minuteMs);
    expect(world.store.getState().local.outbox).toEqual([]);
  });
});

test('a write that began before the pause makes no more requests in it', async () => {
  const world = await ready();
  world.service.say('c1', 'old');
  world.service.say('c2', 'old');
  let answer = (): void => undefined;
  world.service.hold = (operation, subject) =>
    operation === 'retrieveMessage' && subject === 'm1' ? new Promise((resolve) => (answer = resolve)) : null;
  world.service.fault = (operation) =>
    operation === 'sendMessage' ? { applies: false, error: limited(30_000) } : null;
  const edit = { kind: 'message.edit', messageId: 'm1', base: 'old', text: 'new' } as const;
  world.engine.enqueue({ ...edit, conversationId: 'c1' });
  world.send('words', 'c2');
  await world.clock.advance(1_000);
  world.service.hold = () => null;
  answer();
  await world.clock.advance(20_000);
  expect(world.service.requests).not.toContain('updateMessage m1');
  world.service.fault = () => null;
  await world.clock.advance(20_000);
  expect(world.service.messages.get('m1')?.text).toBe('new');
  expect(world.store.getState().local.outbox).toEqual([]);
});

test('the header no longer shows the pause after the first answer that follows it, whatever it is', async () => {
  const world = await ready();
  const { id: messageId } = world.service.say('c1', 'old', me);
  world.open('c1');
  await world.clock.advance(60_000);
  // The next list is not due before the pause is over.
  const isListLast = (): boolean => world.service.requests.at(-1)?.startsWith('listConversations') === true;
  for (let waited = 0; !isListLast() && waited < minuteMs; waited += 500) await world.clock.advance(500);
  expect(isListLast()).toBe(true);
  world.service.fault = (operation) =>
    operation === 'listConversations' ? null : { applies: false, error: limited(10_000) };
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId });
  await world.clock.advance(5_000);
  const status = () => world.store.getState().view.connection.status;
  expect(status()).toBe('rate-limited');
  // From now on no list is answered: only the answer to the deletion shows it.
  world.service.fault = () => null;
  world.service.hold = (operation) => (operation === 'listConversations' ? new Promise(() => undefined) : null);
  await world.clock.advance(10_000);
  expect(world.service.messages.has(messageId)).toBe(false);
  expect(status()).toBe('online');
});

test('writes that one and the same server keeps failing at are repeated no more than twelve times a minute', async () => {
  const world = await ready();
  world.service.fault = (operation) =>
    operation === 'updateConversation'
      ? { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) }
      : null;
  for (let index = 0; index < 20; index++)
    world.engine.enqueue({ kind: 'conversation.mute', conversationId: `c${index}`, value: true });
  await world.clock.advance(5 * minuteMs);
  const puts = world.service.requestTimes.filter((_, index) => world.service.requests[index]?.startsWith('updateC'));
  const most = Math.max(...puts.map((at) => puts.filter((other) => other >= at && other < at + minuteMs).length));
  // The first attempts of all twenty, and the repeats.
  expect(most).toBeLessThanOrEqual(32);
  expect(puts.length).toBeLessThanOrEqual(20 + 5 * 12);
  world.service.fault = () => null;
  await world.clock.advance(10 * minuteMs);
  expect(world.store.getState().local.outbox).toEqual([]);
});
