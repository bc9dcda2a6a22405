/** Stores the formatted messages that a conversation showed last, so that a start need not wait for the parser. */

import type { ConversationId } from '../../protocol/types.ts';
import type { Prepare } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';

/** The most conversations of which a page is kept, those seen last; and the longest page, in UTF-16 units. */
export const pageLimits = { conversations: 30, units: 131_072 } as const;

/** Returns '' where no page is kept. What is in it is checked by the reader. */
export const formattedPage = (prepare: Prepare, id: ConversationId): string =>
  fromColumn(
    String(prepare('SELECT body FROM formatted_pages WHERE conversation_id = ?').get(toColumn(id))?.body ?? ''),
  );

/** Replaces the page of the conversation; '' removes it, and so does a page that is too long. */
export function saveFormattedPage(prepare: Prepare, id: ConversationId, body: string): void {
  if (body === '' || body.length > pageLimits.units) {
    forgetFormattedPage(prepare, id);
    return;
  }
  prepare('INSERT OR REPLACE INTO formatted_pages (conversation_id, body) VALUES (?, ?)').run(
    toColumn(id),
    toColumn(body),
  );
  prepare(
    `DELETE FROM formatted_pages WHERE key <=
       (SELECT key FROM formatted_pages ORDER BY key DESC LIMIT 1 OFFSET ${pageLimits.conversations})`,
  ).run();
}

export function forgetFormattedPage(prepare: Prepare, id: ConversationId): void {
  prepare('DELETE FROM formatted_pages WHERE conversation_id = ?').run(toColumn(id));
}
