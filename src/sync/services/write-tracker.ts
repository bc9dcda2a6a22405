/** Knows which parts of an answer may be older than a write of ours, because lists and other reads may lag behind. */
import { isOfAnotherTime } from '../../protocol/time.ts';
import type { Conversation, ConversationId, Message, MessageId, Millis } from '../../protocol/types.ts';
import { sameValue } from '../../state/collections/equal.ts';

export type Target = `message ${MessageId}` | `conversation ${ConversationId}` | 'list';

const remembered = 500;
/** No list, and no other read, is believed to lag behind a write for longer. */
export const lagWindowMs = 120_000;

interface Tombstone {
  readonly at: Millis;
  readonly createdAt: Millis | null;
}

export class WriteTracker {
  readonly conversations: PendingValues<Conversation>;
  readonly messages: PendingValues<Message>;
  readonly #monotonic: () => number;
  readonly #underWay = new Map<Target, number>();
  /** The sequence number of the last write to each target that has ended. */
  readonly #ended = new Map<Target, number>();
  readonly #tombstones = new Map<string, Tombstone>();
  #sequence = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    this.conversations = new PendingValues(monotonic, ['isPinned', 'isMuted', 'pinnedMessageId', 'archivedAt']);
    this.messages = new PendingValues(monotonic, ['text', 'reactions', 'attachments', 'updatedAt']);
  }

  /** Take one before a poll leaves. */
  mark(): number {
    return this.#sequence;
  }

  /** A write to these targets begins; the returned function ends it. */
  begin(targets: readonly Target[]): () => void {
    for (const target of targets) this.#underWay.set(target, (this.#underWay.get(target) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#sequence += 1;
      for (const target of targets) this.#end(target);
    };
  }

  /** A write to the target was under way at some time since the mark. */
  overlapsSince(mark: number, target: Target): boolean {
    return this.#underWay.has(target) || (this.#ended.get(target) ?? -1) > mark;
  }

  /** Every target written to at some time since the mark. */
  targetsSince(mark: number): readonly Target[] {
    const done = [...this.#ended].filter(([target, at]) => at > mark && !this.#underWay.has(target));
    return [...this.#underWay.keys(), ...done.map(([target]) => target)];
  }

  /** A write ended since the mark and none is under way: worth asking again at once, as nothing will overlap again. */
  settledSince(mark: number, target: Target): boolean {
    return !this.#underWay.has(target) && (this.#ended.get(target) ?? -1) > mark;
  }

  /** A write of ours has deleted it: lists that lag behind may show it for a while. */
  addTombstone(id: MessageId | ConversationId, createdAt: Millis | null = null): void {
    this.#tombstones.delete(id);
    this.#tombstones.set(id, { at: this.#monotonic(), createdAt });
    dropOldest(this.#tombstones);
  }

  /** It was created again. */
  removeTombstone(id: MessageId | ConversationId): void {
    this.#tombstones.delete(id);
  }

  /** True for what was deleted by a write of ours. What was created at another time only has the same id. */
  hasTombstone(id: MessageId | ConversationId, createdAt: Millis | null = null): boolean {
    const one = this.#tombstones.get(id);
    return one !== undefined && this.#monotonic() - one.at < lagWindowMs && !isOfAnotherTime(one.createdAt, createdAt);
  }

  /** True when a write of ours deleted a message with this id that was created at another time. */
  isRecycledId(id: MessageId, createdAt: Millis | null): boolean {
    return isOfAnotherTime(this.#tombstones.get(id)?.createdAt ?? null, createdAt);
  }

  #end(target: Target): void {
    const left = (this.#underWay.get(target) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(target);
    else this.#underWay.set(target, left);
    this.#ended.delete(target);
    this.#ended.set(target, this.#sequence);
    dropOldest(this.#ended);
  }
}

function dropOldest(map: Map<string, unknown>): void {
  const oldest = map.keys().next();
  if (map.size > remembered && oldest.done !== true) map.delete(oldest.value);
}

export class Unlisted {
  readonly #monotonic: () => number;
  readonly #sends = new Map<MessageId, Millis>();
  readonly #conversations = new Map<ConversationId, Millis>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** The answer to a send has shown the message. */
  addSend(id: MessageId): void {
    this.#sends.set(id, this.#monotonic());
  }

  /** A page has shown the message, or it is known by another id. */
  removeSend(id: MessageId): void {
    this.#sends.delete(id);
  }

  /** The message is known only from the answer to its send. */
  hasSend(id: MessageId): boolean {
    return this.#sends.has(id);
  }

  /** Milliseconds since the message was sent; null when a page has shown it, or when it was not sent in this run. */
  ageOfSend(id: MessageId): Millis | null {
    return this.#age(this.#sends.get(id));
  }

  /** This run has created the conversation. */
  addConversation(id: ConversationId): void {
    this.#conversations.set(id, this.#monotonic());
  }

  /** Milliseconds since this run created the conversation; null when it did not. */
  ageOfConversation(id: ConversationId): Millis | null {
    return this.#age(this.#conversations.get(id));
  }

  #age(since: Millis | undefined): Millis | null {
    return since === undefined ? null : this.#monotonic() - since;
  }
}

/** What a field was before our recent writes, and what it has been since. */
interface Written {
  readonly was: readonly unknown[];
  readonly is: unknown;
  readonly writes: number;
  readonly at: number;
  /** A list has shown the new value: lists are believed from then on, while other reads may still lag. */
  readonly isListed: boolean;
}

/**
 * Puts right what answers show of the time before a write. Only the given fields are compared. A field that a list
 * shows with its new value, or with a value that nobody here has seen, is the list's again, so that changes of others
 * show.
 */
export class PendingValues<T extends { readonly id: string }> {
  readonly #monotonic: () => number;
  readonly #fields: readonly (keyof T)[];
  readonly #byId = new Map<string, Map<keyof T, Written>>();

  constructor(monotonic: () => number, fields: readonly (keyof T)[]) {
    this.#monotonic = monotonic;
    this.#fields = fields;
  }

  /** A write of ours made `after` of `before`, or of what was taken for it. */
  readonly recordWrite = (before: T, after: T): void => {
    const at = this.#monotonic();
    this.#forgetOld(at);
    const written = this.#byId.get(after.id) ?? new Map<keyof T, Written>();
    for (const field of this.#fields) {
      if (sameValue(before[field], after[field])) continue;
      written.set(field, writtenAgain(written.get(field), before[field], after[field], at));
    }
    if (written.size > 0) this.#byId.set(after.id, written);
  };

  /** A row of a list with our writes applied; the same object when nothing is changed by them. */
  readonly overList = (row: T): T => {
    const shown = this.overUnlistedRead(row);
    const written = this.#byId.get(row.id);
    for (const [field, one] of written ?? []) {
      // After several writes the same value may also come from an earlier one.
      if (one.writes === 1 && shown[field] === row[field]) written?.set(field, { ...one, isListed: true });
    }
    return shown;
  };

  /** A single answer with our writes applied, also those that lists show by now: other reads may lag still. */
  readonly overRead = (row: T): T => {
    return this.#putRight(row, () => true);
  };

  /** An answer with those of our writes applied that no list has shown yet. */
  readonly overUnlistedRead = (row: T): T => {
    return this.#putRight(row, ({ isListed }) => !isListed);
  };

  #putRight(row: T, isMeant: (one: Written) => boolean): T {
    this.#forgetOld(this.#monotonic());
    const late = [...(this.#byId.get(row.id) ?? [])].filter(
      ([field, one]) => isMeant(one) && one.was.some((value) => sameValue(value, row[field])),
    );
    return late.length === 0 ? row : { ...row, ...Object.fromEntries(late.map(([field, { is }]) => [field, is])) };
  }

  #forgetOld(now: number): void {
    for (const [id, written] of this.#byId) {
      for (const [field, { at }] of written) if (now - at >= lagWindowMs) written.delete(field);
      if (written.size === 0) this.#byId.delete(id);
    }
  }
}

function writtenAgain(earlier: Written | undefined, before: unknown, is: unknown, at: number): Written {
  const isSame = earlier !== undefined && sameValue(earlier.is, is);
  const writes = earlier === undefined || earlier.isListed ? 1 : earlier.writes + (isSame ? 0 : 1);
  const past = [...(earlier === undefined ? [] : [...earlier.was, earlier.is]), before];
  return { was: past.filter((value) => !sameValue(value, is)), is, writes, at, isListed: false };
}
