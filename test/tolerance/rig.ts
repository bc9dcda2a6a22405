/** The real client, engine and storage against a quirk server, on a clock that waits for the requests under way. */
import { createClient } from '../../src/api/client.ts';
import type { Client } from '../../src/api/operations.ts';
import { canResend } from '../../src/state/local/resend-rule.ts';
import type { Op, OpAction } from '../../src/state/model/app-state.ts';
import { type AppStore, createAppStore, initialState } from '../../src/state/store.ts';
import { memoryCache } from '../../src/storage/cache/memory-cache.ts';
import { memoryOutbox } from '../../src/storage/outbox/memory.ts';
import { createEngine, type Engine } from '../../src/sync/engine/engine.ts';
import { type FakeClock, fakeClock } from '../support/clocks/fake-clock.ts';
import type { Quirks } from '../support/quirk-server/quirks.ts';
import { type QuirkServer, quirkServer } from '../support/quirk-server/server.ts';

/** How an op ended; `said` is what the notices said when it failed. */
export interface Ended {
  readonly how: 'settled' | 'refused' | 'failed' | 'unsure' | 'stuck';
  readonly said: string;
}

export interface Rig {
  readonly quirks: Quirks;
  readonly server: QuirkServer;
  readonly clock: FakeClock;
  readonly store: AppStore;
  readonly engine: Engine;
  /** Texts of all notices so far. */
  readonly notices: string[];
  until(isDone: () => boolean, maxMs: number): Promise<boolean>;
  act(action: OpAction): Promise<Ended>;
  /** The user tries again what failed last. */
  retry(): Promise<Ended>;
  open(id: string): Promise<void>;
  /** The process ends where it is and another one begins with what is on disk. */
  restart(): Promise<void>;
  /** Set: throws instead of a request, or lets it go. */
  fault: ((operation: string) => void) | null;
  close(): Promise<void>;
}

/** Longer than the longest late apply and a few checks of history. */
const longestMs = 260_000;
const stepMs = 500;

export async function startRig(
  quirks: Quirks,
  seed: (server: QuirkServer, now: number) => void,
  revealReading = true,
): Promise<Rig> {
  let underWay = 0;
  const clock = fakeClock(() => underWay > 0);
  const server = await quirkServer(quirks, clock);
  seed(server, clock.now());
  server.world.forgetPast();
  const store = createAppStore(initialState({ settings: { revealReading } }));
  const bugs: unknown[] = [];
  let uuids = 0;
  const connect = (): Client =>
    counted(
      createClient({ baseUrl: server.url, token: 'quirk-token' }),
      () => (underWay += 1),
      () => (underWay -= 1),
      (operation) => rig.fault?.(operation),
    );
  const [outbox, cache] = [memoryOutbox({ volatile: true }), memoryCache()];
  const begin = (): Engine =>
    createEngine({
      client: connect(),
      store,
      outbox,
      cache,
      clock,
      random: () => 0.5,
      newUuid: () => `uuid-${++uuids}`,
      onBug: (error) => bugs.push(error),
    });
  let engine = begin();
  const notices: string[] = [];
  store.subscribe((state, before) => {
    if (state.screen.notices === before.screen.notices) return;
    for (const notice of state.screen.notices) if (!before.screen.notices.includes(notice)) notices.push(notice.text);
  });

  const until = async (isDone: () => boolean, maxMs: number): Promise<boolean> => {
    for (let waited = 0; waited <= maxMs; waited += stepMs) {
      await clock.advance(0);
      if (bugs.length > 0) throw bugs[0];
      if (isDone()) return true;
      await clock.advance(stepMs);
    }
    return isDone();
  };
  const refusalOf = (action: OpAction): string | null => {
    const about = `refused ${action.kind === 'conversation.create' ? 'create' : action.conversationId}`;
    return store.getState().screen.notices.find((notice) => notice.about === about)?.text ?? null;
  };
  const endOf = async (op: Op, action: OpAction, told: number): Promise<Ended> => {
    const now = (): Op | undefined => store.getState().local.outbox.find(({ uuid }) => uuid === op.uuid);
    const isOver = (): boolean => {
      const current = now();
      return current === undefined || current.state === 'failed' || canResend(current, clock.now());
    };
    await until(isOver, longestMs);
    // A message that arrives late is still found by itself.
    if (now()?.state === 'unsure') await until(() => now() === undefined, quirks.lateApply * 1000 + 70_000);
    const last = now();
    // The user's word on it: what waits after it goes on.
    if (last?.state === 'unsure') engine.discard(op.uuid);
    return ended(last, notices.slice(told), refusalOf(action));
  };
  const rig: Rig = {
    quirks,
    server,
    clock,
    store,
    get engine() {
      return engine;
    },
    fault: null,
    notices,
    until,
    act: async (action) => {
      const told = notices.length;
      const held = new Set(store.getState().local.outbox.map((op) => op.uuid));
      engine.enqueue(action);
      const op = store.getState().local.outbox.find(({ uuid }) => !held.has(uuid));
      return op === undefined ? { how: 'stuck', said: 'not enqueued' } : endOf(op, action, told);
    },
    retry: async () => {
      const op = store.getState().local.outbox.findLast(({ state }) => state === 'failed');
      if (op === undefined) return { how: 'stuck', said: 'nothing has failed' };
      engine.retry(op.uuid);
      return endOf(op, op.action, notices.length);
    },
    open: async (id) => {
      store.setState((state) => ({ ...state, view: { ...state.view, openId: id } }));
      engine.openConversation(id);
      await until(() => !store.getState().view.connection.loading.has(id), 60_000);
    },
    restart: async () => {
      await engine.stop();
      store.setState((state) => ({ ...state, local: outbox.load() }));
      engine = begin();
      engine.start();
    },
    close: async () => {
      await engine.stop();
      await server.close();
    },
  };
  engine.start();
  return rig;
}

function ended(op: Op | undefined, told: readonly string[], refusal: string | null): Ended {
  if (op === undefined && refusal !== null) return { how: 'refused', said: refusal };
  if (op === undefined) return { how: told.some(isLoss) ? 'refused' : 'settled', said: told.join(' | ') };
  const how = op.state === 'failed' ? 'failed' : op.state === 'unsure' ? 'unsure' : 'stuck';
  return { how, said: op.reason ?? '' };
}

/** Done, but something went with it and could not be put back; or not done, and not kept either. */
const isLoss = (text: string): boolean =>
  text.startsWith('This server drops what is not sent') || text.startsWith('The conversation could not be started');

function counted(client: Client, begin: () => void, end: () => void, check: (operation: string) => void): Client {
  return new Proxy(client, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        begin();
        try {
          check(String(key));
          return await (Reflect.apply(value, target, args) as Promise<unknown>);
        } finally {
          end();
        }
      };
    },
  });
}
