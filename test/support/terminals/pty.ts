/** Runs a program in a real pty behind a terminal emulator, and types, looks and waits like a person. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type IPty, spawn } from '@lydell/node-pty';
import { createTerminal, rowCells, rowText } from './headless.ts';

export interface TuiOptions {
  /** The program; Node itself unless given. */
  readonly command?: string;
  readonly args: readonly string[];
  /** Added to a small clean environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  /** Whether the terminal answers questions; on by default. */
  readonly answers?: boolean;
}

/** How long to wait for what comes at once on a quiet machine. Long, so that a busy one fails no test. */
const patienceMs = 30_000;

export interface Exit {
  readonly code: number;
  readonly signal: number;
}

export type Sight = string | RegExp | ((screen: readonly string[]) => boolean);

export interface Tui {
  readonly pid: number;
  /** Resolves when the program has ended and all its output has been drawn. */
  readonly exited: Promise<Exit>;
  /** Rows without trailing blanks. */
  screen(): string[];
  /** Characters and styles of a row. */
  cells(y: number): string;
  cursor(): { readonly x: number; readonly y: number };
  /** Every byte that the program wrote. */
  output(): string;
  /** Resolves when the program has drawn something after this call, or when the time is over. */
  drawn(timeoutMs: number): Promise<void>;
  isAlternate(): boolean;
  modes(): { readonly mouse: string; readonly paste: boolean; readonly focus: boolean; readonly wrap: boolean };
  /** @throws Error with the screen when the sight does not come in time */
  waitFor(sight: Sight, timeoutMs?: number): Promise<void>;
  /** Waits until the output holds the text, for what is not on the screen (modes, titles). */
  waitForOutput(text: string, timeoutMs?: number): Promise<void>;
  /** A key by its canonical name (`ctrl+k`, `alt+up`, `enter`, `J`). */
  press(...keys: readonly string[]): void;
  type(text: string): void;
  paste(text: string): void;
  send(bytes: string): void;
  resize(columns: number, rows: number): void;
  kill(signal?: NodeJS.Signals): void;
  /** Closes the terminal under the program. */
  hangUp(): void;
  /** Reads no more of what the program writes. */
  stopReading(): void;
  /** After `stopReading`: reads so many bytes, or as many as have come. Resolves with their number when they are drawn. */
  read(most: number): Promise<number>;
  /** Ends the program if it still runs. */
  close(): Promise<void>;
}

export function spawnTui(options: TuiOptions): Tui {
  const columns = options.columns ?? 100;
  const rows = options.rows ?? 30;
  const terminal = createTerminal(columns, rows);
  const child = spawn(options.command ?? process.execPath, [...options.args], {
    cols: columns,
    rows,
    cwd: options.cwd ?? process.cwd(),
    env: environment(options.env ?? {}),
    encoding: null,
  });
  const watchers = new Set<() => void>();
  const chunks: Buffer[] = [];
  let isOver = false;
  let isReading = true;
  const take = (bytes: Buffer): void => {
    chunks.push(bytes);
    terminal.write(bytes, () => {
      for (const watcher of watchers) watcher();
    });
  };
  // With encoding null the data are bytes, whatever the type says.
  child.onData((data) => take(data as unknown as Buffer));
  holdOpen(child, () => {
    while (isReading && !isOver) {
      const rest = readNow(child, mostAtOnce);
      if (rest.length === 0) return;
      take(rest);
    }
  });
  if (options.answers !== false) terminal.onData((reply) => !isOver && child.write(reply));
  const exited = new Promise<Exit>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      isOver = true;
      // The last output may still be on its way from the pty.
      setTimeout(() => {
        terminal.write('', () => {
          for (const watcher of watchers) watcher();
          resolve({ code: exitCode, signal: signal ?? 0 });
        });
      }, 20);
    });
  });
  const screen = (): string[] => Array.from({ length: terminal.rows }, (_, y) => rowText(terminal, y));
  const output = (): string => Buffer.concat(chunks).toString('utf8');
  const send = (bytes: string): void => {
    if (!isOver) child.write(bytes);
  };

  const until = (isTrue: () => boolean, what: string, timeoutMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        watchers.delete(look);
      };
      const look = (): void => {
        // A frame that is half drawn is on nobody's screen; one that was cut off by the end stays.
        if (terminal.modes.synchronizedOutputMode && !isOver) return;
        if (!isTrue()) return;
        stop();
        resolve();
      };
      const timer = setTimeout(() => {
        stop();
        reject(
          new Error(
            `${what} did not come within ${timeoutMs} ms${isOver ? '; the program has ended' : ''}. Screen:\n${screen().join('\n')}`,
          ),
        );
      }, timeoutMs);
      watchers.add(look);
      look();
    });

  return {
    pid: child.pid,
    exited,
    screen,
    output,
    drawn: (timeoutMs) => {
      const before = chunks.length;
      return until(() => chunks.length > before, 'output', timeoutMs).catch(() => undefined);
    },
    cells: (y) => rowCells(terminal, y),
    cursor: () => ({ x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY }),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    modes: () => ({
      mouse: terminal.modes.mouseTrackingMode,
      paste: terminal.modes.bracketedPasteMode,
      focus: terminal.modes.sendFocusMode,
      wrap: terminal.modes.wraparoundMode,
    }),
    waitFor: (sight, timeoutMs = patienceMs) => until(() => isSeen(sight, screen()), String(sight), timeoutMs),
    waitForOutput: (text, timeoutMs = patienceMs) =>
      until(() => output().includes(text), JSON.stringify(text), timeoutMs),
    press: (...keys) => {
      for (const key of keys) send(bytesOfKey(key));
    },
    type: send,
    paste: (text) => send(`\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`),
    send,
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      child.resize(nextColumns, nextRows);
    },
    kill: (signal = 'SIGTERM') => signalTo(child.pid, signal),
    hangUp() {
      isOver = true;
      (child as unknown as { destroy(): void }).destroy();
    },
    stopReading() {
      isReading = false;
      child.pause();
      // The stream of the pty would still fill its buffer, as if the line had taken all of that.
      (child as unknown as { readonly _socket: { readonly _handle: { readStop(): void } } })._socket._handle.readStop();
    },
    read(most) {
      const bytes = readNow(child, most);
      chunks.push(bytes);
      return new Promise((resolve) => terminal.write(bytes, () => resolve(bytes.length)));
    },
    async close() {
      if (!isOver) signalTo(child.pid, 'SIGKILL');
      await exited;
      terminal.dispose();
    },
  };
}

const lookEveryMs = 20;
const mostAtOnce = 65_536;

/**
 * When nobody has the terminal open any more, libuv takes the next read for the last one, and a read brings 4,096 bytes at most;
 * and the package closes the terminal 200 ms after the end of the program. Of a program that ends before a busy test has
 * looked, the rest would be lost. So the test has it open, too, until the program is gone and the rest was read.
 */
function holdOpen(child: IPty, readRest: () => void): void {
  const { ptsName } = child as unknown as { readonly ptsName: string };
  const held = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY);
  const timer = setInterval(() => {
    if (isRunning(child.pid)) return;
    clearInterval(timer);
    readRest();
    closeSync(held);
  }, lookEveryMs);
}

/** Reads past the stream of the pty, which takes all that there is. */
function readNow(child: IPty, most: number): Buffer {
  const { fd } = child as unknown as { readonly fd: number };
  const bytes = Buffer.alloc(most);
  try {
    return bytes.subarray(0, readSync(fd, bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return bytes.subarray(0, 0);
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The program may have ended a moment ago. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isSeen(sight: Sight, screen: readonly string[]): boolean {
  if (typeof sight === 'function') return sight(screen);
  const text = screen.join('\n');
  return typeof sight === 'string' ? text.includes(sight) : sight.test(text);
}

/** Nothing of the developer's own settings; in particular not CI, which silences Ink. */
function environment(extra: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const { PATH, TMPDIR } = process.env;
  const all = {
    PATH,
    TMPDIR,
    HOME: '/nonexistent',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    ...extra,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const plainKeys: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  escape: '\x1b',
  backspace: '\x7f',
  space: ' ',
  'shift+tab': '\x1b[Z',
  'ctrl+space': '\x00',
  'ctrl+_': '\x1f',
  'ctrl+j': '\n',
};
const letterKeys: Readonly<Record<string, string>> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  end: 'F',
  home: 'H',
  f1: 'P',
  f2: 'Q',
  f3: 'R',
  f4: 'S',
};
const numberKeys: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};

/** What xterm sends for a key of `events.ts`; keys that only the kitty protocol can say are said in it. */
function bytesOfKey(key: string): string {
  const plain = plainKeys[key];
  if (plain !== undefined) return plain;
  const match = /^(ctrl\+)?(alt\+)?(shift\+)?(.+)$/su.exec(key);
  const [, ctrl, alt, shift, name = key] = match ?? [];
  const modifiers = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  const letter = letterKeys[name];
  if (letter !== undefined) {
    if (modifiers > 1) return `\x1b[1;${modifiers}${letter}`;
    return /[PQRS]/.test(letter) ? `\x1bO${letter}` : `\x1b[${letter}`;
  }
  const number = numberKeys[name];
  if (number !== undefined) return modifiers > 1 ? `\x1b[${number};${modifiers}~` : `\x1b[${number}~`;
  const bytes = plainKeys[name] ?? name;
  if (shift || (ctrl && !/^[a-z@[\\\]^_]$/.test(name))) return `\x1b[${bytes.codePointAt(0)};${modifiers}u`;
  const character = ctrl ? String.fromCharCode(name.toUpperCase().charCodeAt(0) & 0x1f) : bytes;
  return alt ? `\x1b${character}` : character;
}
