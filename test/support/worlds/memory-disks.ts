/** The two stores of sync in memory, which outlive an engine and can be told to fail. */
import { withCapabilityChanges } from '../../../src/protocol/capabilities.ts';
import type { Contact, Conversation, ConversationId, Message } from '../../../src/protocol/types.ts';
import type { ListWalk } from '../../../src/state/cache/cached-list.ts';
import { compareMessages } from '../../../src/state/cache/thread-order.ts';
import { resentOf } from '../../../src/state/local/duplicate-watch.ts';
import type { Edge, Local, Op } from '../../../src/state/model/app-state.ts';
import { initialState } from '../../../src/state/store.ts';
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
    enqueue: (op, draftOf) => {
      write(`enqueue ${op.action.kind}`);
      seq += 1;
      const placed = { ...op, seq };
      ops.set(op.uuid, placed);
      if (draftOf !== null) {
        const drafts = new Map(local.drafts);
        drafts.delete(draftOf);
        local = { ...local, drafts };
      }
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
    saveResent: (uuid, entry) => {
      write('resent');
      local = {
        ...local,
        resent: [...local.resent.filter((one) => one.uuid !== uuid), ...(entry === null ? [] : [entry])],
      };
    },
    settle: (uuid, messageId, isReused = false) => {
      write('settle');
      if (messageId !== null) {
        const owner = claims.get(messageId);
        if (owner !== undefined && owner !== uuid && !isReused) return false;
        claims.set(messageId, uuid);
        const op = ops.get(uuid);
        const entry = op === undefined ? null : resentOf(op, messageId, op.attempts.at(-1)?.started ?? 0);
        if (entry !== null) local = { ...local, resent: [...local.resent, entry] };
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
    saveDraft: (id, draft) => {
      write('draft');
      const drafts = new Map(local.drafts);
      if (draft === null) drafts.delete(id);
      else drafts.set(id, draft);
      local = { ...local, drafts };
    },
    saveReadLine: (id, line) => {
      write('line');
      const readLines = new Map(local.readLines);
      if (line === null) readLines.delete(id);
      else readLines.set(id, line);
      local = { ...local, readLines };
    },
    saveName: () => write('name'),
    saveMe: (me) => {
      write('me');
      local = { ...local, me };
    },
    saveOpened: (opened) => {
      write('opened');
      local = { ...local, opened };
    },
    saveCapabilities: (changes) => {
      write('capabilities');
      local = { ...local, capabilities: withCapabilityChanges(local.capabilities, changes) };
    },
    close: () => undefined,
  };
  const write = (what: string): void => {
    if (disk.failing) throw new Error('disk full');
    disk.writes.push(what);
  };
  return disk;
}

export interface MemoryCache extends CacheDisk {
  conversations(): readonly Conversation[];
  contacts(): readonly Contact[];
  /** Newest cached message of each conversation. */
  lastMessages(): ReadonlyMap<ConversationId, Message>;
  readonly writes: string[];
}

export function memoryCache(): MemoryCache {
  const conversations = new Map();
  const contacts = new Map();
  const messages = new Map<string, Map<string, Message>>();
  const reaches = new Map<string, { older: Exclude<Edge, 'disk'>; gaps: readonly string[] }>();
  const writes: string[] = [];
  let walk: ListWalk | null = null;
  const sorted = (id: string): readonly Message[] => [...(messages.get(id)?.values() ?? [])].sort(compareMessages);
  return {
    writes,
    conversations: () => [...conversations.values()],
    contacts: () => [...contacts.values()],
    lastMessages: () =>
      new Map(
        [...messages.keys()].flatMap((id) =>
          sorted(id)
            .slice(-1)
            .map((last) => [id, last] as const),
        ),
      ),
    listOf: () => ({ conversations: [], contacts: [], lastMessages: [], unread: [] }),
    saveConversations: (list) => {
      writes.push(`conversations ${list.length}`);
      for (const one of list) conversations.set(one.id, one);
    },
    removeConversation: (id) => {
      writes.push('remove conversation');
      conversations.delete(id);
      messages.delete(id);
    },
    saveContacts: (list) => {
      writes.push(`contacts ${list.length}`);
      for (const one of list) contacts.set(one.id, one);
    },
    saveMessages: (id, list) => {
      writes.push(`messages ${list.length}`);
      const held = messages.get(id) ?? new Map<string, Message>();
      for (const one of list) held.set(one.id, one);
      messages.set(id, held);
    },
    removeMessages: (id, ids) => {
      writes.push(`remove ${ids.length}`);
      for (const one of ids) messages.get(id)?.delete(one);
    },
    history: (id, from, limit) => {
      const all = sorted(id);
      if (from === 'newest') return { messages: all.slice(-limit), hasMore: all.length > limit };
      if ('before' in from) {
        const before = all.filter((message) => compareMessages(message, from.before) < 0);
        return { messages: before.slice(-limit), hasMore: before.length > limit };
      }
      const after = all.filter((message) => compareMessages(message, from.after) > 0);
      return { messages: after.slice(0, limit), hasMore: after.length > limit };
    },
    outline: (id, limit) => {
      const all = sorted(id);
      const isLong = ({ text }: Message): boolean => text.length > 4_096;
      const messages = all.slice(-limit);
      return {
        messages: messages.map((message) => (isLong(message) ? { ...message, text: '' } : message)),
        cut: new Set(messages.filter(isLong).map((message) => message.id)),
        hasMore: all.length > limit,
      };
    },
    message: (id, messageId) => sorted(id).find((message) => message.id === messageId) ?? null,
    foldLog: () => undefined,
    lookThrough: (id, before, look) => {
      const found: Message[] = [];
      let end: Message | null = null;
      for (const message of sorted(id).toReversed()) {
        if (before !== null && compareMessages(message, before) >= 0) continue;
        const verdict = look(message.createdAt, message.text);
        if (verdict === 'stop') return { messages: found, end, hasMore: true };
        if (verdict === 'keep') found.push(message);
        end = message;
      }
      return { messages: found, end, hasMore: false };
    },
    reach: (id) => reaches.get(id) ?? { older: 'unknown', gaps: [] },
    listWalk: () => walk,
    saveListWalk: (next) => {
      writes.push('walk');
      walk = next;
    },
    saveReach: (id, older, gaps) => {
      writes.push('reach');
      reaches.set(id, { older, gaps });
    },
    close: () => undefined,
  };
}
