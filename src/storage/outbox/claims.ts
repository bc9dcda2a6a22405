/** Claims: which op each sent message belongs to, and when such a record can be removed. */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import type { Database, SqlRow, Statement } from '../sqlite/driver.ts';
import { toColumn, tryParseJson } from '../sqlite/sqlite-text.ts';
import { parseAction } from './op-parse.ts';
import { readRecords } from './records.ts';

/**
 * A claim keeps a second op from taking a message for its own. It can be asked for only while a scan of history may
 * still reach the message: scans go back to the newest message known when the op's first attempt began, and an op tried
 * later than the claim was made knows the claimed message among those. So a claim is needed (a) while its conversation
 * has an op or a message sent again that is older than the claim, and (b) where little has happened since, as a server
 * without a known order is scanned in whole and a deleted cache forgets what was known. Conversations with anything
 * unsettled keep all of theirs, every other one keeps this many.
 */
const claimsKept = 1000;

export function pruneClaims(database: Database): void {
  const { local, unreadable } = readRecords(database, ['resent']);
  const busy = [
    ...database.prepare('SELECT action FROM ops').all().map(conversationOf),
    ...[...local.resent.values()].map(({ conversationId }) => toColumn(conversationId)),
  ];
  // An unreadable record may be about any conversation, so nothing is removed then.
  if (busy.includes(null) || unreadable.length > 0) return;
  const prune = database.prepare(
    `DELETE FROM claims WHERE conversation_id = ?1 AND rowid <=
       (SELECT rowid FROM claims WHERE conversation_id = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)`,
  );
  const crowded = database
    .prepare('SELECT conversation_id FROM claims GROUP BY conversation_id HAVING count(*) > ?')
    .all(claimsKept);
  for (const { conversation_id: id } of crowded)
    if (id !== undefined && !busy.includes(String(id))) prune.run(id, claimsKept);
}

function conversationOf(row: SqlRow): string | null {
  const action = parseAction(tryParseJson(row.action));
  if (action === null) return null;
  return action.kind === 'conversation.create' ? '' : toColumn(action.conversationId);
}

/** Claims the message for the op. Returns false when another op has claimed it. */
export function claim(
  prepare: (sql: string) => Statement,
  uuid: string,
  messageId: MessageId,
  conversationId: ConversationId,
): boolean {
  const id = toColumn(messageId);
  const holder = prepare('SELECT uuid FROM claims WHERE message_id = ?').get(id)?.uuid;
  if (holder !== undefined) return holder === uuid;
  prepare('INSERT INTO claims VALUES (?, ?, ?)').run(id, toColumn(conversationId), uuid);
  return true;
}

/** Removes a claim, after the server has reused the id for another message. */
export function dropClaim(prepare: (sql: string) => Statement, messageId: MessageId): void {
  prepare('DELETE FROM claims WHERE message_id = ?').run(toColumn(messageId));
}
