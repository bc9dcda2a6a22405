/** Somebody between the server and us says that all is well: the page of a captive portal, in the place of an answer. */
import { expect, test } from 'vitest';
import { foreignBodyCode } from '../../../src/api/errors.ts';
import type { OpAction } from '../../../src/state/model/app-state.ts';
import { apiFault, me } from '../../support/servers/fake-service.ts';
import { syncWorld } from '../../support/worlds/sync-world.ts';

const page = apiFault('not-api', 'ambiguous', { status: 200, code: foreignBodyCode });

const writes: Readonly<Record<string, OpAction>> = {
  updateMessage: { kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'old', text: 'new' },
  deleteMessage: { kind: 'message.delete', conversationId: 'c1', messageId: 'm1' },
  updateConversation: { kind: 'conversation.mute', conversationId: 'c1', value: true },
  deleteConversation: { kind: 'conversation.delete', conversationId: 'c1' },
};

const cases = Object.entries(writes).flatMap(([operation, action]) =>
  [true, false].flatMap((applies) =>
    [true, false].map((revealReading) => ({ operation, action, applies, revealReading })),
  ),
);

test.each(cases)('$operation, applied: $applies, reading shown: $revealReading', async (one) => {
  const world = syncWorld({ revealReading: one.revealReading });
  const { service, clock } = world;
  service.addConversation('c1');
  service.addConversation('c2');
  service.say('c1', 'old', me);
  await clock.advance(1_000);
  let left = 2;
  service.fault = (operation) =>
    operation === one.operation && left-- > 0 ? { applies: one.applies, error: page } : null;
  world.engine.enqueue(one.action);
  await clock.advance(60_000);
  const isDone = {
    updateMessage: service.messages.get('m1')?.text === 'new',
    deleteMessage: !service.messages.has('m1'),
    updateConversation: service.conversations.get('c1')?.isMuted === true,
    deleteConversation: !service.conversations.has('c1'),
  };
  expect(isDone).toMatchObject({ [one.operation]: true });
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(world.store.getState().screen.notices).toEqual([]);
  const isOwnRead = service.requests.includes('retrieveConversation c1');
  if (!one.revealReading) expect(isOwnRead).toBe(false);
  await world.engine.stop();
});

test('the status of the connection is "captive portal" as long as one answers, whatever was requested last', async () => {
  const world = syncWorld();
  const { service, clock, store } = world;
  service.addConversation('c1');
  service.say('c1', 'old', me);
  await clock.advance(1_000);
  world.open('c1');
  await clock.advance(5_000);
  expect(store.getState().view.connection.status).toBe('online');
  const seen = new Set<string>();
  service.fault = () => ({ applies: false, error: page });
  await clock.advance(60_000);
  const stop = store.subscribe(({ view }) => void seen.add(view.connection.status));
  await clock.advance(600_000);
  stop();
  expect([...seen]).toEqual(['not-api']);
  service.fault = () => null;
  await clock.advance(300_000);
  expect(store.getState().view.connection.status).toBe('online');
  await world.engine.stop();
});
