import { expectTypeOf, test } from 'vitest';
import type { memoryCache } from '../../src/storage/cache/memory-cache.ts';
import type { StoredCache } from '../../src/storage/cache/resilient-cache.ts';
import type { memoryOutbox } from '../../src/storage/outbox/memory.ts';
import type { StoredOutbox } from '../../src/storage/outbox/outbox.ts';
import type { CacheDisk, OutboxDisk } from '../../src/sync/services/ports.ts';

// Checked by the compiler: storage cannot import the ports it fulfils.
test('the stores are what sync asks for', () => {
  expectTypeOf<StoredOutbox>().toExtend<OutboxDisk>();
  expectTypeOf<ReturnType<typeof memoryOutbox>>().toExtend<OutboxDisk>();
  expectTypeOf<StoredCache>().toExtend<CacheDisk>();
  expectTypeOf<ReturnType<typeof memoryCache>>().toExtend<CacheDisk>();
});
