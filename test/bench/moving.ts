/** Measures of keys that move or scroll: until the first visible change, and until the last byte of it. */
import type { MainThread } from './proc.ts';
import { frameMs, type Pressed, replay, whereItWent } from './replay.ts';
import type { Session } from './session.ts';
import { createDice, percentile } from './statistics.ts';
import { type Figures, measure, since } from './typing.ts';

export interface MovingOptions {
  /** Put before every label: `page`, `list`. */
  readonly label: string;
  /** Each key and how often. */
  readonly keys: readonly (readonly [key: string, count: number])[];
  /** Rows that change by themselves (a clock), counted from the top. */
  readonly ignoreRows?: readonly number[];
  /** Tells the longest as well, and of each that takes longer than a frame of sixty a second where its time went. */
  readonly tell?: (text: string) => void;
}

export const keyCodes = {
  up: '\x1b[A',
  down: '\x1b[B',
  pageUp: '\x1b[5~',
  pageDown: '\x1b[6~',
  end: '\x1b[F',
} as const;

export async function measureMoving(session: Session, options: MovingOptions): Promise<Figures> {
  const { label, ignoreRows = [], tell } = options;
  const dice = createDice(4);
  const pressed: Pressed[] = [];
  await session.quiet(200, 5_000);
  const before = measure(session);
  for (const [key, count] of options.keys)
    for (let i = 0; i < count; i++) {
      pressed.push({ main: session.main(), at: session.write(key), nth: pressed.length });
      await session.pause(70 + dice(50));
    }
  await session.pause(250);
  const used = since(session, before);

  const first: number[] = [];
  const last: number[] = [];
  let open: { readonly key: Pressed; rows: readonly string[]; lastAt: number | null; main: MainThread | null } | null =
    null;
  let missed = 0;
  const close = (): void => {
    if (open === null) return;
    const { key, lastAt, main } = open;
    if (lastAt === null) missed++;
    else last.push(lastAt - key.at);
    if (lastAt !== null && lastAt - key.at > frameMs)
      tell?.(`${label}, key ${key.nth + 1}: ${whereItWent(key, lastAt, main)}`);
  };
  const { blankFrames } = replay(session, pressed, {
    onKey(key, rows) {
      close();
      open = { key, rows, lastAt: null, main: null };
    },
    onFrame(at, rows, isChanged, main) {
      const now = open;
      if (!isChanged || now === null) return;
      const isOwn = rows.some((row, y) => row !== now.rows[y] && !ignoreRows.includes(y));
      // The clock may strike after the key's own frame.
      now.rows = rows;
      if (!isOwn) return;
      if (now.lastAt === null) first.push(at - now.key.at);
      now.lastAt = at;
      now.main = main;
    },
  });
  close();
  const count = pressed.length;
  return {
    [`${label} p50 ms`]: percentile(first, 50),
    [`${label} p95 ms`]: percentile(first, 95),
    ...(tell === undefined ? {} : { [`${label} max ms`]: Math.max(...last) }),
    [`${label} whole p95 ms`]: percentile(last, 95),
    [`${label} bytes/key`]: used.bytes / count,
    ...(Number.isNaN(used.cpu) ? {} : { [`${label} CPU ms/key`]: used.cpu / count }),
    [`${label} without change`]: missed,
    [`${label} blank frames`]: blankFrames,
    [`${label} full clears`]: session.picture.counts().clears - before.clears,
  };
}
