/** An answer that names another sender than before: the token is somebody else's, and nothing more goes out with it. */
import { expect, test } from 'vitest';
import type { Client } from '../../../src/api/operations.ts';
import { apiFault, contact } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

/** An answer has shown who the user is; then the token ends while three messages wait in three conversations. */
async function refusedWithWords(): Promise<SyncWorld> {
  const world = syncWorld();
  for (const id of ['c1', 'c2', 'c3']) world.service.addConversation(id);
  await world.clock.advance(5_000);
  world.send('the first');
  await world.clock.advance(10_000);
  world.service.fault = () => ({ applies: false, error: apiFault('unauthorized', 'not-applied', { status: 401 }) });
  for (const id of ['c1', 'c2', 'c3']) world.send(`waits in ${id}`, id);
  await world.clock.advance(5_000);
  world.service.fault = () => null;
  return world;
}

/** The same server, to which another person signs in. */
function signInAs(world: SyncWorld, name: string): void {
  const { client } = world.service;
  const asAnother: Client = {
    ...client,
    sendMessage: async (...call) => {
      const answer = await client.sendMessage(...call);
      return { ...answer, value: { ...answer.value, contact: contact(name) } };
    },
  };
  world.engine.replaceClient(asAnother);
}

const sent = ({ service }: SyncWorld): number =>
  service.requests.filter((one) => one.startsWith('sendMessage waits')).length;
const view = ({ store }: SyncWorld) => store.getState().view;

test('at most one message is sent, which is reported, and no further request is made', async () => {
  const world = await refusedWithWords();
  const before = sent(world);
  signInAs(world, 'eve');
  await world.clock.advance(60_000);
  expect(sent(world) - before).toBe(1);
  expect(view(world).connection.status).toBe('other-account');
  expect(
    world.store
      .getState()
      .screen.notices.map(({ text }) => text)
      .join(),
  ).toContain("another account than me-name's");
  const asked = world.service.requests.length;
  world.engine.pollNow();
  await world.clock.advance(600_000);
  expect(world.service.requests.length).toBe(asked);
  expect(world.store.getState().local.me?.contactId).toBe('me');
});

test('the next start remembers it, and the right token continues everything', async () => {
  const world = await refusedWithWords();
  signInAs(world, 'eve');
  await world.clock.advance(60_000);
  world.engine.flush();
  const asked = world.service.requests.length;
  world.restart();
  await world.clock.advance(60_000);
  expect([world.service.requests.length, view(world).connection.status]).toEqual([asked, 'other-account']);
  world.engine.replaceClient(world.service.client);
  await world.clock.advance(60_000);
  expect(view(world).connection.status).toBe('online');
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(world.store.getState().local.me).toMatchObject({ contactId: 'me', isConfirmed: true });
});

test('a new token of the same account sends everything', async () => {
  const world = await refusedWithWords();
  signInAs(world, 'me');
  await world.clock.advance(60_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(view(world).connection.status).toBe('online');
});

test('a server that answers with the recipient of a message says nothing about its author', async () => {
  const world = await refusedWithWords();
  signInAs(world, 'ann');
  await world.clock.advance(60_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(view(world).connection.status).toBe('online');
  expect(world.store.getState().local.me?.contactId).toBe('me');
});

test('a server that answers with the recipient does not replace the user who was inferred from a conversation', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'hello');
  world.service.say('c1', 'hi', contact('me'));
  await world.clock.advance(20_000);
  signInAs(world, 'ann');
  world.send('how are you?');
  await world.clock.advance(20_000);
  world.service.say('c1', 'fine');
  await world.clock.advance(60_000);
  expect(world.store.getState().local.me?.contactId).toBe('me');
  expect(world.store.getState().cache.unread.get('c1')).toBe(1);
});
