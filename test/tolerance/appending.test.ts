/** A server that puts the reactions of a PUT after those that are there: others' are sent along once, and not again. */
import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { type Scene, scene } from './scene.ts';

const react = async ({ rig, cast }: Scene, name: string) =>
  rig.act({
    kind: 'message.react',
    conversationId: cast.main.id,
    messageId: cast.annsReacted.id,
    name,
    present: true,
    confirmed: true,
  });

const times = ({ rig, cast }: Scene, name: string): number =>
  rig.server.world.messages.get(cast.annsReacted.id)?.reactions.find((one) => one.name === name)?.by.length ?? 0;

test.each([1, 2])('an appending server is recognised if reactions are listed %i times already', async (copies) => {
  const begun = await scene({ reactions: 'append' });
  const { rig, cast } = begun;
  try {
    const by = Array.from({ length: copies }, () => rig.server.world.stringOf(cast.ann));
    rig.server.world.putMessage({ ...cast.annsReacted, reactions: [{ name: 'heart', by }] });
    expect(await react(begun, 'joy')).toMatchObject({ how: 'settled' });
    expect(rig.store.getState().local.capabilities.reactionRule?.value).toBe('append');
    expect(times(begun, 'heart')).toBe(copies + 1);
    expect(await react(begun, 'tada')).toMatchObject({ how: 'settled' });
    expect([times(begun, 'heart'), times(begun, 'joy'), times(begun, 'tada')]).toEqual([copies + 1, 1, 1]);
  } finally {
    await rig.close();
  }
});

test('an appending server is recognised, too, if the check comes only after the next start', async () => {
  const begun = await scene({ reactions: 'append' });
  const { rig } = begun;
  try {
    let isSent = false;
    rig.fault = (operation) => {
      const facts = { kind: 'network', status: 0, outcome: 'ambiguous', message: 'no route', requestId: null } as const;
      if (isSent && operation === 'retrieveMessage') throw new ApiError({ ...facts, retryAfterMs: null, code: null });
      isSent ||= operation === 'updateMessage';
    };
    rig.engine.enqueue({
      kind: 'message.react',
      conversationId: begun.cast.main.id,
      messageId: begun.cast.annsReacted.id,
      name: 'tada',
      present: true,
      confirmed: true,
    });
    await rig.until(() => isSent, 60_000);
    await rig.restart();
    rig.fault = null;
    await rig.until(() => rig.store.getState().local.outbox.length === 0, 260_000);
    expect(rig.store.getState().local.capabilities.reactionRule?.value).toBe('append');
    expect(times(begun, 'heart')).toBe(4);
  } finally {
    await rig.close();
  }
});
