/** The real program in a real terminal, killed at 500 random moments (suite TP3); run by `npm run test:full`. */
import { expect, test } from 'vitest';
import { killedAgainAndAgain } from '../support/campaigns/client-kills.ts';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { countFrom, inPart } from '../support/campaigns/partition.ts';
import { sideBySide } from '../support/system/side-by-side.ts';
import { seededRandom } from '../tolerance/personalities.ts';

const killsEach = 5;
const kills = countFrom('MSG_TUI_KILLS', 500);

test('nothing is lost, nothing is sent twice', { timeout: 3_600_000 }, async () => {
  const first = countFrom('MSG_TUI_SEED', 1 + (Date.now() % 900_000_000));
  const sites = faultSites(['killed while starting', 'killed while typing', 'killed at Enter', 'killed while sending']);
  let entered = 0;
  const profiles = inPart(Array.from({ length: Math.ceil(kills / killsEach) }, (_, index) => index));
  const wrong = await sideBySide(3, profiles, (number) =>
    killedAgainAndAgain(number, killsEach, seededRandom(first + number), sites, (count) => {
      entered += count;
    }),
  );
  const seeds = `seeds ${first + (profiles[0] ?? 0)} to ${first + (profiles.at(-1) ?? 0)}`;
  sites.print(
    'TP3 kill -9 of the program, full',
    `${profiles.length * killsEach} kills, ${entered} messages entered, ${seeds}`,
  );
  expect(wrong).toEqual([]);
  expect(sites.neverHit()).toEqual([]);
});
