/** Servers that read from a copy which is behind what was written a moment ago, or whose clock is set back. */
import { expect, test } from 'vitest';
import { plain, type Quirks } from '../support/quirk-server/quirks.ts';
import { type Cast, seedCast } from './cast.ts';
import { type Rig, startRig } from './rig.ts';
import { walk } from './walk.ts';

async function begin(quirks: Partial<Quirks>): Promise<{ readonly rig: Rig; readonly cast: Cast }> {
  const casts: Cast[] = [];
  const rig = await startRig({ ...plain, ...quirks }, (server, now) => void casts.push(seedCast(server, now)));
  const [cast] = casts;
  if (cast === undefined) throw new Error('no cast');
  await rig.until(() => rig.store.getState().view.connection.listComplete, 60_000);
  return { rig, cast };
}

test('what was started and sent just now is written to although it is not found yet', async () => {
  const { rig, cast } = await begin({ readLag: 3, listLag: 2, emptyList: '404' });
  const { world } = rig.server;
  try {
    const create = { kind: 'conversation.create', contactId: cast.stranger.id, groupId: null } as const;
    expect(await rig.act(create)).toMatchObject({ how: 'settled' });
    const { id: conversationId = '' } =
      [...world.conversations.values()].find(({ contactId }) => contactId === cast.stranger.id) ?? {};
    await rig.open(conversationId);
    const text = 'helo';
    expect(await rig.act({ kind: 'message.send', conversationId, text })).toMatchObject({ how: 'settled' });
    const { id: messageId = '' } = [...world.messages.values()].find((row) => row.text === text) ?? {};
    const edit = { kind: 'message.edit', conversationId, messageId, base: text, text: 'hello' } as const;
    expect(await rig.act(edit)).toMatchObject({ how: 'settled' });
    const again = { kind: 'message.edit', conversationId, messageId, base: 'hello', text: 'hello!' } as const;
    expect(await rig.act(again)).toMatchObject({ how: 'settled' });
    expect(world.messages.get(messageId)?.text).toBe('hello!');
    expect(rig.store.getState().cache.conversations.has(conversationId)).toBe(true);
  } finally {
    await rig.close();
  }
});

test.each(['replace', 'append', 'toggle'] as const)('reactions=%s readLag=3', async (reactions) => {
  const { problems } = await walk({ ...plain, reactions, readLag: 3 });
  expect(problems).toEqual([]);
});

test.each(['partial', 'full-replace'] as const)('put=%s putReply=accepted', async (put) => {
  const { problems } = await walk({ ...plain, put, putReply: 'accepted' });
  expect(problems).toEqual([]);
});

test('order=by-id hasMore=missing emptyList=null', async () => {
  const { problems } = await walk({ ...plain, order: 'by-id', hasMore: 'missing', emptyList: 'null' });
  expect(problems).toEqual([]);
});

test('what is left out is seen to be gone before the next step: put=full-replace putReply=accepted reactions=append', async () => {
  const { problems } = await walk({ ...plain, put: 'full-replace', putReply: 'accepted', reactions: 'append' });
  expect(problems).toEqual([]);
});

test('a message that was sent just now stays on the screen while no read shows it', async () => {
  const { rig, cast } = await begin({ readLag: 20, listLag: 60 });
  const { id: conversationId } = cast.main;
  try {
    await rig.open(conversationId);
    await rig.act({ kind: 'message.send', conversationId, text: 'here to stay' });
    const isShown = (): boolean =>
      rig.store.getState().cache.threads.get(conversationId)?.messages.at(-1)?.text === 'here to stay';
    expect(isShown()).toBe(true);
    expect(await rig.until(() => !isShown(), 100_000)).toBe(false);
  } finally {
    await rig.close();
  }
});

test('a message that a read still finds is looked for again, also where the list is unchanged', async () => {
  const { problems } = await walk({ ...plain, readLag: 3, validators: 'strong' });
  expect(problems).toEqual([]);
});

test.each([
  [0, 1],
  [30, 49],
])('a message without an answer is found behind %i, and %i from before the clock was set back', async (old, ahead) => {
  const { rig, cast } = await begin({ postReply: 'empty' });
  const { world } = rig.server;
  const conversationId = cast.quiet[0]?.id ?? '';
  const hour = 3_600_000;
  try {
    for (let number = 0; number < old + ahead; number += 1) {
      const createdAt = rig.clock.now() + (number < old ? -hour : hour) + number * 1000;
      const row = { ...cast.annsDoomed, id: world.newId('m'), conversationId, seq: world.nextSeq(), createdAt };
      world.putMessage({ ...row, text: `before ${number}` }, true);
    }
    await rig.open(conversationId);
    const send = { kind: 'message.send', conversationId, text: 'after' } as const;
    expect(await rig.act(send)).toMatchObject({ how: 'settled' });
    expect([...world.messages.values()].filter(({ text }) => text === 'after')).toHaveLength(1);
  } finally {
    await rig.close();
  }
});
