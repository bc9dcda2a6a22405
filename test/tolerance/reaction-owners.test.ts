/** Servers that leave other people's strings out of a change, or count them as the caller's: nobody is given or loses a reaction. */
import { expect, test } from 'vitest';
import { campaignPart } from '../support/campaigns/partition.ts';
import { nameOf, plain, type Quirks, switches } from '../support/quirk-server/quirks.ts';
import { walk } from './walk.ts';

const kinds: readonly Quirks[] = (['ignored', 'taken-as-own'] as const).flatMap((reactionOwner) =>
  switches.reactions.flatMap((reactions) =>
    switches.put.map((put): Quirks => ({ ...plain, reactionOwner, reactions, put })),
  ),
);

test('a refused name teaches nothing about whose reactions may be sent', async () => {
  const quirks: Quirks = { ...plain, reactions: 'replace', reactionStrings: 'ids', reactionNames: 'listed' };
  expect(await walk(quirks)).toEqual({ problems: [], admitted: ["react to another's twice refused"] });
});

test.each(campaignPart(kinds, 9).map((quirks) => [nameOf(quirks), quirks] as const))('%s', async (_, quirks) => {
  const { problems, admitted } = await walk(quirks);
  expect(problems).toEqual([]);
  // Where nothing is dropped nothing is to be feared; who appends can take nothing back.
  if (quirks.put === 'partial' && quirks.reactions !== 'append') expect(admitted).toEqual([]);
});
