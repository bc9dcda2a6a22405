/** Servers with data and accounts on them, started when first asked for and ended together. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Session, type Start, startSession } from './session.ts';

export interface DataSize {
  readonly conversations: number;
  /** In all. */
  readonly messages: number;
  /** Of these, in the newest conversation. */
  readonly inFirst: number;
  /** Of how many conversations the whole history is in the warm cache. */
  readonly histories: number;
}

export interface Account {
  /** How msg-tui is started on it; the cache was filled once. */
  readonly warm: Start;
  /** The same with an empty home. */
  fresh(): Start;
}

export interface LongAccount {
  /**
   * Nothing but the program's compiled code has been kept, by a run in which a conversation was opened: to keep it takes
   * tens of milliseconds, once a version.
   */
  fresh(): Start;
  /** The message of that kind comes once more. */
  say(kind: string): void;
}

export interface Place {
  /** For databases, homes and bundles. */
  readonly folder: string;
  readonly program: string;
  tell(text: string): void;
}

export interface Accounts {
  open(name: string, size: DataSize): Promise<Account>;
  irc(lines: number): Promise<number>;
  /** A server of its own with one long message of each kind. */
  long(): Promise<LongAccount>;
  close(): void;
}

export function createAccounts({ folder, program, tell }: Place): Accounts {
  const children = new Set<ChildProcess>();
  const opened = new Map<string, Promise<Account>>();
  const codes = new Map<string, Promise<string>>();
  const ircPorts = new Map<number, Promise<number>>();
  mkdirSync(join(folder, 'homes'), { recursive: true });
  const newHome = (): string => mkdtempSync(join(folder, 'homes', 'home-'));

  const run = (file: string, args: readonly unknown[]): ChildProcess => {
    const child = spawn(process.execPath, [join(folder, file), ...args.map(String)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.add(child);
    child.on('exit', () => children.delete(child));
    return child;
  };
  const openLong = async (): Promise<LongAccount> => {
    tell('data: long messages …');
    const child = run('serve-long.mjs', [join(mkdtempSync(join(folder, 'homes', 'long-')), 'server.db')]);
    const [, server = '', token = ''] = await firstLine(child);
    const code = await once(codes, program, () => keepCode(starting(server, token, newHome())));
    return {
      fresh: () => withCode(code, starting(server, token, newHome())),
      say: (kind) => void child.stdin?.write(`${kind}\n`),
    };
  };
  const starting = (server: string, token: string, home: string): Start => ({
    command: process.execPath,
    args: [program],
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_STATE_HOME: join(home, 'state'),
      TZ: 'UTC',
      MSG_TUI_SERVER: server,
      MSG_TUI_TOKEN: token,
    },
  });

  const make = async (name: string, size: DataSize): Promise<Account> => {
    const { conversations, messages, inFirst, histories } = size;
    tell(`data: ${name} (${conversations} conversations, ${messages} messages) …`);
    const file = join(folder, `${name}-${conversations}-${messages}-${inFirst}.db`);
    const [, server = '', token = ''] = await firstLine(run('serve.mjs', [file, conversations, messages, inFirst]));
    const home = newHome();
    const warming = run('warm.mjs', [server, token, home, histories]);
    await new Promise<void>((resolve, reject) =>
      warming.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`warming the cache of ${name} failed`)))),
    );
    const warm = starting(server, token, home);
    await runOnce(warm);
    return { warm, fresh: () => starting(server, token, newHome()) };
  };

  return {
    open: (name, size) => once(opened, name, () => make(name, size)),
    irc: (lines) => once(ircPorts, lines, async () => Number((await firstLine(run('irc-server.mjs', [lines])))[1])),
    long: openLong,
    close() {
      for (const child of children) child.kill('SIGTERM');
    },
  };
}

const keptIn = ({ env }: Start): string => join(env?.XDG_CACHE_HOME ?? '', 'msg-tui');

/** Where the compiled code is when the program has run. */
async function keepCode(start: Start): Promise<string> {
  await runOnce(start, 'friend');
  return keptIn(start);
}

function withCode(from: string, start: Start): Start {
  const to = keptIn(start);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const files = readdirSync(from).filter((name) => /^(code|http|ui)-/.test(name));
  if (files.length === 0) throw new Error('the program has not kept its compiled code');
  for (const name of files) copyFileSync(join(from, name), join(to, name));
  return start;
}

async function openOnce(session: Session, name: string): Promise<void> {
  await session.waitFor((rows) => rows.some((row) => row.includes(`${name} `)), 60_000);
  session.write(`/${name}`);
  await session.quiet(300, 5_000);
  session.write('\r');
  await session.waitFor((rows) => rows.some((row) => row.includes(`To ${name}`)), 10_000);
}

/** Long enough for what a program keeps for its next start. @param opened whose conversation is opened meanwhile */
async function runOnce(start: Start, opened?: string): Promise<void> {
  const session = startSession(start);
  try {
    await session.waitFor((rows) => rows[0]?.includes('as of') === true, 120_000);
    if (opened !== undefined) await openOnce(session, opened);
    await session.pause(6_000);
    session.write('\x11');
    await session.exited;
  } finally {
    await session.close();
  }
}

function once<K, V>(made: Map<K, V>, key: K, make: () => V): V {
  const held = made.get(key);
  if (held !== undefined) return held;
  const value = make();
  made.set(key, value);
  return value;
}

/** The words of the line with which a server says where it listens. */
function firstLine(child: ChildProcess): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text.trim().split(/\s+/));
    });
    child.on('exit', (code) => reject(new Error(`a server ended with ${code} before it listened`)));
  });
}
