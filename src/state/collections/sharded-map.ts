/**
 * Immutable maps. A large one is divided into shards: a copy shares all shards but the changed ones, so that a change
 * costs the same at any size.
 */

/** Up to this size a plain map is copied as a whole, which is cheaper still. */
const plainLimit = 512;
const shardCount = 4096;

type Shards<K, V> = readonly (ReadonlyMap<K, V> | undefined)[];

/** Iterates in no particular order. */
class ShardedMap<K extends string, V> implements ReadonlyMap<K, V> {
  readonly size: number;
  readonly shards: Shards<K, V>;

  constructor(shards: Shards<K, V>, size: number) {
    this.shards = shards;
    this.size = size;
  }

  get(key: K): V | undefined {
    return this.shards[shardOf(key)]?.get(key);
  }

  has(key: K): boolean {
    return this.shards[shardOf(key)]?.has(key) === true;
  }

  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  *entries(): MapIterator<[K, V]> {
    for (const shard of this.shards) if (shard !== undefined) yield* shard.entries();
  }

  *keys(): MapIterator<K> {
    for (const shard of this.shards) if (shard !== undefined) yield* shard.keys();
  }

  *values(): MapIterator<V> {
    for (const shard of this.shards) if (shard !== undefined) yield* shard.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }
}

/** Only so many characters of a key are hashed, from its end, where ids made in sequence differ. */
const hashedLength = 32;

function shardOf(key: string): number {
  let hash = key.length;
  for (let i = Math.max(0, key.length - hashedLength); i < key.length; i++)
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) & (shardCount - 1);
}

/** A copy with the entries set; the same map when all are set already. */
export function withEntries<K extends string, V>(
  map: ReadonlyMap<K, V>,
  entries: readonly (readonly [K, V])[],
): ReadonlyMap<K, V> {
  const fresh = entries.filter(([key, value]) => !map.has(key) || !Object.is(map.get(key), value));
  if (fresh.length === 0) return map;
  if (map instanceof ShardedMap) return setIn(map, fresh);
  if (map.size + fresh.length > plainLimit) return setIn(setIn(empty<K, V>(), [...map]), fresh);
  const copy = new Map(map);
  for (const [key, value] of fresh) copy.set(key, value);
  return copy;
}

/** A copy without the keys; the same map when it has none of them. */
export function withoutEntries<K extends string, V>(map: ReadonlyMap<K, V>, keys: readonly K[]): ReadonlyMap<K, V> {
  const held = keys.filter((key) => map.has(key));
  if (held.length === 0) return map;
  if (map instanceof ShardedMap) return removeFrom(map, held);
  const copy = new Map(map);
  for (const key of held) copy.delete(key);
  return copy;
}

export const withEntry = <K extends string, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> =>
  withEntries(map, [[key, value]]);

export const withoutEntry = <K extends string, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> =>
  withoutEntries(map, [key]);

const empty = <K extends string, V>(): ShardedMap<K, V> => new ShardedMap(new Array(shardCount).fill(undefined), 0);

function setIn<K extends string, V>(map: ShardedMap<K, V>, entries: readonly (readonly [K, V])[]): ShardedMap<K, V> {
  const { shards, own } = copyOf(map);
  let { size } = map;
  for (const [key, value] of entries) {
    const shard = own(shardOf(key));
    const before = shard.size;
    size += shard.set(key, value).size - before;
  }
  return new ShardedMap(shards, size);
}

function removeFrom<K extends string, V>(map: ShardedMap<K, V>, keys: readonly K[]): ShardedMap<K, V> {
  const { shards, own } = copyOf(map);
  let { size } = map;
  for (const key of keys) if (own(shardOf(key)).delete(key)) size -= 1;
  return new ShardedMap(shards, size);
}

/** Shards are copied when they are first written to. */
function copyOf<K extends string, V>(map: ShardedMap<K, V>) {
  const shards = map.shards.slice();
  const own = (index: number): Map<K, V> => {
    const held = shards[index];
    if (held !== undefined && held !== map.shards[index]) return held as Map<K, V>;
    const copy = new Map(held);
    shards[index] = copy;
    return copy;
  };
  return { shards, own };
}

/** The values in parts of at least `count`, the last part with what is left; those of a plain map as one part. */
export function* partsOf<K extends string, V>(map: ReadonlyMap<K, V>, count: number): Generator<readonly V[]> {
  if (!(map instanceof ShardedMap)) return yield [...map.values()];
  let values: V[] = [];
  for (const shard of map.shards) {
    if (shard !== undefined) values.push(...shard.values());
    if (values.length < count) continue;
    yield values;
    values = [];
  }
  yield values;
}

/** Calls `visit` for every key whose value differs. Shards that two large maps share are skipped. */
export function eachChange<K extends string, V>(
  before: ReadonlyMap<K, V>,
  after: ReadonlyMap<K, V>,
  visit: (key: K, value: V | undefined, held: V | undefined) => void,
): void {
  if (before === after) return;
  if (!(before instanceof ShardedMap) || !(after instanceof ShardedMap)) {
    eachDifference(before, after, visit);
    return;
  }
  for (let index = 0; index < shardCount; index++) {
    const [old, now] = [before.shards[index], after.shards[index]];
    if (old !== now) eachDifference<K, V>(old ?? new Map(), now ?? new Map(), visit);
  }
}

function eachDifference<K, V>(
  before: ReadonlyMap<K, V>,
  after: ReadonlyMap<K, V>,
  visit: (key: K, value: V | undefined, held: V | undefined) => void,
): void {
  for (const [key, value] of after) {
    const held = before.get(key);
    if (!Object.is(held, value)) visit(key, value, held);
  }
  for (const [key, held] of before) if (!after.has(key)) visit(key, undefined, held);
}
