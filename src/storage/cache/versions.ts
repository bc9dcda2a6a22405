/** The texts that messages had before they were edited, as far as they were seen here. */

import { roundingMs } from '../../protocol/time.ts';
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { MessageVersion } from '../../state/model/details.ts';
import type { Prepare } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';
import { noTime } from './schema.ts';

/** The most versions that are kept, of one message and in all; the oldest are forgotten first. */
export const versionLimits = { ofMessage: 20, all: 10_000 } as const;

/** A longer text, in bytes, is not kept. */
export const longestVersion = 65_536;

/**
 * To be called before a cached message is written anew: keeps the text that it replaces. Another creation time means that
 * the id was given to another message. A text that comes back is kept once, as the newest: some servers answer for a
 * while with the old text and the new one in turn.
 */
export function saveVersion(prepare: Prepare, conversationId: ConversationId, message: Message, now: number): void {
  const key = [toColumn(conversationId), toColumn(message.id)] as const;
  const { changes } = prepare(
    `INSERT INTO versions (conversation_id, message_id, until, text)
     SELECT conversation_id, id, ?, text FROM messages WHERE conversation_id = ? AND id = ? AND sort_at = ?
       AND octet_length(text) <= ${longestVersion} AND text <> ?`,
  ).run(now, ...key, message.createdAt ?? noTime, toColumn(message.text));
  if (Number(changes) === 0) {
    if (message.createdAt !== null) forgetRecycled(prepare, key, message.createdAt, toColumn(message.text));
    return;
  }
  prepare(
    `DELETE FROM versions WHERE conversation_id = ? AND message_id = ? AND key NOT IN (
       SELECT max(key) FROM versions WHERE conversation_id = ? AND message_id = ?
       GROUP BY text ORDER BY max(key) DESC LIMIT ${versionLimits.ofMessage})`,
  ).run(...key, ...key);
  prepare(
    `DELETE FROM versions WHERE key <= (SELECT key FROM versions ORDER BY key DESC LIMIT 1 OFFSET ${versionLimits.all})`,
  ).run();
}

/** Forgets the versions of a message whose id the server has given to this one, of another time and text. */
function forgetRecycled(prepare: Prepare, key: readonly [string, string], createdAt: number, text: string): void {
  prepare(
    `DELETE FROM versions WHERE conversation_id = ?1 AND message_id = ?2 AND EXISTS (
       SELECT 1 FROM messages WHERE conversation_id = ?1 AND id = ?2 AND sort_at <> ${noTime}
         AND abs(sort_at - ?3) > ${roundingMs} AND text <> ?4)`,
  ).run(...key, createdAt, text);
}

/** The message `from` goes by another id from now on. */
export function moveVersions(prepare: Prepare, id: ConversationId, from: MessageId, to: MessageId): void {
  prepare('UPDATE versions SET message_id = ? WHERE conversation_id = ? AND message_id = ?').run(
    toColumn(to),
    toColumn(id),
    toColumn(from),
  );
}

/** Newest first. */
export const versionsOf = (prepare: Prepare, id: ConversationId, messageId: MessageId): readonly MessageVersion[] =>
  prepare('SELECT until, text FROM versions WHERE conversation_id = ? AND message_id = ? ORDER BY key DESC')
    .all(toColumn(id), toColumn(messageId))
    .map((row) => ({ until: Number(row.until), text: fromColumn(String(row.text)) }));

export const editedMessages = (prepare: Prepare, id: ConversationId): readonly MessageId[] =>
  prepare('SELECT DISTINCT message_id FROM versions WHERE conversation_id = ?')
    .all(toColumn(id))
    .map((row) => fromColumn(String(row.message_id)));

export function forgetVersions(prepare: Prepare, id: ConversationId, messageIds: readonly MessageId[]): void {
  const forget = prepare('DELETE FROM versions WHERE conversation_id = ? AND message_id = ?');
  for (const messageId of messageIds) forget.run(toColumn(id), toColumn(messageId));
}
