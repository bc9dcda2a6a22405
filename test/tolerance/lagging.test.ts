/** Servers that read from a copy that is older than what was written a moment ago, or whose clock is set back. */
import { expect, test } from 'vitest';
import { campaignPart } from '../support/campaigns/partition.ts';
import { nameOf, plain, type Quirks } from '../support/quirk-server/quirks.ts';
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

test('a conversation that was just created and written to is used although it is not found yet', async () => {
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

const lagging: readonly Partial<Quirks>[] = [
  { readLag: 3, reactions: 'replace' },
  { readLag: 3, reactions: 'append' },
  { readLag: 3, reactions: 'toggle' },
  { putReply: 'accepted' },
  { putReply: 'accepted', put: 'full-replace' },
  // What is left out is seen to be gone before the next step.
  { putReply: 'accepted', put: 'full-replace', reactions: 'append' },
  // A later change was compared with a message without its text, and what it took was not seen in time.
  { putReply: 'accepted', put: 'full-replace', reactions: 'toggle' },
  { putReply: 'empty', put: 'full-replace', readLag: 3 },
  { putReply: 'accepted', put: 'full-replace', reactionNames: 'listed' },
  { putReply: 'accepted', put: 'full-replace', contacts: 'subset' },
  // The answer showed that all was gone, which counted as not reported.
  { readLag: 3, put: 'full-replace', reactions: 'append' },
  // What was put back was compared with what there had been before the loss.
  { readLag: 3, putReply: 'empty', reactions: 'replace' },
  { readLag: 3, deletion: '500-then-404', errors: 'ok-false' },
  // No list shows the conversation, so that nobody remembered what had been set in it.
  { readLag: 3, put: 'full-replace', order: 'old-first', paging: 'none' },
  { readLag: 20, putReply: 'empty', reactions: 'replace' },
  { readLag: 20, putReply: 'accepted', put: 'full-replace', reactions: 'toggle', clearing: 'null' },
  { order: 'by-id', hasMore: 'missing', emptyList: 'null' },
];

/** Text and files of others were lost: what was refused because of others' reactions was sent again without the text. */
const refusingOthers: readonly Partial<Quirks>[] = [
  // Refused without a word: others' reactions were taken away to be put back with what had been refused.
  { putReply: 'accepted', put: 'full-replace', reactionOwner: 'own-only' },
  { readLag: 20, put: 'full-replace', reactionOwner: 'own-only' },
];

test.each(
  [...refusingOthers, ...campaignPart(lagging, 17)].map((quirks) => [nameOf({ ...plain, ...quirks }), quirks] as const),
)('%s', async (_, quirks) => {
  const { problems } = await walk({ ...plain, ...quirks });
  expect(problems).toEqual([]);
});

test('a message does not wait for the check of an ambiguous change', async () => {
  const { rig, cast } = await begin({ readLag: 20, putReply: 'empty' });
  const { id: conversationId } = cast.main;
  const waiting = () => rig.store.getState().local.outbox.map(({ action }) => action.kind);
  try {
    const { id: messageId, text: base } = cast.ownPlain;
    rig.engine.enqueue({ kind: 'message.edit', conversationId, messageId, base, text: 'better' });
    rig.engine.enqueue({ kind: 'conversation.pin', conversationId, value: true });
    rig.engine.enqueue({ kind: 'message.send', conversationId, text: 'at once' });
    await rig.until(() => waiting().length < 3, 5_000);
    expect(waiting()).toEqual(['message.edit', 'conversation.pin']);
    await rig.until(() => waiting().length === 0, 60_000);
    expect(rig.server.world.messages.get(messageId)?.text).toBe('better');
  } finally {
    await rig.close();
  }
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

test('a deleted message that a read still finds is checked again, also if the list is unchanged', async () => {
  const { problems } = await walk({ ...plain, readLag: 3, validators: 'strong' });
  expect(problems).toEqual([]);
});

test.each([
  [0, 1],
  [30, 49],
])(
  'a message without an answer is found after %i others, with %i from before the clock was set back',
  async (old, ahead) => {
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
  },
);
