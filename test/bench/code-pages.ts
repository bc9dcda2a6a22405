/** Paging through highlighted code against paging through prose, in messages of as many rows. */
import { openConversation } from './long.ts';
import { pageTexts } from './long-texts.ts';
import { keyCodes, measureMoving } from './moving.ts';
import { within } from './msg-tui.ts';
import { measureQuit } from './resting.ts';
import type { Figures } from './typing.ts';
import type { World } from './world.ts';

/** Forty messages of eight rows in the thread of a screen of forty. */
const pages = 8;
const rounds = 5;
const quitKey = '\x11';

export async function measureCodePages(world: World): Promise<Figures> {
  const account = await world.accounts.long();
  return within(account.fresh(), async (session) => {
    await session.waitFor((rows) => rows.some((row) => row.includes('code ')), 60_000);
    await session.quiet(1_000, 20_000);
    const figures: Figures = {};
    for (const [at, name] of Object.keys(pageTexts).entries()) {
      // From the composer to the list; at the start the keyboard is there.
      if (at > 0) session.write('\t');
      await openConversation(world, session, name);
      // It opens at its first message, as nobody has read it.
      session.write(keyCodes.end);
      await session.quiet(500, 5_000);
      const there = [
        [keyCodes.pageUp, pages],
        [keyCodes.pageDown, pages],
      ] as const;
      const page = (label: string, keys: readonly (readonly [string, number])[]): Promise<Figures> =>
        measureMoving(session, { label, keys, ignoreRows: [0] });
      // What is seen for the first time is laid out, and the colours of code arrive after it.
      Object.assign(figures, await page(`${name} first page`, [[keyCodes.pageUp, pages - 1]]));
      await page('back', [[keyCodes.pageDown, pages]]);
      Object.assign(figures, await page(`${name} page`, Array.from({ length: rounds }, () => there).flat()));
    }
    await measureQuit(session, quitKey, () => undefined);
    return Object.fromEntries(Object.entries(figures).filter(([label]) => !label.endsWith('without change')));
  });
}
