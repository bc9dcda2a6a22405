/** Thousands of damages of the files of the outbox (suite TP4); run by `npm run test:full`. */
import { expect, test } from 'vitest';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import {
  damagesOf,
  type FileName,
  judgeDamage,
  killedAtRest,
  killedInside,
  killedWithLog,
} from '../support/campaigns/torn-files.ts';
import { closeDropped } from '../support/system/collect.ts';

const count = 2_000;
const left = { 'at rest': killedAtRest(12), inside: killedInside(12), 'with a log': killedWithLog(12) };
const cases = Object.entries(left).flatMap(([state, one]) =>
  (Object.keys(one.files) as FileName[]).map((name) => [state, name, one] as const),
);

test.each(cases)('%s, %s: no loss of text goes unreported', { timeout: 7_200_000 }, async (state, name, one) => {
  const sites = faultSites([]);
  const wrong: string[] = [];
  const damages = damagesOf(one, name, count);
  for (const [index, damage] of damages.entries()) {
    sites.hit(damage.kind);
    wrong.push(...[judgeDamage(one, damage) ?? []].flat());
    if (index % 50 === 0) await closeDropped();
  }
  sites.print(`TP4 torn files, full, ${state} ${name}`, `${damages.length} damages`);
  expect(wrong).toEqual([]);
});
