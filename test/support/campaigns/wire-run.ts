/** The real client, engine and SQLite against a faulty server, with a clock that waits for the network before it moves. */
import { rmSync } from 'node:fs';
import { createClient } from '../../../src/api/client.ts';
import type { Client } from '../../../src/api/operations.ts';
import { canResend } from '../../../src/state/local/resend-rule.ts';
import type { OpAction } from '../../../src/state/model/app-state.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { createEngine } from '../../../src/sync/engine/engine.ts';
import { type FakeClock, fakeClock } from '../clocks/fake-clock.ts';
import { watchedClient } from '../clocks/watched-client.ts';
import {
  connectionFaults,
  endsOfDelete,
  type FaultServer,
  faultServer,
  lateFaults,
  provingFaults,
  wireFaults,
  wirePersonalities,
} from '../servers/fault-server.ts';
import { filesWithToken } from '../system/canary.ts';
import { scratchDirectory } from '../system/scratch.ts';
import { checkHistory, type HistoryEvent } from './history-checker.ts';

export type Method = 'POST' | 'PUT' | 'DELETE' | 'GET';

export interface WireCase {
  readonly fault: string;
  readonly method: Method;
  readonly isApplied: boolean;
  /** When it is applied; that of the personality unless given. */
  readonly lateMs?: number;
  /** Which of `wirePersonalities`; the first one unless given. */
  readonly personality?: number;
}

const both = [true, false] as const;

/** Forty faults × four methods × applied or not. */
export const wireMatrix = (): readonly WireCase[] =>
  Object.keys(wireFaults).flatMap((fault) =>
    wireMethods.flatMap((method) => both.map((isApplied) => ({ fault, method, isApplied }))),
  );

/** What else can happen: proven refusals, doors that are shut, requests that lie about for a while. */
export const moreWireCases = (): readonly WireCase[] => [
  ...Object.keys(provingFaults).flatMap((fault) =>
    (['POST', 'PUT', 'GET'] as const).map((method) => ({ fault, method, isApplied: false })),
  ),
  ...connectionFaults.flatMap((fault) => writeMethods.map((method) => ({ fault, method, isApplied: false }))),
  ...lateFaults.flatMap((fault) =>
    writeMethods.flatMap((method) =>
      [1_000, 20_000, 120_000].map((lateMs) => ({ fault, method, isApplied: true, lateMs })),
    ),
  ),
];

const wireMethods = ['POST', 'PUT', 'DELETE', 'GET'] as const;
const writeMethods = ['POST', 'PUT', 'DELETE'] as const;

const canary = 'wire-canary-b7Qx';

const limits = { connectMs: 500, wholeMs: 300, wholePostMs: 300, idleMs: 150 };

const mine = { conversationId: 'c1' } as const;

/** With a letter that some servers escape. */
const words = 'words & words';

const actionsOn = (messageId: string): Readonly<Record<Method, OpAction>> => ({
  POST: { kind: 'message.send', ...mine, text: words },
  GET: { kind: 'message.send', ...mine, text: words },
  PUT: { kind: 'message.edit', ...mine, messageId, base: 'old', text: 'new' },
  DELETE: { kind: 'message.delete', ...mine, messageId },
});

/** Everything that is wrong in the end; empty when all promises were kept and all that can heal has healed. */
export async function runWireCase(one: WireCase): Promise<readonly string[]> {
  const folder = scratchDirectory('wire');
  const clock = fakeClock();
  const personality = wirePersonalities[one.personality ?? 0];
  const server = await faultServer({ after: clock.after, ...(personality === undefined ? {} : { personality }) });
  const api = createClient({ baseUrl: server.url, token: canary, limits });
  try {
    const wrong = await live(one, server, folder, api, clock);
    const leaks = filesWithToken(folder, canary).map((file) => `the token is in ${file}`);
    return [...wrong, ...leaks].map((text) => `${JSON.stringify(one)}: ${text}`);
  } finally {
    await api.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function live(
  one: WireCase,
  server: FaultServer,
  folder: string,
  api: Client,
  clock: FakeClock,
): Promise<readonly string[]> {
  const outbox = openOutbox(folder, { now: clock.now });
  const cache = openCache(folder);
  // Nobody else writes there, so that nothing but an earlier send can have taught who the user is.
  const local = { ...outbox.load(), me: { contactId: 'me', username: 'me' } };
  const store = createAppStore(initialState({ local, settings: { revealReading: false } }));
  const { client, idle } = watchedClient(api);
  const bugs: string[] = [];
  const events: HistoryEvent[] = [];
  let uuids = 0;
  const engine = createEngine({
    client,
    store,
    outbox,
    cache,
    clock,
    random: () => 0.5,
    newUuid: () => `u${++uuids}`,
    onBug: (error) => void bugs.push(`a bug: ${String(error)}`),
  });
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1_000) {
      await idle();
      await clock.advance(Math.min(1_000, left));
    }
    await idle();
  };
  const isProof = one.fault in provingFaults;
  const held = server.personality.idOf(1);
  server.messages.set(held, { text: 'old', at: 1_760_000_000 });
  server.onLate = ({ form, key: uuid }, messageId) => {
    const text = form.get('message') ?? '';
    if (messageId !== null && uuid !== null)
      events.push({ at: clock.monotonic(), kind: 'commit', uuid, messageId, conversationId: 'c1', text });
  };
  server.onAsked = ({ method, form, key: uuid }, messageId, isFaulty) => {
    if (method !== 'POST' || uuid === null) return;
    const at = clock.monotonic();
    events.push({ at, kind: 'post', uuid });
    if (isFaulty && isProof) events.push({ at, kind: 'not-applied', uuid });
    const text = form.get('message') ?? '';
    if (messageId !== null) events.push({ at, kind: 'commit', uuid, messageId, conversationId: 'c1', text });
  };
  engine.start();
  store.setState((state) => ({ ...state, view: { ...state.view, openId: 'c1' } }));
  engine.openConversation('c1');
  await pass(1_000);
  const fault = wireFaults[one.fault] ?? provingFaults[one.fault];
  const door = connectionFaults.find((name) => name === one.fault);
  if (fault !== undefined) server.arm(one.method, fault, one.isApplied, one.lateMs);
  else if (door !== undefined) await server.shut(door);
  else throw new Error(`no such fault: ${one.fault}`);
  const action = actionsOn(held)[one.method];
  engine.enqueue(action);
  if (action.kind === 'message.send')
    events.push({
      at: clock.monotonic(),
      kind: 'enter',
      uuid: 'u1',
      conversationId: 'c1',
      text: words,
      composer: '',
    });
  if (door !== undefined) {
    await pass(3_000);
    await server.admit();
  }
  // A user who waits is spared a second copy of what arrives late.
  await pass(70_000 + (one.lateMs ?? 0));
  const [left] = store.getState().local.outbox;
  if (left !== undefined && canResend(left, clock.now())) {
    events.push({ at: clock.monotonic(), kind: 'choice', uuid: left.uuid, choice: 'resend' });
    engine.retry(left.uuid);
  } else if (left?.state === 'failed') engine.retry(left.uuid);
  // What was deleted is not looked at for two minutes, as lists may lag; after that the screen is correct.
  await pass(isLeftUndone(one) ? 130_000 : 40_000);
  const shown = store.getState().cache.threads.get('c1')?.messages ?? [];
  const ops = new Map(outbox.load().outbox.map((op) => [op.uuid, op.state]));
  if (action.kind === 'message.send') events.push({ at: clock.monotonic(), kind: 'disk', isStart: false, ops });
  const wrong = [
    ...bugs,
    ...checkHistory(events),
    ...(server.isMet() ? [] : ['the fault was never met']),
    ...unlike(
      one,
      server,
      shown.map(({ text }) => text),
      [...ops.values()],
    ),
  ];
  await engine.stop();
  cache.close();
  outbox.close();
  return wrong;
}

const isLeftUndone = ({ method, fault, isApplied }: WireCase): boolean =>
  method === 'DELETE' && !isApplied && endsOfDelete.includes(fault);

/** What server and screen must both show, once the user has answered what was asked. */
function unlike(
  one: WireCase,
  server: FaultServer,
  shown: readonly string[],
  left: readonly string[],
): readonly string[] {
  const { stored } = server.personality;
  const wanted = {
    POST: ['old', stored(words)],
    GET: ['old', stored(words)],
    PUT: ['new'],
    DELETE: isLeftUndone(one) ? ['old'] : [],
  }[one.method];
  const held = [...server.messages.values()].map(({ text }) => text);
  const wrong: string[] = [];
  if (JSON.stringify(held) !== JSON.stringify(wanted)) wrong.push(`the server has ${JSON.stringify(held)}`);
  if (JSON.stringify(shown) !== JSON.stringify(wanted)) wrong.push(`shown is ${JSON.stringify(shown)}`);
  if (left.length > 0) wrong.push(`left in the outbox: ${left.join()}`);
  return wrong;
}
