/** One journey: the built program in a real pty, written in command ids and visible text, against a server of its own. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createKeymap, isBareCharacter } from '../../../src/commands/keymap.ts';
import { commands } from '../../../src/commands/table.ts';
import type { RequestHook } from '../../../src/server/http/start.ts';
import type { Seed } from '../../../src/server/seed/seed-format.ts';
import { typingMs } from '../../../src/state/view/overlays.ts';
import { type JourneyServer, startJourneyServer } from '../servers/journey-server.ts';
import { filesIn, filesWithToken, holdsToken } from '../system/canary.ts';
import { expectOwnOutput } from './own-output.ts';
import { environmentIn, program } from './program.ts';
import { type Exit, type Sight, spawnTui, type Tui } from './pty.ts';
import { shareCode } from './shared-code.ts';

export interface JourneyOptions {
  /** `columns x rows`, such as `80x24`; 100x30 unless given. */
  readonly size?: `${number}x${number}`;
  /** People and past conversations; everybody in `users` gets a token, the first one is who looks at the screen. */
  readonly seed: Seed;
  readonly hook?: RequestHook;
  /** Added to the program's environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** Another copy of the built program than that of this checkout. */
  readonly program?: string;
  /** A command that runs the program, given to it as its last arguments. */
  readonly wrapper?: readonly [command: string, ...rest: string[]];
  /** Whether the terminal answers questions; on by default. */
  readonly answers?: boolean;
  /** Start the program at once; on by default. */
  readonly start?: boolean;
  /** Start without the compiled code that journeys share. */
  readonly compilesItself?: boolean;
  /** Notifications that the program may have written. */
  readonly notifications?: readonly string[];
  /** How many texts are copied in each run; none by default. */
  readonly copies?: number;
}

export interface Journey {
  readonly server: JourneyServer;
  /** The terminal, for what can be said neither in commands nor in visible text. */
  readonly tui: Tui;
  /** Data, cache and configuration of this journey. */
  readonly folder: string;
  /** From the list: filters it by the name and opens the first match; the composer has the keyboard then. */
  open(name: string): Promise<void>;
  /** The first (or nth) key of each command; a rest between two letters makes each of them a command. */
  press(...ids: readonly (string | readonly [id: string, nth: number])[]): void;
  /** Answers a question, which takes no answer in its first moments. */
  answer(id: 'confirm.yes' | 'confirm.no', question: string): Promise<void>;
  type(text: string): void;
  paste(text: string): void;
  /** @throws Error with the screen when the sight does not come in time */
  see(sight: Sight, timeoutMs?: number): Promise<void>;
  gone(sight: string | RegExp, timeoutMs?: number): Promise<void>;
  screen(): string;
  /** The rows that hold the text. */
  rows(text: string): readonly string[];
  resize(columns: number, rows: number): void;
  /** Resolves when the program is gone. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  quit(): Promise<Exit>;
  /** Starts the program, again on the same files; `env` is laid over its environment. */
  start(env?: Readonly<Record<string, string | undefined>>): void;
  /** Every file under the journey's folder that holds the text. */
  filesWith(text: string): readonly string[];
  /** Resolves when a file holds the text and `outbox.db` is committed, so that the end of the program cannot take it back. */
  stored(text: string): Promise<void>;
}

const keymap = createKeymap(commands);

export function keyOf(id: string, nth = 0): string {
  const key = keymap.keysOf(id)[nth];
  if (key === undefined) throw new Error(`${id} has no key ${nth}`);
  return key;
}

/** When the test is over everything is closed, and what was written must have been the program's own sequences only. */
export async function journey(options: JourneyOptions): Promise<Journey> {
  if (!existsSync(program)) throw new Error(`there is no ${program}: run npm run build`);
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-journey-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startJourneyServer(join(folder, 'server.db'), options.seed, options.hook);
  onTestFinished(() => server.close());
  const [columns, rows] = (options.size ?? '100x30').split('x').map(Number);
  const home = join(folder, 'home');
  const runs: Tui[] = [];
  onTestFinished(async () => {
    for (const run of runs) await run.close();
    for (const run of runs) {
      const told = options.notifications ?? [];
      expectOwnOutput(
        told.reduce((output, one) => output.replaceAll(one, ''), run.output()),
        options.copies,
      );
    }
    // Whatever the journey is about, the token is nowhere but where it is kept.
    const { token } = server.me;
    for (const run of runs) expect(holdsToken(run.output(), token), 'the token on the screen').toBe(false);
    expect(filesWithToken(home, token)).toEqual([]);
  });

  const now = (): Tui => {
    const run = runs.at(-1);
    if (run === undefined) throw new Error('the program has not been started');
    return run;
  };
  const [command, ...before] =
    options.wrapper === undefined ? [process.execPath] : [...options.wrapper, process.execPath];
  const filesWith = (text: string) => filesIn(home).filter((file) => readFileSync(file).includes(text));
  const start = (env: Readonly<Record<string, string | undefined>> = {}): void => {
    const run = spawnTui({
      command,
      args: [...before, options.program ?? program, ...(options.args ?? [])],
      ...(columns === undefined || rows === undefined ? {} : { columns, rows }),
      ...(options.answers === undefined ? {} : { answers: options.answers }),
      env: {
        ...environmentIn(home),
        MSG_TUI_SERVER: server.url,
        MSG_TUI_TOKEN: server.me.token,
        ...options.env,
        ...env,
      },
    });
    runs.push(run);
  };
  const leave = async (act: () => void): Promise<Exit> => {
    act();
    return now().exited;
  };
  if (options.compilesItself !== true) await shareCode(home);
  if (options.start !== false) start();
  const pacing = createPacing((ms) => now().drawn(ms));

  return {
    server,
    get tui() {
      return now();
    },
    folder: home,
    async open(name) {
      await now().waitFor(name);
      now().press(keyOf('list.filter'));
      now().type(name);
      now().press(keyOf('filter.open'));
      await now().waitFor(`To ${name}`);
    },
    press: (...ids) => {
      for (const id of ids) {
        const key = typeof id === 'string' ? keyOf(id) : keyOf(...id);
        pacing.press(key, () => now().press(key));
      }
    },
    async answer(id, question) {
      await pacing.done();
      await now().waitFor(question);
      // One press, made after the time in which a question ignores keys: a second one could reach what is below.
      await new Promise((resolve) => setTimeout(resolve, typingMs + 100));
      pacing.press(keyOf(id), () => now().press(keyOf(id)));
      await now().waitFor((screen) => !screen.join('\n').includes(question));
    },
    type: (text) => pacing.type(() => now().type(text)),
    paste: (text) => pacing.type(() => now().paste(text)),
    async see(sight, timeoutMs) {
      await pacing.done();
      await now().waitFor(sight, timeoutMs);
    },
    async gone(sight, timeoutMs) {
      await pacing.done();
      await now().waitFor((screen) => {
        const text = screen.join('\n');
        return typeof sight === 'string' ? !text.includes(sight) : !sight.test(text);
      }, timeoutMs);
    },
    screen: () => now().screen().join('\n'),
    rows: (text) =>
      now()
        .screen()
        .filter((row) => row.includes(text)),
    resize: (width, height) => now().resize(width, height),
    kill: (signal) => leave(() => now().kill(signal)),
    quit: () => leave(() => now().press(keyOf('app.quit'))),
    start,
    filesWith,
    stored: (text) => expect.poll(() => filesWith(text).length > 0 && isCommitted(home)).toBe(true),
  };
}

/** Before that, SQLite undoes the write at the next start: it commits by clearing the header of the journal. */
const isCommitted = (folder: string): boolean =>
  filesIn(folder)
    .filter((file) => file.endsWith('outbox.db-journal'))
    .every((file) => readFileSync(file).subarray(0, 8).equals(Buffer.alloc(8)));

/** How long to wait for what a letter draws; some draw nothing. */
const drawnMs = 1_500;

/**
 * Keeps letters that are commands so far apart that they are no sentence; what comes after them waits as well. The time counts
 * from what the program draws for a letter, as it may read one late on a busy machine.
 */
function createPacing(drawn: (timeoutMs: number) => Promise<void>) {
  let pending: Promise<void> | null = null;
  /** When the last letter took effect; it resolves once that is known. */
  let letterAt: Promise<number> = Promise.resolve(Number.NEGATIVE_INFINITY);
  let hasLetter = false;
  const act = (key: string | null, send: () => void): void => {
    if (key !== null && isBareCharacter(key)) {
      hasLetter = true;
      letterAt = drawn(drawnMs).then(() => Date.now());
    }
    send();
  };
  const rest = async (): Promise<void> => {
    const ms = (await letterAt) + typingMs + 50 - Date.now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  };
  const inTurn = (key: string | null, send: () => void): void => {
    const needsRest = hasLetter && (key === null || key === 'enter' || isBareCharacter(key));
    if (pending === null && !needsRest) {
      act(key, send);
      return;
    }
    const turn = (pending ?? Promise.resolve()).then(async () => {
      if (needsRest) await rest();
      act(key, send);
      if (pending === turn) pending = null;
    });
    pending = turn;
  };
  return {
    press: inTurn,
    type: (send: () => void): void => inTurn(null, send),
    done: async (): Promise<void> => void (await pending),
  };
}
