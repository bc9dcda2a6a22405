/** Torn, flipped, zeroed and missing files of the outbox (suite TP4): a sample; every byte in the full run. */
import { expect, test } from 'vitest';
import { closeDropped } from '../support/collect.ts';
import { faultSites } from '../support/fault-sites.ts';
import { campaignSize } from '../support/partition.ts';
import { type Damage, judgeDamage, liveOutbox } from '../support/torn-files.ts';

const live = liveOutbox(12);
const every = <T>(length: number, step: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: Math.ceil(length / step) }, (_, index) => make(index * step));

const coarser = campaignSize(5, 1);

const damages: readonly Damage[] = [
  ...every(live.log.length, 83 * coarser, (length): Damage => ({ kind: 'log cut', length })),
  ...every(live.file.length, 9001 * coarser, (length): Damage => ({ kind: 'file cut', length })),
  ...every(live.log.length * 8, 743 * coarser, (bit): Damage => ({ kind: 'log bit', bit })),
  ...every(live.file.length * 8, 2003 * coarser, (bit): Damage => ({ kind: 'file bit', bit })),
  ...every(live.log.length / 4096, 1, (block): Damage => ({ kind: 'log block', block })),
  ...every(live.file.length / 4096, 1, (block): Damage => ({ kind: 'file block', block })),
  ...(
    [
      ...['no log', 'empty log', 'empty file', 'no file', 'rubbish shm', 'log of another file'],
      ...['directory as file', 'directory as log', 'directory as shm'],
    ] as const
  ).map((kind) => ({ kind }) as Damage),
];

test('opens with what is whole, keeps what is damaged, and goes on', { timeout: 480_000 }, async () => {
  const sites = faultSites([]);
  const wrong: string[] = [];
  for (const [index, damage] of damages.entries()) {
    sites.hit(damage.kind);
    wrong.push(...[judgeDamage(live, damage) ?? []].flat());
    if (index % 100 === 0) await closeDropped();
  }
  sites.print('TP4 torn files', `${damages.length} damages`);
  expect(wrong).toEqual([]);
});
