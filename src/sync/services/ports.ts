/** What sync needs from the disk, in its own words; `storage` fulfils it and `session.ts` joins the two. */
import type { CapabilityChanges } from '../../protocol/capabilities.ts';
import type { Contact, ContactId, Conversation, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { CachedList, ListWalk } from '../../state/cache/cached-list.ts';
import type { Draft, Edge, Local, Me, Op, ReadLine, Resent } from '../../state/model/app-state.ts';

/**
 * outbox.db: irreplaceable. Every call is durable when it returns and throws `StorageError` when it is not; one whose
 * `kind` is `gone` says that another process of this profile has changed or removed the op meanwhile.
 */
export interface OutboxDisk {
  load(): Local;
  /** Gives the op its `seq` and, in the same transaction, deletes the draft it was made from. */
  enqueue(op: Omit<Op, 'seq'>, draftOf: ConversationId | null): Op;
  /**
   * Writes what `change` makes of the op on disk, in one transaction, and answers it. `gone` where it makes null of it:
   * the disk may know more than this process, and no writer goes over what another one has decided.
   */
  changeOp(uuid: string, change: (held: Op) => Op | null): Op;
  /**
   * Writes the op, whose attempt begins, unless one before it in its conversation holds it back: false then, and nothing
   * done. `gone` where it is not to be sent any more. What is asked is the disk, in the same transaction, as another
   * process may have entered something there.
   */
  begin(op: Op, isHolding: (earlier: Op) => boolean): boolean;
  /**
   * Takes the op out and claims `messageId` for it, and keeps what `resentOf` says of it; false, and nothing done, when
   * another op has claimed that id. `isReused`: what was claimed by it was another message, and counts no more.
   */
  settle(uuid: string, messageId: MessageId | null, isReused?: boolean): boolean;
  discard(uuid: string): void;
  /**
   * The user takes an op back: in one transaction it goes and the draft that has its words is there. False, and nothing
   * done, when it is not there, or may not go as it stands there.
   */
  withdraw(uuid: string, into: DraftChange | null, mayGo: (held: Op) => boolean): boolean;
  /** True once after another process has written: `load` again. Costs microseconds. */
  hasForeignChanges(): boolean;
  /** Server ids that ops have claimed in this conversation. */
  claims(conversationId: ConversationId): ReadonlySet<MessageId>;
  /** What claimed `from` has claimed `to` as well, unless another op has: the server shows the message by that id. */
  claimAlso(from: MessageId, to: MessageId): void;
  saveResent(uuid: string, entry: Resent | null): void;
  saveDraft(conversationId: ConversationId, draft: Draft | null): void;
  saveReadLine(conversationId: ConversationId, line: ReadLine | null): void;
  saveName(id: string, name: string | null): void;
  saveMe(me: Me | null): void;
  saveOpened(id: ConversationId | null): void;
  /** Changes these and leaves the others as another process may have put, or forgotten, them. */
  saveCapabilities(changes: CapabilityChanges): void;
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

/** Rows without their long texts, which take time to read: `''` stands for each that is in `cut`. */
export interface Outline extends HistoryPage {
  readonly cut: ReadonlySet<MessageId>;
}

/**
 * What a search makes of a row: passed over, wanted whole, or not looked at any more, for now. A text may come cut after
 * 65,536 characters.
 */
export type LookAt = (createdAt: number | null, text: string) => 'pass' | 'keep' | 'stop';

export interface LookedThrough {
  /** The wanted ones, newest first. */
  readonly messages: readonly Message[];
  /** The last row that was looked at; null when there was none. */
  readonly end: HistoryKey | null;
  /** It was told to stop before the oldest row. */
  readonly hasMore: boolean;
}

/** cache.db: may be lost at any time. Reads never throw; writes that fail turn the store memory-only and say so once. */
export interface CacheDisk {
  /** What the list shows of these. */
  listOf(ids: readonly ConversationId[], lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): CachedList;
  saveConversations(conversations: readonly Conversation[]): void;
  removeConversation(id: ConversationId): void;
  saveContacts(contacts: readonly Contact[]): void;
  /** Inserts or replaces by id. */
  saveMessages(conversationId: ConversationId, messages: readonly Message[]): void;
  removeMessages(conversationId: ConversationId, ids: readonly MessageId[]): void;
  /** The newest `limit` rows, or those before / after a key; fewer where texts are long. The text of `held` is not read again. */
  history(
    conversationId: ConversationId,
    from: { readonly before: HistoryKey } | { readonly after: HistoryKey } | 'newest',
    limit: number,
    held?: Message,
  ): HistoryPage;
  /** The newest rows. */
  outline(conversationId: ConversationId, limit: number): Outline;
  message(conversationId: ConversationId, id: MessageId): Message | null;
  /** Shows the texts of one conversation, newest first, the newest of all or those before a key; nothing may be written meanwhile. */
  lookThrough(conversationId: ConversationId, before: HistoryKey | null, look: LookAt): LookedThrough;
  /** What is known of the server's history beyond the oldest cached row. */
  reach(conversationId: ConversationId): { readonly older: Exclude<Edge, 'disk'>; readonly gaps: readonly MessageId[] };
  saveReach(conversationId: ConversationId, older: Exclude<Edge, 'disk'>, gaps: readonly MessageId[]): void;
  /** null: it was never read to its end, as far as the cache goes. */
  listWalk(): ListWalk | null;
  /** What the walk brought is saved before. */
  saveListWalk(walk: ListWalk): void;
  /** Does what is owed for large writes now, so that it does not come with a small one. */
  foldLog(): void;
  close(): void;
}

/** The cached list as a start reads it: what stands on top, then all by id, a part at a time. */
export interface ListDisk extends Pick<CacheDisk, 'listOf'> {
  /** Pinned ones, then the others by their last activity, archived ones last. */
  listTop(limit: number, lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): CachedPart;
  /** Those after an id. */
  listAfter(
    id: ConversationId | null,
    limit: number,
    lines: ReadonlyMap<ConversationId, ReadLine>,
    me: Me | null,
  ): CachedPart;
  /** The contact book by id. */
  contactsAfter(id: ContactId | null, limit: number): readonly Contact[];
}

export interface CachedPart extends CachedList {
  readonly hasMore: boolean;
}

/** Wall clock for what people see, monotonic clock for delays (R-POLL). */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void;
}
