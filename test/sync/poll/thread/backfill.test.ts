/** A conversation begins where the server says that nothing comes before a message; that is not asked again. The "new" line. */
import { describe, expect, test } from 'vitest';
import { closeThread, openThread } from '../../../../src/state/cache/threads.ts';
import { setReadLine } from '../../../../src/state/local/read-lines.ts';
import { setScroll } from '../../../../src/state/view/thread-place.ts';
import type { Paging } from '../../../../src/sync/services/services.ts';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld, type WorldOptions } from '../../../support/worlds/sync-world.ts';

const asked = ({ service }: SyncWorld): number =>
  service.requests.filter((request) => request.startsWith('olderMessages')).length;

async function worldWith(count: number, options: WorldOptions = {}): Promise<SyncWorld> {
  const world = syncWorld(options);
  world.service.addConversation('c1');
  for (let number = 1; number <= count; number += 1) world.service.say('c1', `m${number}`);
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

test('a server that says falsely that no older messages exist is believed, also after a restart; new messages are shown', async () => {
  const world = await worldWith(120);
  world.service.denials = 1;
  world.engine.needOlder('c1');
  await world.clock.advance(100);
  world.restart();
  world.open('c1');
  await world.clock.advance(1_000);
  expect(world.store.getState().cache.threads.get('c1')?.older).toBe('end');
  world.service.requests.length = 0;
  world.engine.needOlder('c1');
  world.engine.pollNow();
  await world.clock.advance(30_000);
  expect([asked(world), world.texts().length, world.texts()[0]]).toEqual([0, 50, 'm71']);
  world.service.say('c1', 'm121');
  world.engine.pollNow();
  await world.clock.advance(5_000);
  expect(world.texts().at(-1)).toBe('m121');
  expect(world.store.getState().view.connection.failures.size).toBe(0);
  await world.engine.stop();
});

test.each([
  ['unauthorized', { status: 401 }],
  ['rate-limited', { status: 429, retryAfterMs: 60_000 }],
] as const)(
  'the header shows that nothing leaves any more where older messages were answered with: %s',
  async (kind, facts) => {
    const world = await worldWith(120);
    const { service, clock, engine } = world;
    const status = (): string => world.store.getState().view.connection.status;
    service.fault = (operation) =>
      operation === 'olderMessages' ? { applies: false, error: apiFault(kind, 'not-applied', facts) } : null;
    engine.needOlder('c1');
    await clock.advance(100);
    expect(status()).toBe(kind);
    service.fault = () => null;
    await clock.advance(60_000);
    engine.pollNow();
    await clock.advance(5_000);
    expect(status()).toBe('online');
    await engine.stop();
  },
);

test('a newest page that cannot be read is still reported after older messages were read', async () => {
  const world = await worldWith(120);
  const { service, clock } = world;
  const failure = (): string | undefined => world.store.getState().view.connection.failures.get('c1');
  service.fault = (operation) =>
    operation === 'listMessages' ? { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) } : null;
  world.engine.pollNow();
  await clock.advance(100);
  expect(failure()).toBe('server 500');
  world.engine.needOlder('c1');
  await clock.advance(100);
  expect(world.texts().length).toBe(100);
  expect(failure()).toBe('server 500');
  service.fault = () => null;
  world.engine.pollNow();
  await clock.advance(5_000);
  expect(failure()).toBeUndefined();
  await world.engine.stop();
});

test('a gap before which all messages are gone is given up', async () => {
  const world = await worldWith(30);
  const { service, clock } = world;
  service.messages.clear();
  for (let number = 31; number <= 85; number += 1) service.say('c1', `m${number}`);
  service.denials = 1_000;
  world.engine.pollNow();
  await clock.advance(20_000);
  expect(world.store.getState().cache.threads.get('c1')?.gaps).toEqual([]);
  expect(asked(world)).toBe(1);
  await world.engine.stop();
});

test('a gap stays in its place when the message after it is deleted, and is filled after a restart', async () => {
  const world = await worldWith(30);
  const { service, clock } = world;
  const gaps = () =>
    world.store
      .getState()
      .cache.threads.get('c1')
      ?.gaps.map((id) => world.cache.message('c1', id)?.text);
  service.fault = (operation) =>
    operation === 'olderMessages' ? { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) } : null;
  for (let number = 31; number <= 85; number += 1) service.say('c1', `m${number}`);
  world.engine.pollNow();
  await clock.advance(5_000);
  expect(gaps()).toEqual(['m36']);
  const [gap = ''] = world.cache.reach('c1').gaps;
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: gap });
  await clock.advance(2_000);
  expect(gaps()).toEqual(['m37']);
  world.restart();
  world.open('c1');
  await clock.advance(100);
  expect(gaps()).toEqual(['m37']);
  service.fault = () => null;
  world.engine.needOlder('c1');
  world.engine.pollNow();
  await clock.advance(60_000);
  expect(gaps()).toEqual([]);
  expect(world.texts().slice(28, 37)).toEqual(['m29', 'm30', 'm31', 'm32', 'm33', 'm34', 'm35', 'm37', 'm38']);
  await world.engine.stop();
});

test('a gap outside of the window stays in its place when the message after it is deleted', async () => {
  const world = await worldWith(30);
  const idOf = (text: string): string =>
    [...world.service.messages.values()].find((one) => one.text === text)?.id ?? '';
  const { messages } = world.cache.history('c1', 'newest', 10);
  const reach = { older: 'server', gaps: [idOf('m5')] } as const;
  world.cache.saveReach('c1', reach.older, reach.gaps);
  world.store.setState((state) => openThread('c1', { messages, hasMore: true }, reach)(closeThread('c1')(state)));
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: idOf('m5') });
  await world.clock.advance(2_000);
  expect(world.store.getState().cache.threads.get('c1')?.gaps).toEqual([idOf('m6')]);
  await world.engine.stop();
});

describe('a gap in the open conversation', () => {
  const threadOf = (world: SyncWorld) => world.store.getState().cache.threads.get('c1');
  const say = (world: SyncWorld, from: number, to: number): void => {
    for (let number = from; number <= to; number += 1) world.service.say('c1', `m${number}`);
    world.engine.pollNow();
  };

  test('is requested again after a failure, without news', async () => {
    const world = await worldWith(30);
    let failures = 1;
    world.service.fault = (operation) =>
      operation === 'olderMessages' && failures-- > 0
        ? { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) }
        : null;
    say(world, 31, 85);
    await world.clock.advance(100_000);
    expect([threadOf(world)?.gaps, world.texts().length, asked(world)]).toEqual([[], 85, 2]);
    await world.engine.stop();
  });

  test('prevents no new message from being shown while it cannot be read', async () => {
    const world = await worldWith(30);
    world.service.fault = (operation) =>
      operation === 'olderMessages'
        ? { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) }
        : null;
    say(world, 31, 85);
    await world.clock.advance(600_000);
    expect(asked(world)).toBeLessThan(12);
    world.service.say('c1', 'm86');
    await world.clock.advance(31_000);
    expect(world.texts().at(-1)).toBe('m86');
    await world.engine.stop();
  });

  test('is not requested again if the server has nothing for it', async () => {
    const world = await worldWith(30);
    const fetchOlder: Paging['fetchOlder'] = async ({ capabilities }) => {
      calls += 1;
      return { messages: [], reachedStart: false, unreachable: true, capabilities };
    };
    let calls = 0;
    Object.assign(world.service.paging, { fetchOlder });
    say(world, 31, 85);
    await world.clock.advance(600_000);
    expect([threadOf(world)?.gaps.length, calls]).toEqual([1, 1]);
    await world.engine.stop();
  });

  test('is filled as far as the window reaches, which keeps the newest messages, and further when the user scrolls to it', async () => {
    const world = await worldWith(30);
    say(world, 31, 900);
    await world.clock.advance(60_000);
    expect([world.texts()[0], world.texts().at(-1), threadOf(world)?.newer]).toEqual(['m301', 'm900', 'end']);
    expect(asked(world)).toBe(11);
    await world.clock.advance(60_000);
    expect(asked(world)).toBe(11);
    const first = threadOf(world)?.messages[0]?.id ?? '';
    world.store.setState(setScroll('c1', { at: 'message', messageId: first, line: 0 }));
    world.engine.needOlder('c1');
    await world.clock.advance(60_000);
    expect([world.texts().length, world.texts()[0], threadOf(world)?.gaps]).toEqual([600, 'm1', []]);
    await world.engine.stop();
  });

  test('that came while the window was scrolled back is filled at the end', async () => {
    const world = await worldWith(1_000);
    for (let page = 0; page < 15; page += 1) {
      world.engine.needOlder('c1');
      await world.clock.advance(100);
    }
    const far = threadOf(world)?.messages[3]?.id ?? '';
    world.store.setState(setScroll('c1', { at: 'message', messageId: far, line: 0 }));
    expect(threadOf(world)?.newer).toBe('disk');
    say(world, 1_001, 1_100);
    await world.clock.advance(5_000);
    world.store.setState(setScroll('c1', { at: 'bottom' }));
    world.engine.needNewest('c1');
    await world.clock.advance(60_000);
    expect(world.texts().slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => `m${1_001 + index}`));
    expect(threadOf(world)?.gaps).toEqual([]);
    await world.engine.stop();
  });
});

test('the "new" line appears with older messages if all messages of the newest page were unread', async () => {
  const world = await worldWith(120, { openingPlace: () => ({ at: 'message', messageId: 'm71', line: 0 }) });
  const threadOf = () => world.store.getState().cache.threads.get('c1');
  const read = [...world.service.messages.values()].find(({ text }) => text === 'm40');
  world.store.setState(setReadLine('c1', { messageId: read?.id ?? null, at: read?.createdAt ?? 0 }));
  expect([world.texts()[0], threadOf()?.newLineAfter]).toEqual(['m71', null]);
  world.engine.needOlder('c1');
  await world.clock.advance(100);
  expect([world.texts()[0], threadOf()?.newLineAfter]).toEqual(['m21', read?.id]);
  await world.engine.stop();
});
