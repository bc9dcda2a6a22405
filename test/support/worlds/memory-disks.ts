/** The two stores of sync in memory, which outlive an engine and can be made to fail. */
import type { Contact, Conversation, ConversationId, Message } from '../../../src/protocol/types.ts';
import { resentOf } from '../../../src/state/local/duplicate-watch.ts';
import { type RecordChange, withRecords } from '../../../src/state/local/records.ts';
import type { Local, Op } from '../../../src/state/model/app-state.ts';
import { initialState } from '../../../src/state/store.ts';
import { type CacheStore, memoryCache as storedMemoryCache } from '../../../src/storage/cache/memory-cache.ts';
import { codecOf } from '../../../src/storage/outbox/record-codecs.ts';
import type { CacheDisk, OutboxDisk } from '../../../src/sync/services/ports.ts';

export interface MemoryOutbox extends OutboxDisk {
  /** While set, every write throws. */
  failing: boolean;
  readonly writes: string[];
  readonly ops: () => readonly Op[];
}

export function memoryOutbox(): MemoryOutbox {
  const ops = new Map<string, Op>();
  const claims = new Map<string, string>();
  let local: Local = initialState().local;
  let seq = 0;
  const disk: MemoryOutbox = {
    failing: false,
    writes: [],
    ops: () => [...ops.values()].sort((a, b) => a.seq - b.seq),
    load: () => ({
      ...local,
      outbox: disk.ops().map((op) => (op.state === 'sending' ? { ...op, state: 'unsure' as const } : op)),
    }),
    enqueue: (op, draftOf, left = null) => {
      write(`enqueue ${op.action.kind}`);
      seq += 1;
      const placed = { ...op, seq };
      ops.set(op.uuid, placed);
      if (draftOf !== null) local = withRecords(local, [['drafts', draftOf, left]]);
      return placed;
    },
    changeOp: (uuid, change) => {
      const held = ops.get(uuid);
      const changed = held === undefined ? null : change(held);
      write(`put ${changed?.state ?? 'nothing'}`);
      if (changed === null) throw Object.assign(new Error('no such op'), { kind: 'gone' });
      ops.set(uuid, changed);
      return changed;
    },
    begin: (op, isHolding) => {
      if (disk.ops().some((one) => one.seq < op.seq && one.state !== 'failed' && isHolding(one))) return false;
      disk.changeOp(op.uuid, ({ state }) => (state === 'queued' || state === 'sending' ? op : null));
      return true;
    },
    settle: (uuid, messageId, isRecycled = false) => {
      write('settle');
      if (messageId !== null) {
        const owner = claims.get(messageId);
        if (owner !== undefined && owner !== uuid && !isRecycled) return false;
        claims.set(messageId, uuid);
        const op = ops.get(uuid);
        const entry = op === undefined ? null : resentOf(op, messageId, op.attempts.at(-1)?.started ?? 0);
        if (entry !== null) local = withRecords(local, [['resent', uuid, entry]]);
      }
      ops.delete(uuid);
      return true;
    },
    discard: (uuid) => {
      write('discard');
      ops.delete(uuid);
    },
    withdraw: (uuid, into, mayGo) => {
      write('withdraw');
      const op = ops.get(uuid);
      if (op === undefined || !mayGo(op)) return false;
      ops.delete(uuid);
      if (into !== null) local = { ...local, drafts: new Map(local.drafts).set(into.conversationId, into.draft) };
      return true;
    },
    hasForeignChanges: () => false,
    claims: () => new Set(claims.keys()),
    claimAlso: (from, to) => {
      write('claim');
      const owner = claims.get(from);
      if (owner !== undefined && !claims.has(to)) claims.set(to, owner);
    },
    saveRecords: (changes) => {
      for (const [kind] of changes) write(kind);
      local = withRecords(local, changes.map(asStored));
      return true;
    },
    close: () => undefined,
  };
  const write = (what: string): void => {
    if (disk.failing) throw new Error('disk full');
    disk.writes.push(what);
  };
  return disk;
}

/** The change as the disk would give it back: what a codec leaves out is lost here as well. */
function asStored(change: RecordChange): RecordChange {
  const [kind, key, value] = change;
  const codec = codecOf(kind);
  if (value === null || codec === undefined) return change;
  const json = JSON.stringify(codec.toJson === undefined ? value : codec.toJson(value));
  return [kind, key, codec.parse(JSON.parse(json), key) ?? null] as RecordChange;
}

export interface MemoryCache extends CacheDisk {
  conversations(): readonly Conversation[];
  contacts(): readonly Contact[];
  /** Newest cached message of each conversation. */
  lastMessages(): ReadonlyMap<ConversationId, Message>;
  /** The names of the operations that wrote. */
  readonly writes: string[];
}

/** The program's own cache in memory, which leaves long texts out of an outline as the cache on disk does. */
export function memoryCache(): MemoryCache {
  const cache = storedMemoryCache();
  const writes: string[] = [];
  const operations = Object.getOwnPropertyNames(Object.getPrototypeOf(cache)).filter((name) => name !== 'constructor');
  const logged = operations.map((name) => [
    name,
    (...args: readonly unknown[]): unknown => {
      if (/^(save|remove)/.test(name)) writes.push(name);
      return Reflect.apply(cache[name as keyof CacheStore], cache, args);
    },
  ]);
  const list = () => cache.listTop(0, new Map(), null);
  return {
    ...(Object.fromEntries(logged) as CacheStore),
    writes,
    conversations: () => list().conversations,
    contacts: () => cache.contactsAfter(null, 0),
    lastMessages: () => new Map(list().lastMessages),
    outline: (id, limit) => {
      const { messages, hasMore } = cache.history(id, 'newest', limit);
      const isLong = ({ text }: Message): boolean => text.length > 4_096;
      const shown = messages.map((message) => (isLong(message) ? { ...message, text: '' } : message));
      return { messages: shown, withoutText: new Set(messages.filter(isLong).map(({ id }) => id)), hasMore };
    },
  };
}
