/** Measures of text: single keys, a key held down, a paste. */
import { cpuMs } from './proc.ts';
import { frameMs, type Pressed, replay, whereItWent } from './replay.ts';
import type { Session } from './session.ts';
import { createDice, percentile } from './statistics.ts';

/** By label, in the order of the report; what could not be measured is left out. */
export type Figures = Record<string, number>;

export interface TypingOptions {
  readonly count: number;
  readonly seed?: number;
  /** Empties the line that is typed in. */
  readonly clear?: string;
  /** Between two keys, in milliseconds: from, and how much more at most. */
  readonly gap?: readonly [from: number, more: number];
}

const letters = 'bcdfghjklmnpqrstvwxyz';
const batch = 25;
const clearLine = '\x15';

interface Batch {
  readonly latencies: number[];
  readonly missed: number;
  readonly blankFrames: number;
  readonly frames: number;
  readonly lastFrameAt: number;
}

/** Random letters at a person's pace; a key counts as shown when the last four letters are together in a visible frame. */
export async function measureTyping(session: Session, options: TypingOptions): Promise<Figures> {
  const { count, seed = 1, clear = clearLine, gap = [50, 70] } = options;
  const dice = createDice(seed);
  const letter = (): string => letters[dice(letters.length)] ?? 'x';
  const latencies: number[] = [];
  const sums = { missed: 0, blank: 0, bytes: 0, cpu: 0, clears: 0 };
  for (let done = 0; done < count; done += batch) {
    let word = await begin(session, letter);
    const before = measure(session);
    const keys: Pressed[] = [];
    for (let i = 0; i < Math.min(batch, count - done); i++) {
      const one = letter();
      word += one;
      keys.push({ at: session.write(one), nth: i });
      await session.pause(gap[0] + dice(gap[1]));
    }
    await session.pause(150);
    const used = since(session, before);
    const seen = follow(session, word, keys);
    latencies.push(...seen.latencies);
    sums.missed += seen.missed;
    sums.blank += seen.blankFrames;
    sums.bytes += used.bytes;
    sums.cpu += used.cpu;
    sums.clears += session.picture.counts().clears - before.clears;
    session.write(clear);
    await session.quiet(100, 3_000);
  }
  return {
    'typing p50 ms': percentile(latencies, 50),
    'typing p95 ms': percentile(latencies, 95),
    'typing bytes/key': sums.bytes / count,
    ...(Number.isNaN(sums.cpu) ? {} : { 'typing CPU ms/key': sums.cpu / count }),
    'typing keys not shown': sums.missed,
    'typing blank frames': sums.blank,
    'typing full clears': sums.clears,
  };
}

/** Letters at the end of what is in the composer, each counted until its own frame is complete: the longest. */
export async function typingMax(
  session: Session,
  label: string,
  count: number,
  tell: (text: string) => void = () => undefined,
): Promise<Figures> {
  await session.quiet(200, 5_000);
  const pressed: Pressed[] = [];
  for (let i = 0; i < count; i++) {
    pressed.push({ main: session.main(), at: session.write('abcdefghij'[i % 10] ?? 'a'), nth: i });
    await session.pause(40);
  }
  await session.pause(250);
  const times: number[] = [];
  let since: Pressed | null = null;
  replay(session, pressed, {
    onKey: (key) => {
      since ??= key;
    },
    onFrame(at, _rows, isChanged, main) {
      if (!isChanged || since === null) return;
      times.push(at - since.at);
      if (at - since.at > frameMs) tell(`${label}, letter ${since.nth + 1}: ${whereItWent(since, at, main)}`);
      since = null;
    },
  });
  return { [`${label} max ms`]: Math.max(...times) };
}

/** A key held down: at a fixed rate, never waiting for the program. */
export async function measureHold(session: Session, options: TypingOptions): Promise<Figures> {
  const { count, seed = 2, clear = clearLine } = options;
  const dice = createDice(seed);
  const letter = (): string => letters[dice(letters.length)] ?? 'x';
  const gap = 1000 / 30;
  const perBatch = 60;
  const latencies: number[] = [];
  const lags: number[] = [];
  let frames = 0;
  for (let done = 0; done < count; done += perBatch) {
    let word = await begin(session, letter);
    const keys: Pressed[] = [];
    const start = performance.now();
    for (let i = 0; i < Math.min(perBatch, count - done); i++) {
      await session.pause(Math.max(0, start + i * gap - performance.now()));
      const one = letter();
      word += one;
      keys.push({ at: session.write(one), nth: i });
    }
    await session.pause(400);
    const seen = follow(session, word, keys);
    latencies.push(...seen.latencies);
    frames += seen.frames;
    lags.push(Math.max(0, seen.lastFrameAt - (keys.at(-1)?.at ?? 0)));
    session.write(clear);
    await session.quiet(100, 3_000);
  }
  return {
    'held key p50 ms': percentile(latencies, 50),
    'held key frames/key': frames / count,
    'held key late': latencies.filter((one) => one > gap).length + (count - latencies.length),
    'held key lag ms': Math.max(...lags),
  };
}

/** Until the end of the text can be seen. */
export async function measurePaste(session: Session, bytes: number, clear = clearLine): Promise<Figures> {
  const dice = createDice(3);
  const mark = 'Q314159Z';
  let text = '';
  while (text.length < bytes - mark.length) {
    for (let left = 2 + dice(8); left > 0; left--) text += letters[dice(letters.length)];
    text += ' ';
  }
  await session.quiet(200, 3_000);
  const before = measure(session);
  const sent = session.picture.takesBracketedPaste() ? `\x1b[200~${text}${mark}\x1b[201~` : text + mark;
  const at = session.write(sent);
  const shownAt = await session.waitFor((rows) => rows.some((row) => row.includes(mark)), 20_000, mark.slice(-1));
  await session.quiet(300, 5_000);
  const { cpu } = since(session, before);
  session.write(clear);
  await session.quiet(300, 5_000);
  return { 'paste 10 KB ms': shownAt - at, ...(Number.isNaN(cpu) ? {} : { 'paste CPU ms': cpu }) };
}

/** Four letters to recognise the first key by. */
async function begin(session: Session, letter: () => string): Promise<string> {
  let word = '';
  for (let i = 0; i < 4; i++) {
    const one = letter();
    word += one;
    session.write(one);
    await session.pause(40);
  }
  await session.quiet(100, 3_000);
  return word;
}

function follow(session: Session, word: string, keys: readonly Pressed[]): Batch {
  const pending = new Map<number, number>();
  const latencies: number[] = [];
  let frames = 0;
  let lastFrameAt = 0;
  const { blankFrames } = replay(session, keys, {
    onKey: ({ at, nth }) => void pending.set(nth, at),
    onFrame(at, rows, isChanged) {
      if (!isChanged) return;
      let isText = false;
      for (const [nth, pressedAt] of pending) {
        const tail = word.slice(nth + 1, nth + 5);
        if (!rows.some((row) => row.includes(tail))) continue;
        pending.delete(nth);
        latencies.push(at - pressedAt);
        isText = true;
      }
      if (!isText) return;
      frames++;
      lastFrameAt = at;
    },
  });
  return { latencies, missed: pending.size, blankFrames, frames, lastFrameAt };
}

export interface Reading {
  readonly bytes: number;
  readonly cpu: number;
  readonly clears: number;
}

/** Processor time is NaN where the system does not report it. */
export const measure = (session: Session): Reading => ({
  bytes: session.bytes(),
  cpu: cpuMs(session.pid) ?? Number.NaN,
  clears: session.picture.counts().clears,
});

export const since = (session: Session, before: Reading): Omit<Reading, 'clears'> => ({
  bytes: session.bytes() - before.bytes,
  cpu: (cpuMs(session.pid) ?? Number.NaN) - before.cpu,
});
