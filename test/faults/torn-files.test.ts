/** Cut, flipped, zeroed, overwritten and missing files of the outbox (suite TP4): a sample; many more in the full run. */
import { expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import {
  type Damage,
  damagesOf,
  judgeDamage,
  killedAtRest,
  killedInside,
  killedWithLog,
  type Left,
} from '../support/campaigns/torn-files.ts';
import { closeDropped } from '../support/system/collect.ts';

const atRest = killedAtRest(12);
const inside = killedInside(12);
const withLog = killedWithLog(12);

/** A sixtieth of the damages in `npm test`. */
const part = (count: number): number => campaignSize(Math.ceil(count / 60), count);

const cases: readonly (readonly [string, Left, readonly Damage[]])[] = [
  ['outbox.db', atRest, damagesOf(atRest, 'file', part(60))],
  ['the journal between transactions', atRest, damagesOf(atRest, 'journal', part(12))],
  ['outbox.db in a transaction', inside, damagesOf(inside, 'file', part(20))],
  ['the journal in a transaction', inside, damagesOf(inside, 'journal', part(28))],
  ["outbox.db beside an earlier version's log", withLog, damagesOf(withLog, 'file', part(28))],
  ["an earlier version's log", withLog, damagesOf(withLog, 'wal', part(40))],
];

test.each(cases)(
  '%s: no loss of text goes unreported, and inspecting a damaged file never calls it whole',
  async (name, left, damages) => {
    const sites = faultSites([]);
    const wrong: string[] = [];
    for (const [index, damage] of damages.entries()) {
      sites.hit(damage.kind);
      wrong.push(...[judgeDamage(left, damage) ?? []].flat());
      if (index % 50 === 0) await closeDropped();
    }
    sites.print(`TP4 torn files, ${name}`, `${damages.length} damages`);
    expect(wrong).toEqual([]);
  },
  120_000,
);

test('the transaction that was running is undone if its journal is whole', () => {
  expect(inside.files.journal?.[0]).not.toBe(0);
  expect(judgeDamage(inside, { of: 'wal', kind: 'removed' })).toBe(null);
});
