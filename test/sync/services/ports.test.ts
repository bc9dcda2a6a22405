import { expectTypeOf, test } from 'vitest';
import type { CacheStore } from '../../../src/storage/cache/memory-cache.ts';
import type { memoryOutbox } from '../../../src/storage/outbox/memory.ts';
import type { StoredOutbox } from '../../../src/storage/outbox/outbox.ts';
import type { CacheDisk, ListDisk, OutboxDisk } from '../../../src/sync/services/ports.ts';

// Checked by the compiler: storage cannot import the ports it fulfils.
test('the stores are what sync asks for', () => {
  expectTypeOf<StoredOutbox>().toExtend<OutboxDisk>();
  expectTypeOf<ReturnType<typeof memoryOutbox>>().toExtend<OutboxDisk>();
  expectTypeOf<CacheStore>().toExtend<CacheDisk & ListDisk>();
});
