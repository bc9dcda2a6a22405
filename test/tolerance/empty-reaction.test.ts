/** Servers that count the empty value of `reactions[name][]=` as one more string: none is left on what somebody else wrote. */
import { expect, test } from 'vitest';
import { plain, type Quirks, switches } from '../support/quirk-server/quirks.ts';
import type { StoredReaction } from '../support/quirk-server/world.ts';
import { type Scene, scene } from './scene.ts';

function begin({ rig, cast }: Scene, reactions: readonly StoredReaction[]): void {
  rig.server.world.putMessage({ ...cast.annsReacted, reactions });
}

async function giveAndTakeBack({ rig, cast }: Scene, name: string): Promise<readonly string[]> {
  const { id: messageId } = cast.annsReacted;
  const action = { kind: 'message.react', conversationId: cast.main.id, messageId, name } as const;
  const ends = [];
  for (const present of [true, false]) ends.push((await rig.act({ ...action, present, confirmed: true })).how);
  return ends;
}

const reactionsOf = ({ rig, cast }: Scene) => rig.server.world.messages.get(cast.annsReacted.id)?.reactions;

const kinds: readonly Quirks[] = (['resource', 'accepted'] as const).flatMap((putReply) =>
  switches.reactions
    .filter((reactions) => reactions !== 'append')
    .map((reactions): Quirks => ({ ...plain, putReply, reactions, emptyReaction: 'a string' })),
);

test.each(kinds)('$putReply, $reactions: a reaction is given and taken back, and nothing stays', async (quirks) => {
  const begun = await scene(quirks);
  try {
    begin(begun, []);
    // The second time with what was learned from the first.
    for (const name of ['+1', 'eyes']) expect(await giveAndTakeBack(begun, name)).toEqual(['settled', 'settled']);
    expect(reactionsOf(begun)).toEqual([]);
    const sent = begun.rig.server.requests.filter((request) => request.startsWith('PUT'));
    expect(sent.filter((request) => request.endsWith('[]='))).toEqual([]);
  } finally {
    await begun.rig.close();
  }
});

// Where sending one's own again takes nothing back, only the empty value is left to try.
test.each(kinds.filter(({ reactions }) => reactions !== 'add'))(
  '$putReply, $reactions: no empty reaction stays beside those of others',
  async (quirks) => {
    const begun = await scene(quirks);
    const theirs = { name: 'heart', by: [begun.rig.server.world.stringOf(begun.cast.bob)] };
    try {
      begin(begun, [theirs]);
      for (const name of ['+1', 'eyes']) await giveAndTakeBack(begun, name);
      const left = reactionsOf(begun) ?? [];
      expect(left.filter(({ by }) => by.includes(''))).toEqual([]);
      expect(left).toContainEqual(theirs);
    } finally {
      await begun.rig.close();
    }
  },
);
