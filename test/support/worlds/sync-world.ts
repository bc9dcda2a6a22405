/** An engine on a fake server, a fake clock and disks in memory, that can be killed and started again. */
import type { OpAction } from '../../../src/state/model/app-state.ts';
import type { Settings } from '../../../src/state/model/settings.ts';
import { type AppStore, createAppStore, initialState } from '../../../src/state/store.ts';
import { createEngine, type Engine } from '../../../src/sync/engine/engine.ts';
import type { EnginePorts } from '../../../src/sync/services/services.ts';
import { type FakeClock, fakeClock } from '../clocks/fake-clock.ts';
import { type FakeService, type Fault, fakeService } from '../servers/fake-service.ts';
import { type MemoryCache, type MemoryOutbox, memoryCache, memoryOutbox } from './memory-disks.ts';

export interface SyncWorld {
  readonly clock: FakeClock;
  readonly service: FakeService;
  readonly outbox: MemoryOutbox;
  readonly cache: MemoryCache;
  /** The texts that the engine has reported as incoming. */
  readonly incoming: string[];
  /** How far behind the clock of the server was said to be, with each of these reports. */
  readonly behind: (number | undefined)[];
  store: AppStore;
  engine: Engine;
  /** The process dies without a word and a new one starts from the disks. */
  restart(): void;
  send(text: string, conversationId?: string): void;
  texts(conversationId?: string): readonly string[];
  open(id: string): void;
}

/** Where nothing is said of it, reading is not revealed. */
export interface WorldOptions extends Partial<Settings> {
  readonly random?: () => number;
  readonly openingPlace?: EnginePorts['openingPlace'];
}

/** One conversation, `c1`, open, with one message that was read; the first send of all fails like this. */
export async function worldWithFailure(failure: Fault, options: WorldOptions = {}): Promise<SyncWorld> {
  const world = syncWorld(options);
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  let isFirst = true;
  world.service.fault = (operation) => {
    if (operation !== 'sendMessage' || !isFirst) return null;
    isFirst = false;
    return failure;
  };
  return world;
}

export function syncWorld({ random, openingPlace, ...settings }: WorldOptions = {}): SyncWorld {
  const clock = fakeClock();
  const service = fakeService(clock);
  const outbox = memoryOutbox();
  const cache = memoryCache();
  const incoming: string[] = [];
  const behind: (number | undefined)[] = [];
  let uuids = 0;
  let life = { isAlive: true };

  const begin = (): { store: AppStore; engine: Engine } => {
    const mine = { isAlive: true };
    life = mine;
    const alive = <T extends object>(disk: T): T =>
      new Proxy(disk, {
        get: (target, key) => {
          const value = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            // A dead process writes nothing more; its promises just hang in the air.
            if (!mine.isAlive) throw new DeadProcess();
            return Reflect.apply(value, target, args);
          };
        },
      });
    const held = cache.conversations();
    const store = createAppStore(
      initialState({
        cache: {
          conversations: new Map(held.map((one) => [one.id, one])),
          contacts: new Map(cache.contacts().map((one) => [one.id, one])),
          lastMessages: cache.lastMessages(),
        },
        local: outbox.load(),
        settings: { revealReading: false, ...settings },
      }),
    );
    const engine = createEngine({
      client: service.client,
      paging: service.paging,
      store,
      outbox: alive(outbox),
      cache: alive(cache),
      clock: {
        now: clock.now,
        monotonic: clock.monotonic,
        after: (delayMs, callback) => clock.after(delayMs, () => (mine.isAlive ? callback() : undefined)),
      },
      random: random ?? (() => 0.5),
      ...(openingPlace && { openingPlace }),
      newUuid: () => `u${++uuids}`,
      onIncoming: ({ messages, behindMs }) => {
        incoming.push(...messages.map(({ text }) => text));
        behind.push(behindMs);
      },
      onBug: (error) => {
        if (!(error instanceof DeadProcess)) throw error;
      },
    });
    engine.start();
    return { store, engine };
  };

  const world: SyncWorld = {
    clock,
    service,
    outbox,
    cache,
    incoming,
    behind,
    ...begin(),
    restart: () => {
      life.isAlive = false;
      Object.assign(world, begin());
    },
    send: (text, conversationId = 'c1') => {
      const action: OpAction = { kind: 'message.send', conversationId, text };
      world.engine.enqueue(action);
    },
    texts: (conversationId = 'c1') =>
      (world.store.getState().cache.threads.get(conversationId)?.messages ?? []).map((message) => message.text),
    open: (id) => {
      world.store.setState((state) => ({ ...state, view: { ...state.view, openId: id } }));
      world.engine.openConversation(id);
    },
  };
  return world;
}

class DeadProcess extends Error {}
