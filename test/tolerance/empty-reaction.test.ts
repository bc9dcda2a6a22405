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
    expect(await giveAndTakeBack(begun, '+1')).toEqual(['settled', 'settled']);
    expect(reactionsOf(begun)).toEqual([]);
    const sent = begun.rig.server.requests.filter((request) => request.startsWith('PUT'));
    expect(sent.filter((request) => request.endsWith('[]='))).toEqual([]);
  } finally {
    await begun.rig.close();
  }
});

test('one that nothing else takes back leaves an empty one once, which is told, and no second time', async () => {
  const begun = await scene({ reactions: 'add', emptyReaction: 'a string' });
  const { rig, cast } = begun;
  try {
    const theirs = { name: 'heart', by: [rig.server.world.stringOf(cast.bob)] };
    const sent = () => rig.server.requests.filter((request) => request.endsWith('[]='));
    begin(begun, [theirs]);
    expect(await giveAndTakeBack(begun, '+1')).toEqual(['settled', 'refused']);
    expect(rig.notices).toContainEqual(expect.stringContaining('keeps an empty reaction'));
    expect(sent()).toHaveLength(1);
    expect(await giveAndTakeBack(begun, 'eyes')).toEqual(['settled', 'refused']);
    expect(sent()).toHaveLength(1);
  } finally {
    await rig.close();
  }
});
