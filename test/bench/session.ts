/** One program in a real pty: every chunk of its output is stamped as it arrives and looked at later. */
import { spawn } from '@lydell/node-pty';
import { createPicture, type Picture } from './picture.ts';
import { type MainThread, mainThread } from './proc.ts';

export const columns = 120;
export const rows = 40;

export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What its main thread had of the processors is noted with every chunk. */
  readonly isWatched?: boolean;
}

/** All times are `performance.now()` of this process, in milliseconds. */
export interface Chunk {
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly main: MainThread | null;
}

export interface Exit {
  readonly at: number;
  readonly code: number;
}

export interface Session {
  readonly pid: number;
  readonly startedAt: number;
  readonly picture: Picture;
  readonly exited: Promise<Exit>;
  /** Bytes written by the program so far. */
  bytes(): number;
  /** null unless it is watched. */
  main(): MainThread | null;
  /** @returns the moment just before the write */
  write(text: string): number;
  pause(ms: number): Promise<void>;
  /** Takes out the chunks that the picture has not been fed with. */
  take(): Chunk[];
  /** Feeds them to the picture. */
  drain(): void;
  /**
   * The time of the chunk that brought the sight. With `hint`, nothing is looked at before its bytes have come, so that
   * a flood is not held back by the emulator.
   * @throws Error with the screen when it does not come in time
   */
  waitFor(isSeen: (rows: readonly string[]) => boolean, timeoutMs?: number, hint?: string): Promise<number>;
  /** Until nothing has come for so long. */
  quiet(ms: number, limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Questions that a program may wait for the answer of: these are fed and answered at once. */
const question = /\x1b\[(?!5n)[?>=]?[0-9;]*(?:n|c|u|\$p)|\x1b\]1[01];\?/;

/** The status report (ECMA-48, DSR 5): msg-tui asks for it after large output. Its answer needs no picture. */
const statusQuestion = '\x1b[5n';
const statusAnswer = '\x1b[0n';

export function startSession({ command, args, env = {}, cwd = process.cwd(), isWatched = false }: Start): Session {
  const picture = createPicture(columns, rows);
  const { PATH = '' } = process.env;
  const startedAt = performance.now();
  const child = spawn(command, [...args], {
    cols: columns,
    rows,
    cwd,
    // Nothing of the developer's settings: CI, NO_COLOR or NODE_OPTIONS would change or cost something.
    env: { PATH, TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...env },
    encoding: null,
  });
  let chunks: Chunk[] = [];
  let total = 0;
  let isOver = false;
  let onChunk: (chunk: Chunk) => void = () => undefined;
  let onEnd: () => void = () => undefined;

  const main = (): MainThread | null => (isWatched ? mainThread(child.pid) : null);
  const write = (text: string): number => {
    const at = performance.now();
    if (!isOver) child.write(text);
    return at;
  };
  const drain = (): void => {
    for (const { bytes } of take()) picture.feed(bytes);
    const reply = picture.replies();
    if (reply !== '') write(reply);
  };
  const take = (): Chunk[] => {
    const taken = chunks;
    chunks = [];
    return taken;
  };
  child.onData((data) => {
    const at = performance.now();
    // With encoding null the data are bytes, whatever the type says.
    const bytes = data as unknown as Buffer;
    const chunk = { at, bytes, main: main() };
    chunks.push(chunk);
    total += bytes.length;
    if (bytes.includes(0x1b)) {
      const text = bytes.toString('latin1');
      // Feeding the picture here would take the chunk from the figures.
      if (text.includes(statusQuestion)) write(statusAnswer);
      if (question.test(text)) drain();
    }
    onChunk(chunk);
  });
  const exited = new Promise<Exit>((resolve) => {
    child.onExit(({ exitCode }) => {
      isOver = true;
      onEnd();
      resolve({ at: performance.now(), code: exitCode });
    });
  });
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  return {
    pid: child.pid,
    startedAt,
    picture,
    exited,
    bytes: () => total,
    main,
    write,
    pause,
    take,
    drain,
    waitFor: (isSeen, timeoutMs = 30_000, hint = '') =>
      new Promise((resolve, reject) => {
        let tail = '';
        const end = (): void => {
          onChunk = () => undefined;
          onEnd = () => undefined;
          clearTimeout(timer);
        };
        const look = (at: number): void => {
          drain();
          if (picture.isHidden() || !isSeen(picture.rows())) return;
          end();
          resolve(at);
        };
        const fail = (why: string): void => {
          end();
          drain();
          reject(new Error(`${why}; screen:\n${picture.rows().join('\n').trimEnd()}`));
        };
        const timer = setTimeout(() => fail(`the sight did not come within ${timeoutMs} ms`), timeoutMs);
        onEnd = () => fail('the program ended');
        if (isOver) onEnd();
        onChunk = ({ at, bytes }) => {
          if (hint !== '') {
            tail = (tail + Buffer.from(bytes).toString('latin1')).slice(-(bytes.length + hint.length));
            if (!tail.includes(hint)) return;
          }
          look(at);
        };
        look(performance.now());
      }),
    async quiet(ms, limitMs = 20_000) {
      const end = performance.now() + limitMs;
      for (let before = -1; before !== total && performance.now() < end; ) {
        before = total;
        await pause(ms);
      }
      drain();
    },
    async close() {
      if (!isOver) child.kill('SIGKILL');
      await exited;
    },
  };
}
