/** All pairs of all switches, and 500 kinds of servers drawn at random (`MSG_TUI_SEED`); `MSG_TUI_PART=3/20` runs a piece of them. */
import { describe, expect, test } from 'vitest';
import { countFrom, inPart } from '../support/campaigns/partition.ts';
import { nameOf, promised } from '../support/quirk-server/quirks.ts';
import { avoidable } from './inherent.ts';
import { pairwise, randomQuirks, seededRandom } from './personalities.ts';
import { walk } from './walk.ts';

const random = seededRandom(countFrom('MSG_TUI_SEED', 20_261));
const personalities = [...pairwise(promised), ...Array.from({ length: 500 }, () => randomQuirks(random))];

describe('random combinations of differences', () => {
  test.each(inPart(personalities).map((quirks) => [nameOf(quirks), quirks] as const))('%s', async (_, quirks) => {
    expect(avoidable(quirks, await walk(quirks))).toEqual([]);
  });
});
