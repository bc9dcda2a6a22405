/**
 * The cache as the program sees it: on disk while the disk works, in memory when it does not. It never throws; what went
 * wrong stands in `status`.
 */
import type { Contact, ContactId, Conversation, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { ListWalk } from '../../state/cache/cached-list.ts';
import type { Me, ReadLine } from '../../state/model/app-state.ts';
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import type { DiskCache, MessagePage, Outline, PageFrom, PageKey } from './disk-cache.ts';
import type { ListPart } from './list-pages.ts';
import { memoryCache } from './memory-cache.ts';
import type { HistoryReach } from './rows.ts';
import type { LookAt, LookedThrough } from './scan-texts.ts';

type AnyCache = DiskCache | ReturnType<typeof memoryCache>;

export interface CacheStatus {
  /** Why the cache is kept in memory only; null while it is kept on disk. */
  readonly memoryOnly: StorageError | null;
  /** Name of the damaged file that was put aside when the cache was rebuilt; null when the file was whole. */
  readonly rebuiltFrom: string | null;
}

/** How cache.db is opened and put aside. Tests put failing disks here. */
export interface CacheFile {
  open(): DiskCache;
  /** Renames the damaged file. Returns its new name. */
  putAside(): string;
}

/**
 *     disk ──damaged──► put aside, rebuilt on disk   (once a run)
 *       └───anything else, or damaged again──► memory over what can still be read
 */
export class StoredCache {
  readonly #file: CacheFile;
  readonly #onTrouble: (error: StorageError) => void;
  #cache: AnyCache;
  /** The open cache.db; null when it could not be opened. */
  #disk: DiskCache | null = null;
  #memoryOnly: StorageError | null = null;
  #rebuiltFrom: string | null = null;

  constructor(file: CacheFile, onTrouble: (error: StorageError) => void) {
    this.#file = file;
    this.#onTrouble = onTrouble;
    try {
      this.#disk = file.open();
      this.#cache = this.#disk;
    } catch (error) {
      this.#cache = memoryCache();
      this.#recover(error);
    }
  }

  get status(): CacheStatus {
    return { memoryOnly: this.#memoryOnly, rebuiltFrom: this.#rebuiltFrom };
  }

  contactsAfter(id: ContactId | null, limit: number): readonly Contact[] {
    return this.#use((cache) => cache.contactsAfter(id, limit));
  }

  listTop(limit: number, lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): ListPart {
    return this.#use((cache) => cache.listTop(limit, lines, me));
  }

  listAfter(
    id: ConversationId | null,
    limit: number,
    lines: ReadonlyMap<ConversationId, ReadLine>,
    me: Me | null,
  ): ListPart {
    return this.#use((cache) => cache.listAfter(id, limit, lines, me));
  }

  listOf(ids: readonly ConversationId[], lines: ReadonlyMap<ConversationId, ReadLine>, me: Me | null): ListPart {
    return this.#use((cache) => cache.listOf(ids, lines, me));
  }

  saveConversations(conversations: readonly Conversation[]): void {
    this.#use((cache) => cache.saveConversations(conversations));
  }

  removeConversation(id: ConversationId): void {
    this.#use((cache) => cache.removeConversation(id));
  }

  saveContacts(contacts: readonly Contact[]): void {
    this.#use((cache) => cache.saveContacts(contacts));
  }

  saveMessages(conversationId: ConversationId, messages: readonly Message[]): void {
    this.#use((cache) => cache.saveMessages(conversationId, messages));
  }

  removeMessages(conversationId: ConversationId, ids: readonly MessageId[]): void {
    this.#use((cache) => cache.removeMessages(conversationId, ids));
  }

  history(conversationId: ConversationId, from: PageFrom, limit: number, held?: Message): MessagePage {
    return this.#use((cache) => cache.history(conversationId, from, limit, held));
  }

  outline(conversationId: ConversationId, limit: number): Outline {
    return this.#use((cache) => cache.outline(conversationId, limit));
  }

  message(conversationId: ConversationId, id: MessageId): Message | null {
    return this.#use((cache) => cache.message(conversationId, id));
  }

  lookThrough(conversationId: ConversationId, before: PageKey | null, look: LookAt): LookedThrough {
    return this.#use((cache) => cache.lookThrough(conversationId, before, look));
  }

  reach(conversationId: ConversationId): HistoryReach {
    return this.#use((cache) => cache.reach(conversationId));
  }

  saveReach(conversationId: ConversationId, older: HistoryReach['older'], gaps: readonly MessageId[]): void {
    this.#use((cache) => cache.saveReach(conversationId, older, gaps));
  }

  listWalk(): ListWalk | null {
    return this.#use((cache) => cache.listWalk());
  }

  saveListWalk(walk: ListWalk): void {
    this.#use((cache) => cache.saveListWalk(walk));
  }

  foldLog(): void {
    this.#use((cache) => cache.foldLog());
  }

  close(): void {
    try {
      this.#cache.close();
    } catch {
      // Nothing is lost: the cache holds only what can be fetched again.
    }
  }

  #use<T>(work: (cache: AnyCache) => T): T {
    // Three attempts at most: the file, the rebuilt file, and memory, which does not throw.
    for (;;) {
      try {
        return work(this.#cache);
      } catch (error) {
        if (this.#memoryOnly !== null) throw error;
        this.#recover(error);
      }
    }
  }

  #recover(error: unknown): void {
    const problem = toStorageError(error, 'The message cache cannot be used');
    if (problem.kind === 'corrupt' && this.#rebuiltFrom === null) {
      if (this.#rebuild()) return;
    }
    this.#memoryOnly = problem;
    this.#cache = memoryCache(this.#disk ?? undefined);
    this.#onTrouble(new StorageError(problem.kind, `${problem.message} Messages are kept in memory only.`));
  }

  #rebuild(): boolean {
    try {
      this.close();
      this.#disk = null;
      this.#rebuiltFrom = this.#file.putAside();
      this.#disk = this.#file.open();
      this.#cache = this.#disk;
    } catch {
      return false;
    }
    const line = `The message cache was damaged and is built anew; the old one is ${this.#rebuiltFrom}.`;
    this.#onTrouble(new StorageError('corrupt', line));
    return true;
  }
}
