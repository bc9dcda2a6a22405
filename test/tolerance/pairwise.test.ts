/** Kinds of servers in which every two of the differences of docs/server-differences.md, and the most dangerous ones, meet; the full suite has all. */
import { describe, expect, test } from 'vitest';
import { campaignPart } from '../support/campaigns/partition.ts';
import { nameOf, type Switch, switches } from '../support/quirk-server/quirks.ts';
import { avoidable } from './inherent.ts';
import { type Domain, pairwise } from './personalities.ts';
import { walk } from './walk.ts';

const domain: Domain = {
  reactions: switches.reactions,
  put: switches.put,
  order: switches.order,
  time: ['s', 'ms', 'us', 'iso'],
  paging: ['starting_after', 'page', 'offset', 'before', 'none'],
  text: switches.text,
  ids: ['string', 'int', 'bigint'],
  postReply: ['message', 'wrapped', 'id-only', 'empty'],
  listLag: switches.listLag,
  lateApply: switches.lateApply,
  clearing: switches.clearing,
  deletion: switches.deletion,
};
const personalities = pairwise(domain);

describe('combinations of differences', () => {
  test('contain every pair of values', () => {
    const names = Object.keys(domain) as Switch[];
    for (const [at, a] of names.entries())
      for (const b of names.slice(at + 1))
        for (const x of domain[a] ?? [])
          for (const y of domain[b] ?? []) expect(personalities.some((one) => one[a] === x && one[b] === y)).toBe(true);
    expect(personalities.length).toBeLessThan(45);
  });

  test.each(campaignPart(personalities, 25).map((quirks) => [nameOf(quirks), quirks] as const))(
    '%s',
    async (_, quirks) => {
      expect(avoidable(quirks, await walk(quirks))).toEqual([]);
    },
  );
});
