/** What sync needs from the disk, in its own words; `storage` fulfils it and `session.ts` joins the two. */
import type { ServerTraits } from '../protocol/traits.ts';
import type { Contact, Conversation, ConversationId, Message, MessageId } from '../protocol/types.ts';
import type { Draft, Edge, Local, Me, Op, ReadLine, Resent } from '../state/state.ts';

/**
 * outbox.db: irreplaceable. Every call is durable when it returns and throws `StorageError` when it is not; one whose
 * `kind` is `gone` says that another process of this profile has changed or removed the op meanwhile.
 */
export interface OutboxDisk {
  load(): Local;
  /** Gives the op its `seq` and, in the same transaction, deletes the draft it was made from. */
  enqueue(op: Omit<Op, 'seq'>, draftOf: ConversationId | null): Op;
  /** With `from`, only while the op on disk is still in that state: the disk may know more than this process. */
  putOp(op: Op, from?: Op['state']): void;
  /**
   * Takes the op out and claims `messageId` for it, and keeps what `resentOf` says of it; false, and nothing done, when
   * another op has claimed that id.
   */
  settle(uuid: string, messageId: MessageId | null): boolean;
  discard(uuid: string): void;
  /**
   * The user takes an op back: in one transaction it goes and the draft that has its words is there. False, and nothing
   * done, while its request is under way.
   */
  withdraw(uuid: string, into: DraftChange | null): boolean;
  /** True once after another process has written: `load` again. Costs microseconds. */
  hasForeignChanges(): boolean;
  /** Server ids that ops have claimed in this conversation. */
  claims(conversationId: ConversationId): ReadonlySet<MessageId>;
  saveResent(uuid: string, entry: Resent | null): void;
  saveDraft(conversationId: ConversationId, draft: Draft | null): void;
  saveReadLine(conversationId: ConversationId, line: ReadLine | null): void;
  saveName(id: string, name: string | null): void;
  saveMe(me: Me | null): void;
  saveOpened(id: ConversationId | null): void;
  saveTraits(traits: ServerTraits): void;
  close(): void;
}

export interface DraftChange {
  readonly conversationId: ConversationId;
  readonly draft: Draft;
}

/** Where a page of cached history starts; exclusive. */
export interface HistoryKey {
  readonly createdAt: number | null;
  readonly rank: number;
  readonly id: MessageId;
}

export interface HistoryPage {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** More cached rows exist beyond the page in the direction asked. */
  readonly hasMore: boolean;
}

/** cache.db: may be lost at any time. Reads never throw; writes that fail turn the store memory-only and say so once. */
export interface CacheDisk {
  conversations(): readonly Conversation[];
  contacts(): readonly Contact[];
  /** Newest cached message of each conversation. */
  lastMessages(): ReadonlyMap<ConversationId, Message>;
  /** Incoming messages after the read line, for every conversation that has any. */
  unread(lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): ReadonlyMap<ConversationId, number>;
  saveConversations(conversations: readonly Conversation[]): void;
  removeConversation(id: ConversationId): void;
  saveContacts(contacts: readonly Contact[]): void;
  /** Inserts or replaces by id. */
  saveMessages(conversationId: ConversationId, messages: readonly Message[]): void;
  removeMessages(conversationId: ConversationId, ids: readonly MessageId[]): void;
  /** The newest `limit` rows, or those before / after a key. */
  history(
    conversationId: ConversationId,
    from: { readonly before: HistoryKey } | { readonly after: HistoryKey } | 'newest',
    limit: number,
  ): HistoryPage;
  /** What is known of the server's history beyond the oldest cached row. */
  reach(conversationId: ConversationId): { readonly older: Exclude<Edge, 'disk'>; readonly gaps: readonly MessageId[] };
  saveReach(conversationId: ConversationId, older: Exclude<Edge, 'disk'>, gaps: readonly MessageId[]): void;
  close(): void;
}

/** Wall clock for what people see, monotonic clock for delays (reliability.md R-POLL). */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void;
}
