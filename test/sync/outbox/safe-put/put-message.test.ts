/** When the answer to a change of a message is enough, and when the message is read again. */
import { beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../../src/protocol/types.ts';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import { me } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const theirs = [{ name: 'heart', by: ['bob'] }];
const withMine = [...theirs, { name: '+1', by: ['me-name'] }];
const place = { conversationId: 'c1', messageId: 'm2' };

let world: SyncWorld;

beforeEach(async () => {
  world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'first', me);
  world.service.messages.set('m2', { ...world.service.say('c1', 'words', me), reactions: theirs });
  world.send('who I am');
  await world.clock.advance(10_000);
});

/** The requests to the message, in order. */
async function requestsOf(action: OpAction): Promise<readonly string[]> {
  const before = world.service.requests.length;
  world.engine.enqueue(action);
  await world.clock.advance(40_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  return world.service.requests.slice(before).filter((request) => request.endsWith('m2'));
}

const react = (name: string, messageId = 'm2'): OpAction => {
  const { conversationId } = place;
  return { kind: 'message.react', conversationId, messageId, name, present: true, confirmed: true };
};

/** Two reactions and an edit of a message to which nobody else has reacted show what this server does with a change. */
async function learn(): Promise<void> {
  for (const name of ['tada', 'eyes']) await requestsOf(react(name, 'm1'));
  await requestsOf({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'first', text: 'one' });
  const { omittedText, omittedReactions, reactionRule } = world.store.getState().local.capabilities;
  expect([omittedText?.value, omittedReactions?.value, reactionRule?.value]).toEqual(['kept', 'kept', 'add']);
}

/** Every answer to a change is this instead; the change is made. */
function answerWith(patch: (made: Message) => Partial<Message>): void {
  const { client } = world.service;
  const { updateMessage } = client;
  Object.assign(client, {
    updateMessage: async (...args: Parameters<typeof updateMessage>) => {
      const answer = await updateMessage(...args);
      return { ...answer, value: { ...answer.value, ...patch(answer.value) } };
    },
  });
}

const read = ['retrieveMessage m2', 'updateMessage m2', 'retrieveMessage m2'];

test('the message is read again while it is not known how the server handles a change', async () => {
  expect(await requestsOf(react('+1'))).toEqual(read);
  expect(world.service.messages.get('m2')?.reactions).toEqual(withMine);
});

test('an answer that shows the whole expected message is enough once that is known', async () => {
  await learn();
  expect(await requestsOf(react('+1'))).toEqual(read.slice(0, 2));
  const edit = { kind: 'message.edit', ...place, base: 'words', text: 'better' } as const;
  expect(await requestsOf(edit)).toEqual(read.slice(0, 2));
  expect(world.cache.message('c1', 'm2')).toMatchObject({ text: 'better', reactions: [...theirs, { name: '+1' }] });
});

test.each([
  ['a reaction of somebody else is missing', () => ({ reactions: [{ name: '+1', by: ['me-name'] }] })],
  ['a reaction came meanwhile', () => ({ reactions: [...withMine, { name: 'joy', by: ['ann'] }] })],
  ['it shows the old reactions', () => ({ reactions: theirs })],
  ['it has no text', () => ({ text: '' })],
  ['it has no time', () => ({ createdAt: null })],
  ['only a part of the message is kept', () => ({ isCut: true as const })],
] as const)('the message is read again if the answer is not the expected message: %s', async (_, patch) => {
  await learn();
  answerWith(patch);
  expect((await requestsOf(react('+1'))).slice(0, 3)).toEqual(read);
  expect(world.service.messages.get('m2')?.reactions).toEqual(withMine);
});
