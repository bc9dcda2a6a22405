/** msg-tui itself: a day's use, long histories, the very first start, very many conversations. */
import { existsSync } from 'node:fs';
import type { Account } from './accounts.ts';
import { keyCodes, measureMoving } from './moving.ts';
import { inkOf } from './picture.ts';
import { cpuMs } from './proc.ts';
import { measureIdle, measureMemory, measureQuit } from './resting.ts';
import { type Session, type Start, startSession } from './session.ts';
import { median } from './statistics.ts';
import { type Figures, measureHold, measurePaste, measureTyping } from './typing.ts';
import type { Sizes, World } from './world.ts';

/** The header's clock. */
const clockRow = [0];
const quitKey = '\x11';
const escapeKey = '\x1b';

const firstContact = 'contact-000000';
const isOpen = (rows: readonly string[]): boolean => rows.some((row) => row.includes(`To ${firstContact}`));
export const isOnline = (rows: readonly string[]): boolean => rows[0]?.includes('as of') === true;

/** The account of most measures: 200 conversations, a tenth of the messages in the open one. */
const usual = ({ accounts }: World, { messages }: Sizes): Promise<Account> =>
  accounts.open('usual', { conversations: 200, messages, inFirst: messages / 10, histories: 200 });

/** The last message of the open conversation, which the list shows as well, and the one before it. */
const threadOf =
  (count: number) =>
  (rows: readonly string[]): boolean =>
    isOpen(rows) && rows.some((row) => row.includes(`#${count - 2} `));

/** From the start to the cached conversations, to the open thread, and to the first letter in the composer. */
async function measureStart(session: Session, count: number): Promise<Figures> {
  const paintedAt = await session.waitFor((rows) => inkOf(rows) > 0);
  const listedAt = await session.waitFor((rows) => rows.some((row) => row.includes(firstContact)));
  const openAt = await session.waitFor(threadOf(count));
  session.write('z');
  const typedAt = await session.waitFor((rows) => rows.some((row) => /│ z +│$/.test(row)));
  session.write('\x15');
  const { startedAt } = session;
  return {
    'first paint ms': paintedAt - startedAt,
    'conversations shown ms': listedAt - startedAt,
    'thread readable ms': openAt - startedAt,
    'typing echoed ms': typedAt - startedAt,
  };
}

export async function measureChat(world: World, sizes: Sizes): Promise<Figures> {
  const account = await usual(world, sizes);
  const inFirst = sizes.messages / 10;
  const starts: Figures[] = [];
  for (let i = 1; i < sizes.starts; i++)
    await within(account.warm, async (session) => {
      starts.push(await measureStart(session, inFirst));
      await session.waitFor(isOnline);
      await measureQuit(session, quitKey, () => undefined);
    });
  return within(account.warm, async (session) => {
    starts.push(await measureStart(session, inFirst));
    await settled(session);
    return {
      ...medians(starts),
      ...(await measureTyping(session, { count: sizes.keys })),
      ...(await measurePaging(session, sizes)),
      ...(await measureList(session, sizes)),
      ...(await measureHold(session, { count: sizes.held })),
      ...(await measurePaste(session, 10_240)),
      ...(await measureClicks(session, sizes)),
      ...(await measureIdle(session, { seconds: sizes.idleSeconds, afterMs: sizes.idleAfterMs })),
      ...(await measureUnfocused(session, sizes)),
      ...measureMemory(session),
      ...(await measureQuit(session, quitKey, world.tell)),
    };
  });
}

/** Scrolling from the newest message on, in a conversation of `messages`, all of them in the cache. */
export async function measurePages({ accounts }: World, sizes: Sizes, messages: number): Promise<Figures> {
  const size = { conversations: 1, messages, inFirst: messages, histories: 1 };
  const account = await accounts.open(`history-${messages}`, size);
  return within(account.warm, async (session) => {
    const start = await measureStart(session, messages);
    await settled(session);
    const figures = { ...start, ...(await measurePaging(session, sizes)), ...measureMemory(session) };
    // A kill may come before the end of the scrolling is saved, and the next round would begin there.
    await measureQuit(session, quitKey, () => undefined);
    return figures;
  });
}

/** An empty home: until the conversations are there, typing while the rest comes in, and all the work until it is quiet. */
export async function measureFirstSync(world: World, sizes: Sizes): Promise<Figures> {
  const account = await usual(world, sizes);
  return within(account.fresh(), async (session) => {
    const listedAt = await session.waitFor((rows) => rows.some((row) => row.includes('contact-0')), 120_000);
    session.write('g\r');
    const openAt = await session.waitFor(isOpen, 60_000);
    const typing = await measureTyping(session, { count: Math.min(sizes.keys, 100), gap: [30, 30] });
    const quietMs = await untilIdle(session);
    const cpu = cpuMs(session.pid);
    return {
      'conversations shown ms': listedAt - session.startedAt,
      'thread readable ms': openAt - session.startedAt,
      ...typing,
      'quiet after ms': quietMs,
      ...(cpu === null ? {} : { 'load CPU ms': cpu }),
      ...measureMemory(session),
    };
  });
}

export async function measureConversations({ accounts }: World, sizes: Sizes): Promise<Figures> {
  const count = sizes.manyConversations;
  const account = await accounts.open('many', {
    conversations: count,
    messages: count + 1_000,
    inFirst: 1_000,
    histories: 60,
  });
  return within(account.warm, async (session) => {
    const start = await measureStart(session, 1_000);
    await session.waitFor(isOnline, 120_000);
    await untilIdle(session);
    // The same keys before the list as with few conversations, so that the code is as warm.
    return {
      ...start,
      ...(await measureTyping(session, { count: sizes.keys })),
      ...(await measurePaging(session, sizes)),
      ...(await measureList(session, sizes)),
      ...measureMemory(session),
    };
  });
}

const measurePaging = (session: Session, { moves }: Sizes): Promise<Figures> =>
  measureMoving(session, {
    label: 'page',
    keys: [
      [keyCodes.pageUp, moves],
      [keyCodes.pageDown, moves],
    ],
    ignoreRows: clockRow,
  });

/** Tab leads from the composer to the list, Escape back. */
async function measureList(session: Session, { moves }: Sizes): Promise<Figures> {
  session.write('\t');
  await session.quiet(200, 3_000);
  const count = Math.ceil(moves / 2);
  const figures = await measureMoving(session, {
    label: 'list',
    keys: [
      [keyCodes.down, count],
      [keyCodes.up, count],
    ],
    ignoreRows: clockRow,
  });
  session.write(escapeKey);
  await session.quiet(300, 3_000);
  return figures;
}

/** A click that selects another message, and a key that does; Escape leads back to the composer. */
async function measureClicks(session: Session, { moves }: Sizes): Promise<Figures> {
  const count = Math.ceil(moves / 2);
  const clicks = Array.from({ length: count }, () => [clickOn(12), clickOn(28)]).flat();
  const click = await measureMoving(session, {
    label: 'click',
    keys: clicks.map((one) => [one, 1] as const),
    ignoreRows: clockRow,
  });
  const select = await measureMoving(session, {
    label: 'select',
    keys: Array.from({ length: count }, () => [['k', 1] as const, ['j', 1] as const]).flat(),
    ignoreRows: clockRow,
  });
  session.write(escapeKey);
  await session.quiet(300, 3_000);
  return { ...click, ...select };
}

/** SGR mouse reports (xterm ctlseqs, mode 1006) of the left button, pressed and released on a row of the thread. */
const clickOn = (row: number): string => `\x1b[<0;80;${row}M\x1b[<0;80;${row}m`;

/** The window loses the focus (mode 1004), as when another one is worked in. */
async function measureUnfocused(session: Session, { idleSeconds: seconds, idleAfterMs: afterMs }: Sizes) {
  session.write('\x1b[O');
  const figures = await measureIdle(session, { seconds, afterMs, label: 'unfocused' });
  session.write('\x1b[I');
  await session.quiet(300, 3_000);
  return figures;
}

async function settled(session: Session): Promise<void> {
  await session.waitFor(isOnline, 60_000);
  await session.quiet(500, 10_000);
}

/** Until the program has used next to no processor time for a second. @returns since its start */
export async function untilIdle(session: Session): Promise<number> {
  let calm = 0;
  let before = cpuMs(session.pid);
  for (let tries = 0; before !== null && calm < 2 && tries < 240; tries++) {
    await session.pause(500);
    const now: number = cpuMs(session.pid) ?? before;
    calm = now - before < 8 ? calm + 1 : 0;
    before = now;
  }
  session.drain();
  return performance.now() - session.startedAt - 1_000;
}

export async function within<T>(start: Start, work: (session: Session) => Promise<T>): Promise<T> {
  if (!existsSync(start.args[0] ?? '')) throw new Error('the program is not built');
  const session = startSession(start);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

function medians(all: readonly Figures[]): Figures {
  const labels = Object.keys(all[0] ?? {});
  return Object.fromEntries(labels.map((label) => [label, median(all.map((one) => one[label] ?? Number.NaN))]));
}
