/** Which messages sync reports to its listener. */
import { expect, test } from 'vitest';
import { contact, me } from '../../support/servers/fake-service.ts';
import { syncWorld } from '../../support/worlds/sync-world.ts';

const ann = contact('ann');
const bob = contact('bob');

async function reading() {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.addConversation('c2', { contactId: 'bob' });
  world.service.say('c1', 'earlier', ann);
  world.service.say('c1', 'mine', me);
  world.service.say('c2', 'hi', bob);
  world.service.say('c2', 'mine too', me);
  await world.clock.advance(10_000);
  world.open('c1');
  await world.clock.advance(3_000);
  world.incoming.length = 0;
  return world;
}

test('messages of others are reported once each, in the open conversation and in others', async () => {
  const world = await reading();
  world.service.say('c1', 'here', ann);
  world.service.say('c2', 'there', bob);
  await world.clock.advance(60_000);
  expect([...world.incoming].sort()).toEqual(['here', 'there']);
});

test('own messages, sent here or elsewhere, and edits are not reported', async () => {
  const world = await reading();
  world.send('from here');
  await world.clock.advance(10_000);
  world.service.say('c1', 'from my phone', me);
  const said = world.service.say('c2', 'with a slip', bob);
  await world.clock.advance(60_000);
  expect(world.incoming).toEqual(['with a slip']);
  const held = world.service.messages.get(said.id);
  if (held !== undefined)
    world.service.messages.set(said.id, { ...held, text: 'without', updatedAt: world.clock.now() });
  world.open('c2');
  await world.clock.advance(60_000);
  expect(world.texts('c2')).toContain('without');
  expect(world.incoming).toEqual(['with a slip']);
});

test('older messages that are fetched are not reported, and no message is reported again after a start', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  for (let i = 0; i < 300; i++) world.service.say('c1', `old ${i}`, ann);
  world.service.say('c1', 'mine', me);
  await world.clock.advance(10_000);
  world.open('c1');
  await world.clock.advance(3_000);
  const before = world.texts().length;
  for (let page = 0; page < 3; page++) {
    world.engine.needOlder('c1');
    await world.clock.advance(10_000);
  }
  expect(world.texts().length).toBeGreaterThan(before);
  expect(world.incoming).toEqual([]);
  world.restart();
  await world.clock.advance(60_000);
  world.service.say('c1', 'new', ann);
  await world.clock.advance(60_000);
  expect(world.incoming).toEqual(['new']);
});

test('the report says how late the clock of the server is', async () => {
  const world = await reading();
  world.behind.length = 0;
  world.service.behindMs = 3 * 3_600_000;
  world.service.say('c2', 'from a server with a slow clock', bob);
  await world.clock.advance(60_000);
  expect(world.incoming).toEqual(['from a server with a slow clock']);
  expect(world.behind.map((ms = 0) => Math.floor(ms / 60_000))).toEqual([180]);
});

test('a message that another process has stored first is reported too, and once', async () => {
  const world = await reading();
  for (const text of ['one', 'two']) {
    const said = world.service.say('c2', text, bob);
    world.cache.saveMessages('c2', [said], null);
    await world.clock.advance(60_000);
    world.service.say('c2', 'mine', me);
    await world.clock.advance(60_000);
  }
  expect(world.incoming).toEqual(['one', 'two']);
});

test('a page that another process has stored first is read whole, and not answered by "not modified"', async () => {
  const world = await reading();
  world.restart();
  await world.clock.advance(60_000);
  const said = world.service.say('c2', 'one', bob);
  const rows = [...world.service.messages.values()].filter(({ conversationId }) => conversationId === 'c2');
  const page = { etag: JSON.stringify(rows), limit: 50, ids: rows.map(({ id }) => id), isWhole: true };
  world.cache.saveMessages('c2', [said], page);
  await world.clock.advance(60_000);
  expect(world.incoming).toEqual(['one']);
  expect(world.store.getState().cache.lastMessages.get('c2')?.text).toBe('one');
});
