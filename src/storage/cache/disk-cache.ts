/** Reads and writes cache.db. Errors are thrown; `resilientCache` decides what follows from them. */
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
import type { CachedPart, ListReadingRecord } from '../../state/cache/cached-list.ts';
import type { Me } from '../../state/model/app-state.ts';
import type { MessageVersion } from '../../state/model/details.ts';
import {
  checkpoint,
  closeDatabase,
  type Database,
  emptyLog,
  inTransaction,
  type SqlValue,
  type Statement,
  statementCache,
} from '../sqlite/driver.ts';
import { toColumn } from '../sqlite/sqlite-text.ts';
import { forgetFormattedPage, formattedPage, saveFormattedPage } from './formatted-pages.ts';
import { moveGaps } from './gaps.ts';
import { historyPage, outlineOf } from './history-page.ts';
import { partAfter, partOf, topPart } from './list-pages.ts';
import { PageValidators } from './page-validators.ts';
import {
  bodyOfRow,
  contactColumns,
  conversationColumns,
  messageColumns,
  messageOfRow,
  reachOfRow,
  readingOfRow,
} from './rows.ts';
import { scanTexts } from './scan-texts.ts';
import { noTime } from './schema.ts';
import type { ReadLines } from './unread.ts';
import { editedMessages, forgetVersions, moveVersions, saveVersion, versionsOf } from './versions.ts';

/** The time of the newest message; NULL when there is no message, or none with a time. */
const headTime = `(SELECT nullif(sort_at, ${noTime}) FROM heads WHERE conversation_id = ?)`;

/** The write-ahead log has what was deleted for this long. */
const emptyLogMs = 1_000;

export class DiskCache {
  readonly #database: Database;
  readonly #prepare: (sql: string) => Statement;
  readonly #now: () => number;
  readonly #validators: PageValidators;
  #emptying: NodeJS.Timeout | null = null;

  /** `program`: the version of msg-tui that reads and writes. */
  constructor(database: Database, now: () => number = Date.now, program = '') {
    this.#database = database;
    this.#now = now;
    this.#prepare = statementCache(database);
    this.#validators = new PageValidators(this.#prepare, program);
  }

  contactsAfter(id: ContactId | null, limit: number): readonly Contact[] {
    const rows =
      id === null
        ? this.#prepare('SELECT body FROM contacts ORDER BY id LIMIT ?').all(limit)
        : this.#prepare('SELECT body FROM contacts WHERE id > ? ORDER BY id LIMIT ?').all(toColumn(id), limit);
    return rows.flatMap((row) => bodyOfRow<Contact>(row) ?? []);
  }

  listTop(limit: number, lines: ReadLines, me: Me | null): CachedPart {
    return topPart(this.#prepare, limit, { lines, me });
  }

  listAfter(id: ConversationId | null, limit: number, lines: ReadLines, me: Me | null): CachedPart {
    return partAfter(this.#prepare, id, limit, { lines, me });
  }

  listOf(ids: readonly ConversationId[], lines: ReadLines, me: Me | null): CachedPart {
    return partOf(this.#prepare, ids, { lines, me });
  }

  saveConversations(conversations: readonly Conversation[], validator: PageValidator | null = null): void {
    if (conversations.length === 0 && validator === null) return;
    inTransaction(this.#database, () => {
      const hasChanged = this.#upsert(
        `INSERT INTO conversations (id, contact_id, body, shelf, age) VALUES (?, ?, ?, ?, -coalesce(?, ${headTime}, ?, 0))
         ON CONFLICT (id) DO UPDATE SET contact_id = excluded.contact_id, body = excluded.body, shelf = excluded.shelf,
           age = excluded.age WHERE body <> excluded.body`,
        conversations.map(conversationColumns),
      );
      if (hasChanged || validator !== null) this.#validators.replace(null, validator);
    });
  }

  saveContacts(contacts: readonly Contact[]): void {
    if (contacts.length === 0) return;
    inTransaction(this.#database, () => this.#upsertContacts(contacts));
  }

  removeConversation(id: ConversationId): void {
    const column = toColumn(id);
    inTransaction(this.#database, () => {
      for (const table of ['messages', 'heads', 'reach', 'versions', 'formatted_pages']) {
        this.#prepare(`DELETE FROM ${table} WHERE conversation_id = ?`).run(column);
      }
      this.#prepare('DELETE FROM conversations WHERE id = ?').run(column);
      this.#validators.replace(null, null);
      this.#validators.replace(id, null);
    });
    this.#emptyLogSoon();
  }

  saveMessages(
    conversationId: ConversationId,
    messages: readonly Message[],
    validator: PageValidator | null = null,
    contacts: readonly Contact[] = [],
  ): void {
    if (messages.length === 0 && validator === null && contacts.length === 0) return;
    inTransaction(this.#database, () => {
      this.#upsertContacts(contacts);
      const insert = this.#prepare(
        `INSERT INTO messages (conversation_id, id, sort_at, rank, contact_id, text, details) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (conversation_id, id) DO NOTHING`,
      );
      const now = this.#now();
      for (const message of messages) {
        const columns = messageColumns(conversationId, message);
        if (Number(insert.run(...columns).changes) > 0) continue;
        saveVersion(this.#prepare, conversationId, message, now);
        this.#prepare(
          `UPDATE messages SET sort_at = ?3, rank = ?4, contact_id = ?5, text = ?6, details = ?7
           WHERE conversation_id = ?1 AND id = ?2`,
        ).run(...columns);
      }
      if (messages.length > 0) this.#renewHead(toColumn(conversationId));
      this.#validators.replace(conversationId, validator);
    });
  }

  removeMessages(conversationId: ConversationId, ids: readonly MessageId[]): void {
    if (ids.length === 0) return;
    const column = toColumn(conversationId);
    inTransaction(this.#database, () => {
      const remove = this.#prepare('DELETE FROM messages WHERE conversation_id = ? AND id = ?');
      moveGaps(this, conversationId, ids, () => {
        for (const id of ids) remove.run(column, toColumn(id));
      });
      forgetVersions(this.#prepare, conversationId, ids);
      // The formatted page may hold their texts.
      forgetFormattedPage(this.#prepare, conversationId);
      this.#renewHead(column);
      this.#validators.replace(conversationId, null);
    });
    this.#emptyLogSoon();
  }

  history(conversationId: ConversationId, from: PageFrom, limit: number, held?: Message): HistoryPage {
    return historyPage(this.#prepare, conversationId, from, limit, held);
  }

  outline(conversationId: ConversationId, limit: number): Outline {
    return outlineOf(this.#prepare, conversationId, limit);
  }

  message(conversationId: ConversationId, id: MessageId): Message | null {
    const row = this.#prepare(
      'SELECT conversation_id, id, sort_at, rank, text, details FROM messages WHERE conversation_id = ? AND id = ?',
    ).get(toColumn(conversationId), toColumn(id));
    return row === undefined ? null : messageOfRow(row);
  }

  versions(conversationId: ConversationId, id: MessageId): readonly MessageVersion[] {
    return versionsOf(this.#prepare, conversationId, id);
  }

  moveVersions(conversationId: ConversationId, from: MessageId, to: MessageId): void {
    moveVersions(this.#prepare, conversationId, from, to);
  }

  editedMessages(conversationId: ConversationId): readonly MessageId[] {
    return editedMessages(this.#prepare, conversationId);
  }

  formattedPage(conversationId: ConversationId): string {
    return formattedPage(this.#prepare, conversationId);
  }

  saveFormattedPage(conversationId: ConversationId, body: string): void {
    inTransaction(this.#database, () => saveFormattedPage(this.#prepare, conversationId, body));
  }

  scanTexts(conversationId: ConversationId, before: HistoryKey | null, visit: VisitText): boolean {
    return scanTexts(this.#prepare, conversationId, before, visit);
  }

  reach(conversationId: ConversationId): HistoryReach {
    return reachOfRow(
      this.#prepare('SELECT older, gaps FROM reach WHERE conversation_id = ?').get(toColumn(conversationId)),
    );
  }

  saveReach(conversationId: ConversationId, older: HistoryReach['older'], gaps: readonly MessageId[]): void {
    const sql = 'INSERT OR REPLACE INTO reach VALUES (?, ?, ?)';
    this.#prepare(sql).run(toColumn(conversationId), older, JSON.stringify(gaps));
  }

  validator(id: ConversationId | null): PageValidator | null {
    return this.#validators.find(id);
  }

  listReading(): ListReadingRecord | null {
    return readingOfRow(this.#prepare('SELECT body FROM list_walk').get());
  }

  saveListReading(reading: ListReadingRecord): void {
    this.#prepare('INSERT OR REPLACE INTO list_walk VALUES (1, ?)').run(JSON.stringify(reading));
  }

  checkpoint(): void {
    checkpoint(this.#database);
  }

  close(): void {
    clearTimeout(this.#emptying ?? undefined);
    closeDatabase(this.#database);
  }

  /** Later, so that many deletions in a row empty the log once, and so that the screen is not held up by it. */
  #emptyLogSoon(): void {
    this.#emptying ??= setTimeout(() => {
      this.#emptying = null;
      emptyLog(this.#database);
    }, emptyLogMs).unref();
  }

  #upsertContacts(contacts: readonly Contact[]): void {
    this.#upsert(
      `INSERT INTO contacts VALUES (?, ?) ON CONFLICT (id) DO UPDATE
       SET body = excluded.body WHERE body <> excluded.body`,
      contacts.map(contactColumns),
    );
  }

  /** Returns whether a row has changed. */
  #upsert(sql: string, rows: readonly SqlValue[][]): boolean {
    const statement = this.#prepare(sql);
    let changes = 0;
    for (const row of rows) changes += Number(statement.run(...row).changes);
    return changes > 0;
  }

  #renewHead(conversationId: string): void {
    const { changes } = this.#prepare(
      `INSERT OR REPLACE INTO heads SELECT conversation_id, key, id, sort_at FROM messages
       WHERE conversation_id = ? ORDER BY sort_at DESC, rank DESC, id DESC LIMIT 1`,
    ).run(conversationId);
    if (Number(changes) === 0) this.#prepare('DELETE FROM heads WHERE conversation_id = ?').run(conversationId);
    // If the server does not give the last activity, the time of the newest message is used.
    this.#prepare(
      `UPDATE conversations SET age = -coalesce(${headTime}, json_extract(body, '$.createdAt'), 0)
       WHERE id = ? AND json_valid(body) AND json_extract(body, '$.lastActiveAt') IS NULL`,
    ).run(conversationId, conversationId);
  }
}
