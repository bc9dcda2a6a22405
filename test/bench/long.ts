/** Long messages: the longest time from a key to the last of its picture, while one is read, written or coming in. */
import type { LongAccount } from './accounts.ts';
import { longTexts } from './long-texts.ts';
import { keyCodes, measureMoving } from './moving.ts';
import { within } from './msg-tui.ts';
import { frameMs, type Pressed, replay, whereItWent } from './replay.ts';
import { measureQuit } from './resting.ts';
import type { Session } from './session.ts';
import { type Figures, typingMax } from './typing.ts';
import type { Sizes, World } from './world.ts';

const clockRow = [0];
const quitKey = '\x11';

/** Longer than any opening takes. */
const openingMs = 1_500;

/** The conversation with the sender of that name, opened from the list; until the frame that shows it. */
export async function openConversation({ tell }: World, session: Session, name: string): Promise<number> {
  await session.quiet(200, 5_000);
  session.write(`/${name}`);
  await session.quiet(300, 5_000);
  const key: Pressed = { main: session.main(), at: session.write('\r'), nth: 0 };
  // Nothing is looked at meanwhile: a terminal that is slow to read would hold the picture back.
  await session.pause(openingMs);
  let tookMs: number | null = null;
  replay(session, [key], {
    onKey: () => undefined,
    onFrame(at, rows, _isChanged, main) {
      if (tookMs !== null || !rows.some((row) => row.includes(`To ${name}`))) return;
      tookMs = at - key.at;
      if (tookMs > frameMs) tell(`opening: ${whereItWent(key, at, main)}`);
    },
  });
  if (tookMs === null) throw new Error(`the conversation with ${name} did not open`);
  return tookMs;
}

const moving = async (
  { tell }: World,
  session: Session,
  label: string,
  keys: readonly (readonly [string, number])[],
): Promise<Figures> => {
  const figures = await measureMoving(session, { label, keys, ignoreRows: clockRow, tell });
  return {
    [`${label} p50 ms`]: figures[`${label} p50 ms`] ?? Number.NaN,
    [`${label} max ms`]: figures[`${label} max ms`] ?? Number.NaN,
  };
};

export async function measureLong(world: World, { moves }: Sizes, kind: string): Promise<Figures> {
  const account = await world.accounts.long();
  const count = Math.min(moves, 20);
  const reading = await within({ ...account.fresh(), isWatched: true }, async (session) => {
    await session.waitFor((rows) => rows.some((row) => row.includes(`${kind} `)), 60_000);
    await session.quiet(1_000, 20_000);
    const openMs = await openConversation(world, session, kind);
    const figures: Figures = { 'opening ms': openMs };
    Object.assign(figures, await typingMax(session, 'typing', 40, world.tell));
    session.write('\x15');
    // It opened at its first message, as nobody has read it.
    session.write(keyCodes.end);
    Object.assign(
      figures,
      await moving(world, session, 'page', [
        [keyCodes.pageUp, count],
        [keyCodes.pageDown, count],
      ]),
    );
    session.write(keyCodes.up);
    Object.assign(
      figures,
      await moving(world, session, 'select', [
        ['k', 5],
        ['j', 5],
      ]),
    );
    Object.assign(
      figures,
      await moving(world, session, 'part', [
        ['m', count],
        ['M', count],
      ]),
    );
    session.write('\t');
    await session.quiet(300, 3_000);
    // Up to the composer, wherever the keys have led.
    session.write('\x1b');
    await session.quiet(300, 3_000);
    const pasteAt = session.write(`\x1b[200~${(longTexts[kind] ?? '').slice(0, 1_000_000)}END\x1b[201~`);
    const pastedAt = await session.waitFor((rows) => rows.some((row) => row.includes('END')), 60_000, 'END');
    figures['paste ms'] = pastedAt - pasteAt;
    await session.quiet(1_000, 10_000);
    Object.assign(figures, await typingMax(session, 'long draft', 40, world.tell));
    Object.assign(figures, await moving(world, session, 'long draft up', [[keyCodes.up, 10]]));
    await measureQuit(session, quitKey, () => undefined);
    return figures;
  });
  return { ...reading, ...(await measureArrival(world, account, kind)) };
}

/** Letters in another conversation while the message comes in by a poll. */
const measureArrival = (world: World, account: LongAccount, kind: string): Promise<Figures> =>
  within({ ...account.fresh(), isWatched: true }, async (session) => {
    await session.waitFor((rows) => rows.some((row) => row.includes('friend ')), 60_000);
    await session.quiet(1_000, 20_000);
    await openConversation(world, session, 'friend');
    account.say(kind);
    const figures = await typingMax(session, 'while it comes', 150, world.tell);
    await measureQuit(session, quitKey, () => undefined);
    return figures;
  });
