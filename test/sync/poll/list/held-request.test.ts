/** Requests for the list that the server holds until there is news: what they bring, and what they must not delay. */
import { expect, test } from 'vitest';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type WaitingList, waitingList } from '../../../support/servers/waiting-list.ts';
import { type SyncWorld, syncWorld, type WorldOptions } from '../../../support/worlds/sync-world.ts';

const minute = 60_000;
const hour = 60 * minute;

async function ready(patch: Partial<WaitingList> = {}, options: WorldOptions = {}) {
  const world = syncWorld(options);
  const list = Object.assign(waitingList(world.service, world.clock), patch);
  for (const id of ['c1', 'c2']) {
    world.service.addConversation(id);
    world.service.say(id, 'earlier');
  }
  await world.clock.advance(1_000);
  world.open('c1');
  await world.clock.advance(40_000);
  return { world, list, ...world };
}

const learned = ({ store }: SyncWorld) => store.getState().local.capabilities.waitsForNews?.value;

test('a message is shown within a tenth of a second, in the open conversation and in the list', async () => {
  const { world, list, service, clock } = await ready();
  expect(list.held()).toBe(1);
  expect(learned(world)).toBe(true);
  service.say('c1', 'news');
  await clock.advance(100);
  expect(world.texts()).toEqual(['earlier', 'news']);
  service.say('c2', 'more');
  await clock.advance(100);
  expect(world.store.getState().cache.lastMessages.get('c2')?.text).toBe('more');
  expect(list.held()).toBe(1);
});

test('two messages in one second are both shown in a conversation that is not open, with one more request', async () => {
  const { store, service, clock } = await ready();
  const pages = () => service.requests.filter((request) => request === 'listMessages c2').length;
  const seen = () => [store.getState().cache.lastMessages.get('c2')?.text, store.getState().cache.unread.get('c2')];
  await clock.advance(1_000 - (clock.now() % 1_000));
  const before = pages();
  service.say('c2', 'one');
  await clock.advance(minute);
  expect(seen()).toEqual(['one', 2]);
  expect(pages() - before).toBe(2);
  service.say('c2', 'two');
  await clock.advance(200);
  service.say('c2', 'three');
  await clock.advance(200);
  expect(seen()).toEqual(['two', 3]);
  await clock.advance(1_000);
  expect(seen()).toEqual(['three', 4]);
});

test('two messages in one second are both shown if the clock of the server is minutes late', async () => {
  const { store, service, clock } = await ready();
  service.behindMs = 5 * minute;
  service.say('c2', 'later than what came before');
  await clock.advance(6 * minute - (clock.now() % 1_000));
  service.say('c2', 'one');
  await clock.advance(200);
  service.say('c2', 'two');
  await clock.advance(2_000);
  expect(store.getState().cache.lastMessages.get('c2')?.text).toBe('two');
});

test.each<[string, (world: SyncWorld) => Promise<void>]>([
  [
    'is opened and left again between them',
    async ({ open, clock }) => {
      open('c2');
      await clock.advance(300);
      open('c1');
    },
  ],
  ['is left between them', async ({ open }) => open('c1')],
  ['is polled by hand between them', async ({ engine }) => void engine.pollNow()],
])('two messages in one second are both shown in a conversation that %s', async (name, act) => {
  const { world, store, service, clock } = await ready();
  if (name === 'is left between them') world.open('c2');
  await clock.advance(minute - (clock.now() % 1_000));
  service.say('c2', 'one');
  await clock.advance(200);
  await act(world);
  await clock.advance(200);
  service.say('c2', 'two');
  await clock.advance(5_000);
  expect(store.getState().cache.lastMessages.get('c2')?.text).toBe('two');
});

test('a request is held for 25 seconds, and at rest for as long as there is between two polls', async () => {
  const { list, clock, engine } = await ready();
  await clock.advance(minute);
  expect(list.waits.slice(-2)).toEqual([25, 25]);
  await clock.advance(10 * minute);
  expect(list.waits.filter((wait) => wait !== null).slice(-2)).toEqual([30, 30]);
  engine.setFocused(false);
  await clock.advance(10 * minute);
  expect(list.waits.filter((wait) => wait !== null).slice(-2)).toEqual([55, 55]);
});

test.each([
  [120, 'that waits, nothing open', { longest: 60 }, false, true],
  [60, 'that waits, nothing open, without the focus', { longest: 60 }, false, false],
  [360, 'that waits', { longest: 60 }, true, true],
  [360, 'that waits no longer than ten seconds', { longest: 10 }, true, true],
  [180, 'that waits, without the focus', { longest: 60 }, true, false],
  [360, 'that does not know the header', { longest: 0 }, true, true],
])('at rest at most %i requests an hour reach a server %s', async (most, _, patch, isOpen, isFocused) => {
  const { clock, engine, service } = await ready(patch);
  if (!isOpen) engine.closeConversation();
  engine.setFocused(isFocused);
  await clock.advance(10 * minute);
  const before = service.requests.length;
  await clock.advance(hour);
  expect(service.requests.length - before).toBeLessThanOrEqual(most);
});

test.each([
  ['does not know the header', { longest: 0 }],
  ['says that it waits, and does not', { longest: 0.1 }],
  ['waits without saying so', { says: false }],
])('a server that %s is polled as usual, and asked to wait once an hour', async (_, patch) => {
  const { world, list, clock, service } = await ready(patch);
  await clock.advance(2 * hour);
  expect(learned(world)).toBe(false);
  expect(list.waits.filter((wait) => wait !== null).length).toBeLessThanOrEqual(4);
  service.say('c1', 'news');
  await clock.advance(31_000);
  expect(world.texts()).toContain('news');
});

test('what was learned is known after a restart', async () => {
  const { world, list, clock } = await ready({ longest: 0 });
  world.restart();
  list.waits.length = 0;
  await clock.advance(30 * minute);
  expect(list.waits.every((wait) => wait === null)).toBe(true);
});

test('a held request delays neither sending nor opening a conversation', async () => {
  const { world, list, clock, service } = await ready();
  expect(list.held()).toBe(1);
  world.send('hello');
  world.open('c2');
  await clock.advance(300);
  expect(service.copiesOf('hello')).toBe(1);
  expect(world.texts('c2')).toEqual(['earlier']);
  await clock.advance(3_000);
  expect(world.store.getState().local.outbox).toEqual([]);
});

test('the key that polls now ends the held request, and gets an answer at once', async () => {
  const { world, list, clock } = await ready();
  const asked = list.waits.length;
  world.engine.pollNow();
  await clock.advance(50);
  expect(list.waits.slice(asked)).toEqual([null, 25]);
  expect(list.held()).toBe(1);
});

test('the end of the program and a new token end the held request at once', async () => {
  const { world, list, clock } = await ready();
  world.engine.replaceClient(world.service.client);
  await clock.advance(50);
  expect(list.held()).toBe(1);
  const stopped = world.engine.stop();
  await clock.advance(10);
  await stopped;
  expect(list.held()).toBe(0);
});

test('a pause that the server asks for is kept, also if the held request is answered with it', async () => {
  const { list, clock, service, world } = await ready();
  list.fail(apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 2 * minute }));
  await clock.advance(1_000);
  const before = service.requests.length + list.waits.length;
  expect(world.store.getState().view.connection.status).toBe('rate-limited');
  list.fail(null);
  await clock.advance(minute);
  expect(service.requests.length + list.waits.length).toBe(before);
  await clock.advance(2 * minute);
  expect(world.store.getState().view.connection.status).toBe('online');
});

test('if every long request is cut off, the list is polled as usual and the status does not say offline', async () => {
  const { world, list, clock, service } = await ready();
  const statuses = new Set<string>();
  world.store.subscribe(({ view }) => statuses.add(view.connection.status));
  const cut = (): void => {
    if (list.held() > 0) {
      list.fail(apiFault('network', 'ambiguous', { code: 'ECONNRESET' }));
      list.fail(null);
    }
    clock.after(20_000, cut);
  };
  cut();
  await clock.advance(hour);
  expect([...statuses]).toEqual(['online']);
  expect(list.waits.filter((wait) => wait !== null).length).toBeLessThan(40);
  service.say('c2', 'news');
  await clock.advance(31_000);
  expect(world.store.getState().cache.lastMessages.get('c2')?.text).toBe('news');
});

test('a list that changes with every request is not requested without a pause', async () => {
  const { clock, service, list } = await ready();
  const plain = service.client.listConversations;
  Object.assign(service.client, {
    listConversations: async (...call: Parameters<typeof plain>) => {
      const held = service.conversations.get('c2');
      if (held !== undefined) service.conversations.set('c2', { ...held, isMuted: !held.isMuted });
      return plain(...call);
    },
  });
  const before = list.waits.length;
  // Every answer takes a while, so that the clock moves.
  service.hold = () => new Promise((resolve) => clock.after(50, resolve));
  await clock.advance(10 * minute);
  expect(list.waits.length - before).toBeLessThan(800);
});
