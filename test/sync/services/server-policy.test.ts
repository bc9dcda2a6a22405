/** Servers that store another text than was sent, where no answer to the send says so. */
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import { learnCapabilities } from '../../../src/state/local/capabilities.ts';
import { apiFault, me } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld, type WorldOptions, worldWithFailure } from '../../support/worlds/sync-world.ts';

const sent = "it's two...";
const stored = 'it’s two…';

/** The first POST is carried out and answered with a 500; what is stored of any is another text. */
async function unanswered(options: WorldOptions = {}): Promise<SyncWorld> {
  const failure = { applies: true, error: apiFault('server', 'ambiguous', { status: 500 }) };
  const world = await worldWithFailure(failure, options);
  world.send(sent);
  await world.clock.advance(500);
  change(world);
  await world.clock.advance(60_000);
  return world;
}

function change({ service }: SyncWorld): void {
  for (const row of service.messages.values())
    if (row.text === sent) service.messages.set(row.id, { ...row, text: stored });
}

const only = (world: SyncWorld) => world.store.getState().local.outbox[0];

test('a message that may be the rewritten one is shown to the user, who decides', async () => {
  const world = await unanswered();
  expect(only(world)).toMatchObject({ state: 'unsure' });
  expect(only(world)?.reason).toMatch(/^A new message much like this one is in the history\./);
  world.engine.discard('u1');
  await world.clock.advance(60_000);
  expect(world.texts()).toEqual(['earlier', stored]);
  expect(world.store.getState().local.outbox).toEqual([]);
});

test('a message whose text may have been rewritten is not sent again by itself', async () => {
  const world = await unanswered({ resend: 'auto-after-check' });
  await world.clock.advance(300_000);
  expect(only(world)).toMatchObject({ state: 'unsure' });
  expect(world.service.messages.size).toBe(2);
});

test('a message that was there before is not taken for the rewritten one', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', stored, me);
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  world.service.fault = (operation) =>
    operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
  world.send(sent);
  await world.clock.advance(60_000);
  expect(only(world)?.reason).toMatch(/Not in the history after \d+ checks/);
});

test('on a server that was seen to change texts, any new message of the user may be the rewritten one', async () => {
  const world = await unanswered();
  for (const row of world.service.messages.values())
    if (row.text === stored) world.service.messages.set(row.id, { ...row, text: 'removed by the moderator' });
  world.store.setState(learnCapabilities({}, { textChange: { value: 'unknown', at: 0, from: 'POST /v1/messages' } }));
  await world.clock.advance(60_000);
  expect(only(world)?.reason).toMatch(/^A new message much like this one is in the history\./);
});

test('on such a server, a message that was there before is not taken for the rewritten one', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier', me);
  await world.clock.advance(100);
  world.open('c1');
  world.send('who I am');
  await world.clock.advance(1_000);
  world.store.setState(learnCapabilities({}, { textChange: { value: 'unknown', at: 0, from: 'POST /v1/messages' } }));
  world.service.fault = (operation) =>
    operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
  world.send(sent);
  await world.clock.advance(60_000);
  expect(only(world)?.reason).toMatch(/Not in the history after \d+ checks/);
});

test('when the user sends it again nevertheless, both copies are reported', async () => {
  const world = await unanswered();
  world.engine.retry('u1');
  await world.clock.advance(0);
  change(world);
  await world.clock.advance(20_000);
  expect(world.texts()).toEqual(['earlier', stored, stored]);
  expect(world.store.getState().screen.notices.map(({ text }) => text)).toContain(
    `This message was sent twice: “${sent}”. Delete one of the two?`,
  );
});

/** The answer to every send shows the message with another text, as the history does. */
function rewriteInAnswers({ service }: SyncWorld, named: (id: string) => string = (id) => id): void {
  const { client, messages } = service;
  const { sendMessage } = client;
  Object.assign(client, {
    sendMessage: async (...call: Parameters<typeof sendMessage>) => {
      const { value } = await sendMessage(...call);
      messages.set(value.id, { ...value, text: 'rewritten' });
      throw new ApiError({ ...apiFault('not-api', 'ambiguous', { status: 201 }).facts, namedId: named(value.id) });
    },
  } satisfies Partial<typeof client>);
}

async function rewriting(named?: (id: string) => string): Promise<SyncWorld> {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'mine from elsewhere', me);
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  rewriteInAnswers(world, named);
  world.send(sent);
  world.send('the next');
  return world;
}

test('the message that the answer named settles the op once history shows it, and the next one leaves', async () => {
  const world = await rewriting();
  await world.clock.advance(10_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(world.texts()).toEqual(['mine from elsewhere', 'earlier', 'rewritten', 'rewritten']);
});

test('the message that the answer named is found also after a crash before history was read', async () => {
  const world = await rewriting();
  await world.clock.advance(500);
  expect(only(world)).toMatchObject({ state: 'unsure' });
  world.restart();
  world.open('c1');
  await world.clock.advance(10_000);
  expect(world.store.getState().local.outbox).toEqual([]);
});

test.each(['m1', 'm2', 'm9'])(
  'an answer that names %s, which was there before or does not exist, settles nothing',
  async (id) => {
    const world = await rewriting(() => id);
    await world.clock.advance(60_000);
    expect(world.store.getState().local.outbox).toMatchObject([{ state: 'unsure' }, { state: 'queued' }]);
  },
);

test('if the user is not known, the message that the answer named is shown as a candidate', async () => {
  const world = syncWorld();
  world.service.addConversation('c1', { contactId: null, groupId: 'g1' });
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  rewriteInAnswers(world);
  world.send(sent);
  await world.clock.advance(60_000);
  expect(only(world)).toMatchObject({ state: 'unsure' });
  expect(only(world)?.reason).toMatch(/^A new message much like this one is in the history\./);
});
