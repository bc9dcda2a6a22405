/** What sync needs from the disk, in its own words; `storage` fulfils it and `session.ts` joins the two. */
import type { Contact, ContactId, Conversation, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type {
  HistoryKey,
  HistoryPage,
  HistoryReach,
  Outline,
  PageFrom,
  PageValidator,
  VisitText,
} from '../../state/cache/cached-history.ts';
import type { CachedList, CachedPart, ListReadingRecord } from '../../state/cache/cached-list.ts';
import type { RecordChange } from '../../state/local/records.ts';
import type { Draft, DraftChange, Local, Me, Op, ReadLine } from '../../state/model/app-state.ts';
import type { MessageVersion } from '../../state/model/details.ts';

/**
 * outbox.db, which cannot be replaced when it is lost. Every call is durable when it returns, and throws `StorageError`
 * when it is not. An error of the kind `gone` says that another process of this profile has changed or removed the op
 * meanwhile.
 */
export interface OutboxDisk {
  load(): Local;
  /** Gives the op its `seq`. In the same transaction the draft it was made from is deleted, or becomes `left`. */
  enqueue(op: Omit<Op, 'seq'>, draftOf: ConversationId | null, left?: Draft | null): Op;
  /**
   * Changes the op as it is on disk, in one transaction, and returns it. Throws `gone` when `change` returns null:
   * the disk may know more than this process, and no process may overwrite what another one has decided.
   */
  changeOp(uuid: string, change: (held: Op) => Op | null): Op;
  /**
   * Writes the op, whose attempt begins. False, and nothing is written, when an earlier op of its conversation holds it
   * back. Throws `gone` when it must not be sent any more. Both are decided by what is on disk, in the same
   * transaction, because another process may have written there.
   */
  begin(op: Op, goesFirst: (earlier: Op) => boolean): boolean;
  /**
   * Removes the op and claims `messageId` for it; null: it has become no message. Remembers a message that may have
   * arrived twice. False, and nothing is written, when another op has claimed that id. `isRecycled`: the message is new,
   * so that an earlier claim of its id was for another message and no longer counts.
   */
  settle(uuid: string, messageId: MessageId | null, isRecycled?: boolean): boolean;
  discard(uuid: string): void;
  /**
   * The user takes an op back: one transaction removes it and writes the draft that holds its text. False, and nothing
   * is written, when the op is not on disk, or `mayGo` refuses the op that is on disk.
   */
  withdraw(uuid: string, into: DraftChange | null, mayGo: (held: Op) => boolean): boolean;
  /** True once after another process has written: `load` again. Costs microseconds. */
  hasForeignChanges(): boolean;
  /** Server ids that ops have claimed in this conversation. */
  claims(conversationId: ConversationId): ReadonlySet<MessageId>;
  /** The op that claimed `from` also claims `to`, by which lists show the message, unless another op has. */
  claimAlso(from: MessageId, to: MessageId): void;
  /**
   * Changes these records in one transaction, and leaves the others as another process may have written them. With `ifCurrent`
   * it writes nothing and returns false where another process has written since `hasForeignChanges` was called.
   */
  saveRecords(changes: readonly RecordChange[], ifCurrent?: boolean): boolean;
  close(): void;
}

/** cache.db, which may be lost at any time. Reads never throw. After a failed write it goes on in memory and says so once. */
export interface CacheDisk {
  /** What the list shows of these conversations. */
  listOf(ids: readonly ConversationId[], lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): CachedList;
  /** `validator`: these rows, and those that are held already, are the page that it belongs to. Without it, none is kept. */
  saveConversations(conversations: readonly Conversation[], validator?: PageValidator | null): void;
  removeConversation(id: ConversationId): void;
  /**
   * Inserts or replaces by id. An earlier text that is replaced is kept as a version. `validator`: as above. `contacts`: those that
   * are new or have changed; they are written in the same transaction.
   */
  saveMessages(
    conversationId: ConversationId,
    messages: readonly Message[],
    validator?: PageValidator | null,
    contacts?: readonly Contact[],
  ): void;
  /** Forgets their versions too. */
  removeMessages(conversationId: ConversationId, ids: readonly MessageId[]): void;
  /** The texts that the message had before, newest first. */
  versions(conversationId: ConversationId, id: MessageId): readonly MessageVersion[];
  /** The message `from` goes by the id `to` from now on. */
  moveVersions(conversationId: ConversationId, from: MessageId, to: MessageId): void;
  /** The messages of the conversation that have versions. */
  editedMessages(conversationId: ConversationId): readonly MessageId[];
  /** The newest `limit` rows, or those before / after a key; fewer where texts are long. `held` is not read again. */
  history(conversationId: ConversationId, from: PageFrom, limit: number, held?: Message): HistoryPage;
  /** The newest `limit` rows, oldest first, without their long texts. */
  outline(conversationId: ConversationId, limit: number): Outline;
  message(conversationId: ConversationId, id: MessageId): Message | null;
  /**
   * Shows the texts of one conversation, newest first, all of them or those before a key, and returns whether the oldest
   * was reached. Nothing may be written meanwhile.
   */
  scanTexts(conversationId: ConversationId, before: HistoryKey | null, visit: VisitText): boolean;
  /** What is known of the server's history beyond the oldest cached row. */
  reach(conversationId: ConversationId): HistoryReach;
  saveReach(conversationId: ConversationId, older: HistoryReach['older'], gaps: readonly MessageId[]): void;
  /** The validator of the newest page of the conversation, or of the list (null); null once anything else was written there. */
  validator(id: ConversationId | null): PageValidator | null;
  /** The last reading of the list to its end; null when the cache knows of none. */
  listReading(): ListReadingRecord | null;
  /** To be called once everything that the reading brought is saved. */
  saveListReading(reading: ListReadingRecord): void;
  /** Copies the write-ahead log into the file now, so that a later small write does not have to. */
  checkpoint(): void;
  close(): void;
}

/** The cached list as a start reads it: first its top, then everything by id, in parts. */
export interface ListDisk extends Pick<CacheDisk, 'listOf'> {
  /** Pinned ones, then the others by their last activity, archived ones last. */
  listTop(limit: number, lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): CachedPart;
  /** Conversations after an id, in the order of ids. */
  listAfter(
    id: ConversationId | null,
    limit: number,
    lines: ReadonlyMap<ConversationId, ReadLine>,
    me: Me | null,
  ): CachedPart;
  /** Contacts after an id, in the order of ids. */
  contactsAfter(id: ContactId | null, limit: number): readonly Contact[];
}

/** Wall clock for what people see, monotonic clock for delays (R-POLL). */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void;
}
