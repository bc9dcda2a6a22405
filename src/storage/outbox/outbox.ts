/**
 * outbox.db: unsent writes, claims, and the records of `Local` such as drafts and read lines; durable at every return.
 */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import { resentOf } from '../../state/local/duplicate-watch.ts';
import type { RecordChange } from '../../state/local/records.ts';
import type { Draft, DraftChange, Local, Op } from '../../state/model/app-state.ts';
import { transition } from '../../state/model/op-state.ts';
import type { SqlValue } from '../sqlite/driver.ts';
import { StorageError } from '../sqlite/errors.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';
import { claim, dropClaim, pruneClaims } from './claims.ts';
import type { OutboxConnection } from './connection.ts';
import { putRecord, readLocal } from './records.ts';
import type { Salvaged } from './recovery/salvage.ts';
import { insertOp, opsBefore, opsUnderWay, readOp, writeOp } from './rows.ts';
import { type AsideRow, countSetAside, readSetAside, removeSetAside, setAside } from './set-aside.ts';

/** The `sender` holds the sender lock. It alone may end the attempts that an earlier process left unfinished. */
export type OutboxRole = 'sender' | 'reader';

export interface OutboxStatus {
  /** The number of unreadable records in the table `set_aside`. */
  readonly setAside: number;
  /** What was saved from a damaged file at this start; null when the file was whole. */
  readonly salvaged: Salvaged | null;
}

export class StoredOutbox {
  readonly #connection: OutboxConnection;
  readonly #now: () => number;
  #role: OutboxRole;
  #dataVersion: SqlValue = null;

  constructor(connection: OutboxConnection, role: OutboxRole, now: () => number) {
    this.#connection = connection;
    this.#role = role;
    this.#now = now;
    if (role === 'sender') {
      this.becomeSender();
      connection.guard('pruned', () => connection.transaction(() => pruneClaims(connection.database)));
    }
    this.hasForeignChanges();
  }

  get status(): OutboxStatus {
    return {
      setAside: this.#connection.guard('counted', () => countSetAside(this.#connection.database)),
      salvaged: this.#connection.salvaged,
    };
  }

  /**
   * To be called once the sender lock is held: ends the attempts that its last holder left in `sending`. A sent message becomes
   * `unsure`, any other op `queued`.
   */
  becomeSender(): void {
    this.#role = 'sender';
    this.#connection.guard('read', () => {
      const left = opsUnderWay(this.#connection.prepare);
      if (left.length > 0)
        this.#connection.transaction(() => {
          for (const op of left)
            writeOp(this.#connection.prepare, transition(op, { kind: 'interrupted', at: this.#now() }));
        });
    });
  }

  /** Returns true once after another process has written; the caller then calls `load`. Costs microseconds. */
  hasForeignChanges(): boolean {
    return this.#connection.guard('read', () => {
      const version = this.#readVersion();
      const isChanged = this.#dataVersion !== null && version !== this.#dataVersion;
      this.#dataVersion = version;
      return isChanged;
    });
  }

  /** A number that another process changes by writing, and this one does not. */
  #readVersion(): SqlValue {
    return this.#connection.prepare('PRAGMA data_version').get()?.data_version ?? null;
  }

  load(): Local {
    return this.#connection.guard('read', () => {
      const { local, unreadable } = readLocal(this.#connection.database);
      if (this.#role === 'sender') setAside(this.#connection.database, unreadable, this.#now());
      return local;
    });
  }

  enqueue(op: Omit<Op, 'seq'>, draftOf: ConversationId | null, left: Draft | null = null): Op {
    const put = (): Op => {
      const seq = insertOp(this.#connection.prepare, op);
      if (draftOf !== null) this.#put(['drafts', draftOf, left]);
      return { ...op, seq };
    };
    return this.#commitVerified(put, () => readOp(this.#connection.prepare, op.uuid));
  }

  /** Throws `gone` when the op is missing or `change` returns null: what was discarded must not be sent. */
  changeOp(uuid: string, change: (held: Op) => Op | null): Op {
    return this.#connection.guard('saved', () =>
      this.#connection.transaction(() => {
        const held = readOp(this.#connection.prepare, uuid);
        const changed = held === null ? null : change(held);
        if (changed === null) throw gone();
        writeOp(this.#connection.prepare, changed);
        return changed;
      }),
    );
  }

  /**
   * Writes the op, unless `goesFirst` is true of an earlier op of its conversation that has not failed; in one
   * transaction. Returns whether it was written. Throws `gone` when the op on disk is neither queued nor being sent.
   */
  begin(op: Op, goesFirst: (earlier: Op) => boolean): boolean {
    return this.#connection.save(() =>
      this.#connection.transaction(() => {
        const held = readOp(this.#connection.prepare, op.uuid);
        if (held?.state !== 'queued' && held?.state !== 'sending') throw gone();
        if (opsBefore(this.#connection.prepare, op).some(goesFirst)) return false;
        writeOp(this.#connection.prepare, op);
        return true;
      }),
    );
  }

  /**
   * Removes the op. For a send it claims the message, and returns false with nothing written where another op has
   * claimed it; for every other action `messageId` is ignored.
   */
  settle(uuid: string, messageId: MessageId | null, isRecycled = false): boolean {
    return this.#connection.guard('saved', () =>
      this.#connection.transaction(() => {
        const op = readOp(this.#connection.prepare, uuid);
        if (messageId !== null && op?.action.kind === 'message.send') {
          if (isRecycled) dropClaim(this.#connection.prepare, messageId);
          if (!claim(this.#connection.prepare, uuid, messageId, op.action.conversationId)) return false;
          const entry = resentOf(op, messageId, this.#now());
          if (entry !== null) this.#put(['resent', uuid, entry]);
        }
        this.#connection.prepare('DELETE FROM ops WHERE uuid = ?').run(uuid);
        return true;
      }),
    );
  }

  discard(uuid: string): void {
    this.#run('DELETE FROM ops WHERE uuid = ?', uuid);
  }

  withdraw(uuid: string, into: DraftChange | null, mayGo: (held: Op) => boolean): boolean {
    let isTaken = false;
    const take = (): boolean => {
      const held = readOp(this.#connection.prepare, uuid);
      if (held === null || !mayGo(held)) return false;
      this.#connection.prepare('DELETE FROM ops WHERE uuid = ?').run(uuid);
      if (into !== null) this.#put(['drafts', into.conversationId, into.draft]);
      isTaken = true;
      return true;
    };
    return this.#commitVerified(take, () => (isTaken && readOp(this.#connection.prepare, uuid) === null ? true : null));
  }

  claims(conversationId: ConversationId): ReadonlySet<MessageId> {
    return this.#connection.guard('read', () => {
      const rows = this.#connection
        .prepare('SELECT message_id FROM claims WHERE conversation_id = ?')
        .all(toColumn(conversationId));
      return new Set(rows.map((row) => fromColumn(String(row.message_id))));
    });
  }

  /** The message that the op became; null while it is none, and once the record was pruned. */
  sentAs(uuid: string): MessageId | null {
    return this.#connection.guard('read', () => {
      const row = this.#connection
        .prepare('SELECT message_id FROM claims WHERE uuid = ? ORDER BY rowid DESC')
        .get(uuid);
      return row === undefined ? null : fromColumn(String(row.message_id));
    });
  }

  claimAlso(from: MessageId, to: MessageId): void {
    this.#run(
      'INSERT OR IGNORE INTO claims SELECT ?2, conversation_id, uuid FROM claims WHERE message_id = ?1',
      toColumn(from),
      toColumn(to),
    );
  }

  /** The records that could not be read. */
  rowsAside(): readonly AsideRow[] {
    return this.#connection.guard('read', () => readSetAside(this.#connection.database));
  }

  removeAside(number: number): void {
    this.#connection.guard('saved', () => removeSetAside(this.#connection.database, number));
  }

  saveRecords(changes: readonly RecordChange[], ifCurrent = false): boolean {
    return this.#connection.save(() =>
      this.#connection.transaction(() => {
        // The transaction has the only right to write by now: nothing changes between the question and the records.
        if (ifCurrent && this.#readVersion() !== this.#dataVersion) return false;
        changes.forEach(this.#put);
        return true;
      }),
    );
  }

  close(): void {
    this.#connection.close();
  }

  /**
   * A COMMIT can fail in its last step, when the change is in the file already. A text that is there must not be reported as
   * refused, as the user would enter it again and it would be posted twice: `read` returns what the file has of the change.
   */
  #commitVerified<T>(work: () => T, read: () => T | null): T {
    return this.#connection.save(() => {
      try {
        return this.#connection.transaction(work);
      } catch (error) {
        const found = this.#readBack(read);
        if (found === null) throw error;
        return found;
      }
    });
  }

  /** Reads in a new transaction, so that what a transaction that could not be rolled back has left is not taken for written. */
  #readBack<T>(read: () => T | null): T | null {
    try {
      return this.#connection.transaction(read);
    } catch {
      return null;
    }
  }

  readonly #put = (change: RecordChange): void => putRecord(this.#connection.prepare, change);

  #run(sql: string, ...parameters: SqlValue[]): void {
    this.#connection.guard('saved', () => {
      this.#connection.prepare(sql).run(...parameters);
    });
  }
}

const gone = (): StorageError =>
  new StorageError(
    'gone',
    'This change is no longer in the outbox as it was: it was settled, discarded or decided elsewhere.',
  );
