/** Runs of the real session in processes of their own against our server, on record for the history checker. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SentContent } from '../../../src/protocol/same-text.ts';
import type { WireMessage } from '../../../src/protocol/wire.ts';
import { type RequestHook, type RunningServer, startServer } from '../../../src/server/http/start.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import type { OpAction } from '../../../src/state/model/app-state.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { type Bundled, bundled } from '../system/bundled.ts';
import { filesWithToken } from '../system/canary.ts';
import { checkHistory, type HistoryEvent } from './history-checker.ts';

export type Driver = Bundled;

export const buildDriver = (): Promise<Driver> => bundled('test/faults/fixtures/session-driver.ts');

interface FoundOp {
  readonly uuid: string;
  readonly seq: number;
  readonly state: string;
  readonly action: OpAction;
}

interface Line {
  readonly at: number;
  readonly entered?: string | null;
  readonly seq?: number;
  readonly action?: OpAction;
  readonly found?: readonly FoundOp[];
  readonly stopped?: string;
  readonly text?: string;
  readonly ready?: true;
  /** The user sent it again. */
  readonly resend?: string;
  /** What was sent again is no longer in the outbox. */
  readonly left?: string;
  readonly taken?: Taken;
}

/** What a process takes of the machine: bytes, open files, messages not yet sent. */
export interface Taken {
  readonly heapUsed: number;
  readonly rss: number;
  readonly files: number;
  readonly waiting: number;
}

export interface Run {
  readonly process: ChildProcess;
  /** SIGKILL to everything that was started. */
  kill(): void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly lines: readonly Line[];
  /** What it wrote to stderr. */
  readonly errors: () => string;
  /** Resolves when the line has come; never when the process ends before. */
  line(isIt: (line: Line) => boolean): Promise<void>;
}

export interface StartOptions {
  /** A program and its arguments that start the driver, such as strace. */
  readonly prefix?: readonly string[];
  readonly name?: string;
  /** Where the driver thinks that the server is. */
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Stage {
  /** Of the server. */
  readonly url: string;
  start(task: 'run' | 'heal' | 'live' | 'soak', options?: StartOptions): Run;
  /** To be called when every process has ended: what the checker finds, and what else is wrong. */
  verdict(): Promise<readonly string[]>;
  readonly directory: string;
  close(): Promise<void>;
}

export async function openStage(driver: Driver, directory: string): Promise<Stage> {
  const events: HistoryEvent[] = [];
  const now = (): number => performance.timeOrigin + performance.now();
  const hook: RequestHook = async (request, next) => {
    const uuid = request.headers.get('idempotency-key');
    const isPost = request.method === 'POST' && uuid !== null;
    if (isPost) events.push({ at: now(), kind: 'post', uuid });
    const answer = await next();
    if (isPost && !answer.ok) events.push({ at: now(), kind: 'not-applied', uuid });
    else if (isPost) {
      const at = now();
      const { id, conversation_id, message, attachments } = (await answer.clone().json()) as WireMessage;
      // The server answers a repeated key with the first answer: one commit, though two POSTs.
      const isNew = !events.some((event) => event.kind === 'commit' && event.messageId === id);
      const text = contentKey(message, attachments);
      const commit = { kind: 'commit', uuid, messageId: id, conversationId: conversation_id, text } as const;
      if (isNew) events.push({ at, ...commit });
    }
    return answer;
  };
  const server: RunningServer = await startServer({
    engine: openSqlite(openDatabase(':memory:')),
    port: 0,
    requestHook: hook,
  });
  const { admin } = server.service;
  await admin.createUser({ username: 'me' });
  const ann = await admin.createContact({ username: 'ann' });
  const { token } = await admin.createToken('me', 'driver');
  const call = async (method: string, path: string, form?: Readonly<Record<string, string>>): Promise<unknown> => {
    const body = form === undefined ? {} : { body: new URLSearchParams(form) };
    const response = await fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` }, ...body });
    return response.json();
  };
  const { id: conversationId } = (await call('POST', '/v1/conversations', { contact_id: ann.id })) as { id: string };
  const runs: Run[] = [];

  const start: Stage['start'] = (task, { prefix = [], name = '', url = server.url, env = {} } = {}) => {
    const [command = '', ...rest] = [
      ...prefix,
      process.execPath,
      ...[driver.file, task, directory, url, conversationId, name],
    ];
    const child = spawn(command, rest, {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that what a tracer runs is killed with the tracer.
      detached: true,
      env: { PATH: process.env.PATH, MSG_TUI_TOKEN: token, ...env },
    });
    const lines: Line[] = [];
    const waiting = new Set<() => void>();
    let errors = '';
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (data: Buffer) => {
      errors += data.toString();
    });
    createInterface({ input: child.stdout }).on('line', (text) => {
      // The last line of a killed process may be torn.
      if (text.endsWith('}')) lines.push(JSON.parse(text) as Line);
      for (const look of waiting) look();
    });
    const run: Run = {
      process: child,
      kill: () => killGroup(child),
      lines,
      errors: () => errors,
      ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
      line: (isIt) =>
        new Promise((resolve) => {
          const look = (): void => {
            if (!lines.some(isIt)) return;
            waiting.delete(look);
            resolve();
          };
          waiting.add(look);
          look();
        }),
    };
    runs.push(run);
    return run;
  };

  return {
    url: server.url,
    start,
    directory,
    verdict: async () => {
      const { data } = (await call('GET', `/v1/messages?conversation_id=${conversationId}&limit=100`)) as Listed;
      const last = runs.at(-1);
      const left = last?.lines.findLast(({ found }) => found !== undefined)?.found ?? [];
      return [
        ...runs.flatMap(bugsOf),
        ...leaks(directory, token, runs),
        ...checkHistory([...entersOf(runs), ...inTime(events, runs), ...claimsIn(directory), ...disksOf(last)]),
        ...undone(runs, data, left),
      ];
    },
    close: async () => {
      for (const run of runs) run.kill();
      await Promise.all(runs.map((run) => run.ended));
      await server.close();
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

interface Listed {
  readonly data: readonly WireMessage[];
}

/** What the server saw, and between it what users chose and what came of it, on one clock. */
const inTime = (events: readonly HistoryEvent[], runs: readonly Run[]): readonly HistoryEvent[] =>
  [
    ...events,
    ...runs.flatMap(({ lines }) =>
      lines.flatMap(({ at, resend, left }): readonly HistoryEvent[] => [
        ...(resend === undefined ? [] : [{ at, kind: 'choice', uuid: resend, choice: 'resend' } as const]),
        ...(left === undefined ? [] : [{ at, kind: 'left', uuid: left } as const]),
      ]),
    ),
  ].sort((one, other) => one.at - other.at);

/** The token of the run is in no file, and in nothing that was said (TP13). */
const leaks = (directory: string, token: string, runs: readonly Run[]): readonly string[] => [
  ...filesWithToken(directory, token).map((file) => `the token is in ${file}`),
  ...runs
    .filter(({ lines, errors }) => (JSON.stringify(lines) + errors()).includes(token))
    .map(() => 'the token is said'),
];

/** A process that was not killed ends by itself, in silence. */
function bugsOf(run: Run): readonly string[] {
  const stopped = run.lines.filter((line) => line.stopped === 'bug').map((line) => `a bug: ${line.text ?? ''}`);
  return run.errors() === '' ? stopped : [...stopped, `on stderr: ${run.errors().slice(0, 2000)}`];
}

/** What was entered, in order; an entry whose process died before it could say so is known from the disk. */
function entersOf(runs: readonly Run[]): readonly HistoryEvent[] {
  const entered = new Map<string, { readonly seq: number; readonly action: OpAction }>();
  for (const { lines } of runs) {
    for (const { entered: uuid, seq, action, found } of lines) {
      if (typeof uuid === 'string' && seq !== undefined && action !== undefined) entered.set(uuid, { seq, action });
      for (const op of found ?? []) entered.set(op.uuid, op);
    }
  }
  return [...entered]
    .sort(([, a], [, b]) => a.seq - b.seq)
    .flatMap(([uuid, { action }]) => {
      if (action.kind !== 'message.send') return [];
      const { conversationId } = action;
      const text = contentKey(action.text, action.attachments);
      return [{ at: 0, kind: 'enter', uuid, conversationId, text, composer: '' } as const];
    });
}

function claimsIn(directory: string): readonly HistoryEvent[] {
  const database = openDatabase(join(directory, 'data/outbox.db'));
  try {
    const rows = database.prepare('SELECT uuid, message_id FROM claims').all();
    return rows.map((row) => ({ at: 0, kind: 'sent', uuid: String(row.uuid), messageId: String(row.message_id) }));
  } finally {
    database.close();
  }
}

/** What the last process found at its start and left at its end. */
function disksOf(last: Run | undefined): readonly HistoryEvent[] {
  const found = (last?.lines ?? []).flatMap(({ at, found: ops }) => (ops === undefined ? [] : [{ at, ops }]));
  return found.slice(-1).map(({ at, ops }) => ({
    at,
    kind: 'disk',
    isStart: false,
    ops: new Map(ops.filter(({ action }) => action.kind === 'message.send').map(({ uuid, state }) => [uuid, state])),
  }));
}

/** A text for the history: what the message says, and where its attachments are. */
const contentKey = (text: string, files: readonly { readonly file_url?: unknown }[] = []): string =>
  [text, ...files.map(({ file_url: url }) => String(url))].join(' ');

const isThereOnce = (messages: readonly WireMessage[], { attachments = [] }: SentContent): boolean =>
  attachments.every(({ file_url: url }) => messages.filter((one) => one.attachments[0]?.file_url === url).length === 1);

/** Edits and deletions that are neither done nor waiting, and attachments that are not there once. */
function undone(runs: readonly Run[], messages: readonly WireMessage[], left: readonly FoundOp[]): readonly string[] {
  const waiting = new Set(left.map(({ uuid }) => uuid));
  const wrong: string[] = [];
  for (const { entered: uuid, action } of runs.flatMap(({ lines }) => lines)) {
    if (typeof uuid !== 'string' || waiting.has(uuid) || action === undefined) continue;
    if (action.kind === 'message.send' && !isThereOnce(messages, action))
      wrong.push(`${uuid}: not once with its files`);
    if (action.kind !== 'message.edit' && action.kind !== 'message.delete') continue;
    const held = messages.find(({ id }) => id === action.messageId);
    if (action.kind === 'message.delete' && held !== undefined) wrong.push(`${uuid}: not deleted`);
    if (action.kind === 'message.edit' && held?.message !== action.text) wrong.push(`${uuid}: not edited`);
  }
  return wrong;
}
