/** Servers that count reactions, or list them in rows of their own: nobody is made up, and nobody loses theirs. */
import { describe, expect, test } from 'vitest';
import { parseReactions } from '../../../../src/protocol/reactions.ts';
import type { Message, Reaction } from '../../../../src/protocol/types.ts';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import * as eg from '../../../support/builders/eg.ts';
import { apiFault, contact, me, type ReactionsRule } from '../../../support/servers/fake-service.ts';
import { replaceOnPut } from '../../../support/servers/replacing-put.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

type Shape = (reactions: readonly Reaction[]) => unknown;

const counts: Shape = (reactions) => Object.fromEntries(reactions.map(({ name, by }) => [name, by.length]));
const withoutPeople: Readonly<Record<string, Shape>> = {
  counts,
  'objects of counts': (reactions) => reactions.map(({ name, by }) => ({ [name]: by.length })),
  'rows of counts': (reactions) => reactions.map(({ name, by }) => ({ name, count: by.length })),
  'rows cut short': (reactions) =>
    reactions.map(({ name, by }) => ({ emoji: name, count: by.length, users: by.slice(1) })),
  'a row each': (reactions) => reactions.flatMap(({ name, by }) => by.map((user) => ({ reaction: name, user }))),
  numbers: (reactions) => reactions.length,
};
const documented: Shape = (reactions) => reactions.map(({ name, by }) => ({ [name]: by }));
const rows: Shape = (reactions) => reactions.map(({ name, by }) => ({ name, count: by.length, users: by }));

const theirs = [{ name: 'heart', by: ['bob', 'ann-name'] }];
const people = ['bob', 'ann-name', 'me', 'me-name'];

interface Stage extends SyncWorld {
  /** The reactions of every change, one list a request. */
  readonly sent: (readonly Reaction[])[];
  act(action: OpAction): Promise<void>;
  reactions(id: string): readonly Reaction[];
  notices(): readonly string[];
}

/** `m1` and `m2` are own ones; others have reacted to the second. */
async function stage(shape: Shape, rule: ReactionsRule | 'dropping'): Promise<Stage> {
  const world = syncWorld();
  const { client, messages } = world.service;
  if (rule === 'dropping') replaceOnPut(world.service, 'dropped');
  else world.service.rule = rule;
  const { retrieveMessage, updateMessage } = client;
  const sent: (readonly Reaction[])[] = [];
  const asShown = (message: Message): Message => ({
    ...message,
    reactions: parseReactions(shape(message.reactions)).reactions,
  });
  const plain = async (...[id]: Parameters<typeof retrieveMessage>) => retrieveMessage(id);
  Object.assign(client, {
    retrieveMessage: async (...args: Parameters<typeof plain>) => {
      const answer = await plain(...args);
      return { ...answer, value: asShown(answer.value) };
    },
    updateMessage: async (...args: Parameters<typeof updateMessage>) => {
      if (args[1].reactions !== undefined) sent.push(args[1].reactions);
      const answer = await updateMessage(...args);
      const held = messages.get(args[0]) ?? answer.value;
      return { ...answer, value: asShown(held) };
    },
  });
  world.service.addConversation('c1');
  world.service.say('c1', 'bare', me);
  messages.set('m2', { ...world.service.say('c1', 'liked', me), reactions: theirs });
  world.send('who I am');
  await world.clock.advance(10_000);
  return Object.assign(world, {
    sent,
    act: async (action: OpAction) => {
      world.engine.enqueue(action);
      await world.clock.advance(40_000);
    },
    reactions: (id: string) => messages.get(id)?.reactions ?? [],
    notices: () => world.store.getState().screen.notices.map(({ text }) => text),
  });
}

const react = (messageId: string, present = true): OpAction => ({
  kind: 'message.react',
  conversationId: 'c1',
  messageId,
  name: '+1',
  present,
  confirmed: true,
});

describe.each(Object.entries(withoutPeople))('%s', (_, shape) => {
  test('nothing is sent to a message whose reactions are not known by name', async () => {
    const { act, sent, reactions, notices } = await stage(shape, 'replace');
    await act(react('m2'));
    expect(sent).toEqual([]);
    expect(reactions('m2')).toEqual(theirs);
    expect(notices()).toEqual([expect.stringContaining('cannot be changed from here')]);
  });

  test('only the own reaction is sent, and once, if there is no other', async () => {
    const { act, sent, notices } = await stage(shape, 'replace');
    await act(react('m1'));
    expect(notices()).toEqual([]);
    await act(react('m1'));
    expect(sent).toEqual([[{ name: '+1', by: ['me-name'] }]]);
    // The first is seen to have come by the number of its name.
    expect(notices()).toEqual([expect.stringContaining('cannot be changed from here')]);
  });

  test.each(['add', 'replace', 'append', 'toggle', 'own-only', 'dropping'] as const)(
    'no change names a person that the server did not name: %s',
    async (rule) => {
      const world = await stage(shape, rule);
      const { act, sent, reactions, store } = world;
      for (const id of ['m1', 'm2']) await act(react(id));
      for (const id of ['m1', 'm2']) await act(react(id, false));
      expect(reactions('m2')).toEqual(theirs);
      await act({ kind: 'message.edit', conversationId: 'c1', messageId: 'm2', base: 'liked', text: 'better' });
      for (const op of store.getState().local.outbox) world.engine.retry(op.uuid);
      await world.clock.advance(40_000);
      expect(sent.flat().flatMap(({ by }) => by.filter((one) => !people.includes(one)))).toEqual([]);
      expect(sent.flat().filter(({ name, by }) => !['heart', '+1'].includes(name) || by.length === 0)).toEqual([]);
      expect(reactions('m2')).toEqual(theirs);
      expect(world.service.messages.get('m1')?.text).toBe('bare');
    },
  );
});

test('an edit that may remove what others added asks first, and the loss is reported', async () => {
  const world = await stage(counts, 'dropping');
  await world.act({ kind: 'message.edit', conversationId: 'c1', messageId: 'm2', base: 'liked', text: 'better' });
  const [op] = world.store.getState().local.outbox;
  expect(op?.reason).toContain('it may drop 2 of other people');
  world.engine.retry(op?.uuid ?? '');
  await world.clock.advance(40_000);
  expect(world.service.messages.get('m2')?.text).toBe('better');
  expect(world.sent).toEqual([]);
  expect(world.notices()).toEqual([expect.stringContaining('has lost 2 reactions')]);
});

test("one row for each reaction with everybody's name works like the documented form", async () => {
  const { act, reactions } = await stage(rows, 'replace');
  await act(react('m2'));
  expect(reactions('m2')).toEqual([...theirs, { name: '+1', by: ['me-name'] }]);
  await act(react('m2', false));
  expect(reactions('m2')).toEqual(theirs);
});

test('one row for each person, against the document, is not changed', async () => {
  const byPerson: Shape = (reactions) =>
    Object.fromEntries(reactions.flatMap(({ name, by }) => by.map((one) => [one, [name]])));
  const { act, sent, reactions, notices, service, clock } = await stage(byPerson, 'replace');
  // One of them is known by name.
  service.say('c1', 'it was me');
  await clock.advance(60_000);
  await act(react('m2'));
  expect(sent).toEqual([]);
  expect(reactions('m2')).toEqual(theirs);
  expect(notices()).toEqual([expect.stringContaining('cannot be changed from here')]);
});

const known = ({ store }: SyncWorld) => store.getState().local.capabilities.reactionAuthors?.value;

test('how people are named is not learned from strings of the user, which a server may only have stored', async () => {
  const world = await stage(documented, 'replace');
  world.service.say('c1', 'it was me', contact('bob'));
  await world.clock.advance(60_000);
  for (const name of ['+1', 'tada']) await world.act({ ...react('m1'), name } as OpAction);
  expect([known(world), world.reactions('m1').map(({ by }) => by)]).toEqual([undefined, [['me-name'], ['me-name']]]);
  const liked = world.service.messages.get('m2') ?? eg.message({});
  world.service.messages.set('m2', { ...liked, reactions: [{ name: 'heart', by: ['bob'] }] });
  await world.act(react('m2'));
  expect([known(world), world.reactions('m2').at(-1)?.by]).toEqual(['id', ['me']]);
});

test('the string of the user that a server refuses and the one that it accepts are learned', async () => {
  const world = await stage(documented, 'replace');
  const { client } = world.service;
  const { updateMessage } = client;
  Object.assign(client, {
    updateMessage: async (...args: Parameters<typeof updateMessage>) => {
      const strings = args[1].reactions?.flatMap(({ by }) => by) ?? [];
      if (strings.includes('me-name')) throw apiFault('invalid', 'rejected', { status: 400 });
      return updateMessage(...args);
    },
  });
  await world.act(react('m1'));
  expect([known(world), world.reactions('m1')]).toEqual(['id', [{ name: '+1', by: ['me'] }]]);
});

test('a reaction does not go to the message that has the id of a deleted one', async () => {
  const { act, service, reactions, sent, notices, store } = await stage(documented, 'replace');
  const { messages } = service;
  const liked = messages.get('m2') ?? eg.message({});
  messages.set('m2', { ...liked, text: 'something else', reactions: [], createdAt: (liked.createdAt ?? 0) + 60_000 });
  await act(react('m2', false));
  expect(notices()).toEqual([]);
  await act(react('m2'));
  expect([sent, reactions('m2')]).toEqual([[], []]);
  expect(notices()).toEqual([expect.stringContaining('does not find this message')]);
  expect(store.getState().local.outbox).toEqual([]);
});

test('a reaction to a message that is gone is reported; taking a reaction back from it succeeds', async () => {
  const { act, service, sent, notices } = await stage(documented, 'replace');
  service.messages.delete('m1');
  service.messages.delete('m2');
  await act(react('m2', false));
  expect(notices()).toEqual([]);
  await act(react('m1'));
  expect([sent, notices()]).toEqual([[], [expect.stringContaining('does not find this message')]]);
});

test.each([true, false])(
  'reactions that replace the others are asked about until the server has accepted those of others (refused: %s)',
  async (areRefused) => {
    const world = await stage(documented, 'replace');
    const { client, messages } = world.service;
    const { updateMessage } = client;
    Object.assign(client, {
      updateMessage: async (...args: Parameters<typeof updateMessage>) => {
        const isOther = args[1].reactions?.some(({ by }) => by.some((one) => !one.startsWith('me'))) === true;
        if (areRefused && isOther) throw apiFault('forbidden', 'rejected', { status: 403 });
        return updateMessage(...args);
      },
    });
    messages.set('m9', { ...world.service.say('c1', 'liked too', me), id: 'm9', reactions: theirs });
    const react = (messageId: string, name: string, confirmed: boolean): Promise<void> =>
      world.act({ kind: 'message.react', conversationId: 'c1', messageId, name, present: true, confirmed });
    for (const name of ['eyes', 'tada']) await react('m1', name, false);
    expect(world.store.getState().local.capabilities.reactionRule?.value).toBe('replace');
    await react('m2', 'tada', false);
    expect(world.reactions('m2')).toEqual(theirs);
    expect(world.notices().join()).toContain('React again to confirm');
    world.sent.length = 0;
    await react('m2', 'tada', true);
    // The server took one change: what is there already is not sent again to restore what it refuses.
    expect(world.sent).toHaveLength(1);
    await react('m9', 'tada', false);
    expect(world.reactions('m9')).toEqual(areRefused ? theirs : [...theirs, { name: 'tada', by: ['me-name'] }]);
  },
);
