/** Every byte at which a write can be torn, and thousands of flipped bits (suite TP4); run by `npm run test:full`. */
import { expect, test } from 'vitest';
import { closeDropped } from '../support/collect.ts';
import { faultSites } from '../support/fault-sites.ts';
import { type Damage, judgeDamage, liveOutbox } from '../support/torn-files.ts';

const live = liveOutbox(12);
const flips = 3_000;

function* damages(): Generator<Damage> {
  for (let length = 0; length <= live.log.length; length++) yield { kind: 'log cut', length };
  for (let length = 0; length <= live.file.length; length += 997) yield { kind: 'file cut', length };
  // A prime step spreads the bits over all bytes and places in them.
  for (let flip = 0; flip < flips; flip++) yield { kind: 'log bit', bit: (flip * 104_729) % (live.log.length * 8) };
  for (let flip = 0; flip < flips; flip++) yield { kind: 'file bit', bit: (flip * 104_729) % (live.file.length * 8) };
}

test('opens with what is whole, keeps what is damaged, and goes on', { timeout: 7_200_000 }, async () => {
  const sites = faultSites([]);
  const wrong: string[] = [];
  let count = 0;
  for (const damage of damages()) {
    count += 1;
    sites.hit(damage.kind);
    const one = judgeDamage(live, damage);
    if (one !== null) wrong.push(one);
    if (count % 100 === 0) await closeDropped();
  }
  sites.print('TP4 torn files, full', `${count} damages`);
  expect(wrong).toEqual([]);
});
