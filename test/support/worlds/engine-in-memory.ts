/** An engine without disks, for suites that look only at what becomes of the server's answers. */
import type { Client } from '../../../src/api/operations.ts';
import type { AppStore } from '../../../src/state/store.ts';
import { createEngine, type Engine } from '../../../src/sync/engine/engine.ts';
import type { FakeClock } from '../clocks/fake-clock.ts';
import { memoryCache, memoryOutbox } from './memory-disks.ts';

/** @param bugs where errors go that are none of the API's */
export function engineInMemory(client: Client, store: AppStore, clock: FakeClock, bugs: string[]): Engine {
  return createEngine({
    client,
    store,
    outbox: memoryOutbox(),
    cache: memoryCache(),
    clock,
    random: () => 0.5,
    newUuid: () => 'u1',
    onBug: (error) => void bugs.push(`the program ended: ${String(error)}`),
  });
}
