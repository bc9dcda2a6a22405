/** Reads JSON Lines archives into a database with the tables of the cache. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { textKey } from '../../state/local/own-names.ts';
import type { ArchiveFacts, WritableArchive } from '../../storage/cache/archive-file.ts';
import { createArchive } from '../../storage/cache/archive-file.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import type { Entry, MessageEntry } from './entry.ts';
import { type Chunks, readArchive } from './read-archive.ts';

/** The number of messages that are written in one transaction. */
const batchRows = 500;

export interface LoadedArchive extends WritableArchive {
  readonly facts: ArchiveFacts;
  /** How many the archive holds. */
  readonly conversations: number;
  readonly messages: number;
}

/** A file to read; `name` is for errors. */
export interface ArchiveText {
  readonly chunks: Chunks;
  readonly name: string;
}

/**
 * @param path of a new file; null: in memory
 * @throws ExitError where the file is damaged; the file at `path` is incomplete then
 */
export const loadArchive = (chunks: Chunks, name: string, path: string | null): Promise<LoadedArchive> =>
  loadArchives([{ chunks, name }], path);

/** As `loadArchive`, for several files of one account: an export writes a file for each conversation into a folder. */
export async function loadArchives(texts: Iterable<ArchiveText>, path: string | null): Promise<LoadedArchive> {
  const writer = new ArchiveWriter(path);
  try {
    for (const { chunks, name } of texts) {
      for await (const { entry } of readArchive(chunks, name)) writer.add(entry, name);
    }
    return writer.finish();
  } catch (error) {
    writer.close();
    throw error;
  }
}

class ArchiveWriter {
  readonly #archive: WritableArchive;
  readonly #names = new Map<string, string>();
  readonly #conversations = new Set<ConversationId>();
  #messages = 0;
  #server: string | null = null;
  #me: ArchiveFacts['me'] = null;
  #batch: { readonly id: ConversationId; readonly messages: Map<MessageId, Message> } | null = null;

  constructor(path: string | null) {
    this.#archive = createArchive(path);
  }

  /** @throws ExitError */
  add(entry: Entry, name: string): void {
    const { cache } = this.#archive;
    switch (entry.type) {
      case 'header':
        if (this.#server !== null && this.#server !== entry.server)
          throw new ExitError(
            exitCodes.failure,
            `${name} is from ${entry.server}, but an earlier file is from ${this.#server}`,
          );
        this.#server = entry.server;
        break;
      case 'person': {
        const { contact, localName, isMe } = entry;
        cache.saveContacts([contact]);
        this.#name(textKey('contact', contact.id), localName);
        if (isMe) this.#me = { contactId: contact.id, username: contact.username };
        break;
      }
      case 'conversation':
        cache.saveConversations([entry.conversation]);
        this.#conversations.add(entry.conversation.id);
        if (entry.conversation.groupId !== null)
          this.#name(textKey('group', entry.conversation.groupId), entry.localName);
        break;
      case 'message':
        this.#addMessage(entry);
        break;
      case 'history':
        this.#flush();
        cache.saveReach(entry.conversationId, entry.older, entry.gaps);
        break;
      case 'list':
        // An archive shows what it holds; the file says what is missing.
        break;
    }
  }

  /** @throws ExitError where there was no file */
  finish(): LoadedArchive {
    this.#flush();
    if (this.#server === null) throw new ExitError(exitCodes.failure, 'the archive has no header');
    const facts = { server: this.#server, me: this.#me, names: this.#names };
    this.#archive.saveFacts(facts);
    return { ...this.#archive, facts, conversations: this.#conversations.size, messages: this.#messages };
  }

  close(): void {
    this.#archive.close();
  }

  #name(key: string, name: string | null): void {
    if (name === null) this.#names.delete(key);
    else this.#names.set(key, name);
  }

  #addMessage({ conversationId: id, message, versions }: MessageEntry): void {
    const { cache } = this.#archive;
    const isHeld = this.#batch?.messages.has(message.id) === true;
    if (this.#batch?.id !== id || this.#batch.messages.size >= batchRows || isHeld) this.#flush();
    // An earlier state of the message is replaced as a whole, with its earlier texts.
    if (isHeld || cache.message(id, message.id) !== null) {
      // The removal moves a gap that is before the message, so it is put back: an export writes another `history` line
      // only where the gaps have changed.
      const { older, gaps } = cache.reach(id);
      cache.removeMessages(id, [message.id]);
      cache.saveReach(id, older, gaps);
    } else this.#messages++;
    this.#batch ??= { id, messages: new Map() };
    this.#batch.messages.set(message.id, message);
    if (versions.length > 0) this.#archive.saveVersions(id, message.id, versions);
  }

  #flush(): void {
    if (this.#batch !== null) this.#archive.cache.saveMessages(this.#batch.id, [...this.#batch.messages.values()]);
    this.#batch = null;
  }
}
