/**
 * The outbox without a disk: it keeps drafts and other records for this run, and refuses ops, which must not be lost,
 * unless `volatile` is set.
 */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import { resentOf } from '../../state/local/duplicate-watch.ts';
import { type RecordChange, withRecords } from '../../state/local/records.ts';
import type { Draft, Local, Op } from '../../state/model/app-state.ts';
import { emptyLocal } from '../../state/store.ts';
import { StorageError } from '../sqlite/errors.ts';

export interface MemoryOutboxOptions {
  /** Accepts ops although quitting loses them: where there is no SQLite, and in tests. */
  readonly volatile?: boolean;
  /** Why the disk cannot be used; `enqueue` throws it. */
  readonly reason?: StorageError;
}

export function memoryOutbox(options: MemoryOutboxOptions = {}): MemoryOutbox {
  return new MemoryOutbox(options);
}

class MemoryOutbox {
  readonly #options: MemoryOutboxOptions;
  readonly #ops = new Map<string, Op>();
  readonly #claims = new Map<MessageId, { readonly uuid: string; readonly conversationId: ConversationId }>();
  #local: Local = emptyLocal;
  #seq = 0;

  constructor(options: MemoryOutboxOptions) {
    this.#options = options;
  }

  load(): Local {
    return { ...this.#local, outbox: [...this.#ops.values()].sort((a, b) => a.seq - b.seq) };
  }

  enqueue(op: Omit<Op, 'seq'>, draftOf: ConversationId | null, left: Draft | null = null): Op {
    if (this.#options.volatile !== true) {
      throw (
        this.#options.reason ??
        new StorageError('no-sqlite', 'Nothing was sent: without SQLite it could be lost. Use Node 22.13 or later.')
      );
    }
    const kept = { ...op, seq: ++this.#seq };
    this.#ops.set(op.uuid, kept);
    if (draftOf !== null) this.saveRecords([['drafts', draftOf, left]]);
    return kept;
  }

  changeOp(uuid: string, change: (held: Op) => Op | null): Op {
    const held = this.#ops.get(uuid);
    const changed = held === undefined ? null : change(held);
    if (changed === null) throw new StorageError('gone', 'This change is no longer in the outbox.');
    this.#ops.set(uuid, changed);
    return changed;
  }

  /** No other process writes here, so nothing has to be checked. */
  begin(op: Op): boolean {
    this.changeOp(op.uuid, () => op);
    return true;
  }

  settle(uuid: string, messageId: MessageId | null, isRecycled = false): boolean {
    const op = this.#ops.get(uuid);
    if (messageId !== null && op?.action.kind === 'message.send') {
      const holder = this.#claims.get(messageId);
      if (holder !== undefined && holder.uuid !== uuid && !isRecycled) return false;
      this.#claims.set(messageId, { uuid, conversationId: op.action.conversationId });
      const entry = resentOf(op, messageId, Date.now());
      if (entry !== null) this.saveRecords([['resent', uuid, entry]]);
    }
    this.#ops.delete(uuid);
    return true;
  }

  discard(uuid: string): void {
    this.#ops.delete(uuid);
  }

  withdraw(
    uuid: string,
    into: { readonly conversationId: ConversationId; readonly draft: Draft } | null,
    mayGo: (held: Op) => boolean,
  ): boolean {
    const op = this.#ops.get(uuid);
    if (op === undefined || !mayGo(op)) return false;
    this.#ops.delete(uuid);
    if (into !== null) this.saveRecords([['drafts', into.conversationId, into.draft]]);
    return true;
  }

  /** No other process has access to it. */
  hasForeignChanges(): boolean {
    return false;
  }

  claims(conversationId: ConversationId): ReadonlySet<MessageId> {
    return new Set([...this.#claims].filter(([, claim]) => claim.conversationId === conversationId).map(([id]) => id));
  }

  sentAs(uuid: string): MessageId | null {
    return [...this.#claims].findLast(([, claim]) => claim.uuid === uuid)?.[0] ?? null;
  }

  claimAlso(from: MessageId, to: MessageId): void {
    const claim = this.#claims.get(from);
    if (claim !== undefined && !this.#claims.has(to)) this.#claims.set(to, claim);
  }

  saveRecords(changes: readonly RecordChange[]): boolean {
    this.#local = withRecords(this.#local, changes);
    return true;
  }

  close(): void {}
}
