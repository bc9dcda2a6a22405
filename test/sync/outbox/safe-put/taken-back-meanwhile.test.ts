/** Somebody takes a reaction back while a message is being changed: it is not given again in their name. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const [heart, tada] = [
  { name: 'heart', by: ['bob'] },
  { name: 'tada', by: ['bob'] },
];
const place = { conversationId: 'c1', messageId: 'm2' };
const edit: OpAction = { kind: 'message.edit', ...place, base: 'words', text: 'better' };
const react = (name: string, messageId = 'm2'): OpAction => ({
  kind: 'message.react',
  conversationId: 'c1',
  messageId,
  name,
  present: true,
  confirmed: true,
});

let world: SyncWorld;

async function run(action: OpAction): Promise<void> {
  world.engine.enqueue(action);
  await world.clock.advance(120_000);
  expect(world.store.getState().local.outbox).toEqual([]);
}

const shown = () => world.service.messages.get('m2');

beforeEach(async () => {
  world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'first', me);
  world.service.messages.set('m2', { ...world.service.say('c1', 'words', me), reactions: [heart, tada] });
  world.send('who I am');
  await world.clock.advance(10_000);
  for (const name of ['joy', 'eyes']) await run(react(name, 'm1'));
  await run({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'first', text: 'one' });
  const { omittedReactions, reactionRule } = world.store.getState().local.capabilities;
  expect([omittedReactions?.value, reactionRule?.value]).toEqual(['kept', 'add']);
});

/** Bob takes one of his reactions back once the first change has been made. */
function takeBackAfterChange(isAnswered: boolean): void {
  const { client, messages } = world.service;
  const { updateMessage } = client;
  Object.assign(client, {
    updateMessage: async (...args: Parameters<typeof updateMessage>) => {
      client.updateMessage = updateMessage;
      const { value, ...answer } = await updateMessage(...args);
      const next = { ...value, reactions: value.reactions.filter(({ name }) => name !== 'tada') };
      messages.set('m2', next);
      if (!isAnswered) throw apiFault('timeout', 'ambiguous');
      return { ...answer, value: next };
    },
  });
}

describe.each([
  ['before the answer', true],
  ['before it is checked what became of a change without an answer', false],
] as const)('%s', (_, isAnswered) => {
  test('an edit does not restore the reaction that was taken back', async () => {
    takeBackAfterChange(isAnswered);
    await run(edit);
    expect(shown()).toMatchObject({ text: 'better', reactions: [heart] });
  });
});

test('a reaction whose answer was lost does not restore it, if the server only adds', async () => {
  takeBackAfterChange(false);
  await run(react('+1'));
  expect(shown()?.reactions).toEqual([heart, { name: '+1', by: ['me-name'] }]);
  expect(world.store.getState().local.capabilities.reactionRule?.value).toBe('add');
});
