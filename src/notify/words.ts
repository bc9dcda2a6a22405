/** Writes the texts of notifications and of the window's title, as far as the privacy level allows. */
import type { ConversationId, Message } from '../protocol/types.ts';
import { ownWords } from '../state/composer/quote.ts';
import type { AppState } from '../state/model/app-state.ts';
import { authorName, selectConversationName } from '../state/select/names.ts';
import { coverSpoilers } from '../text/markdown/spoilers.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { truncate } from '../text/unicode/width.ts';

/** New messages of one conversation that one notification is about. */
export interface Burst {
  readonly conversationId: ConversationId;
  readonly count: number;
  /** The newest of the messages. */
  readonly last: Message;
}

export interface Words {
  readonly title: SafeText;
  /** The text below the title, which may be empty. */
  readonly body: SafeText;
}

const textColumns = 200;
const ellipsis = literal('…');
const program = literal('msg-tui');

export function wordsFor(state: AppState, burst: Burst): Words {
  const { privacy } = state.settings.notify;
  const { conversationId, count, last } = burst;
  if (privacy === 'none') return { title: program, body: messages(count) };
  const title = selectConversationName(state, conversationId);
  const isGroup = (state.cache.conversations.get(conversationId)?.groupId ?? null) !== null;
  // The title names the group; in other conversations it is the author of the messages.
  const author = isGroup ? authorName(state, last.contact) : null;
  if (privacy === 'sender') return { title, body: messagesFrom(count, author) };
  const more = count > 1 ? safe`${messages(count)}, the last: ` : literal('');
  const by = author === null ? literal('') : safe`${author}: `;
  return { title, body: safe`${more}${by}${firstLine(last)}` };
}

/** The texts of the one notification for many conversations. */
export function summaryOf(bursts: readonly Burst[]): Words {
  const count = bursts.reduce((sum, burst) => sum + burst.count, 0);
  return { title: program, body: safe`${messages(count)} in ${bursts.length} conversations` };
}

/**
 * The first line that is not blank, without the quote with which a reply begins; words in brackets where there is none.
 * Spoilers are covered, as a notification is shown without the user's doing.
 */
export function firstLine({ text, attachments }: Pick<Message, 'text' | 'attachments'>): SafeText {
  const line = coverSpoilers(ownWords(text).slice(0, 4_000))
    .split(/\r\n?|\n/)
    .map((one) => sanitizeLine(one.trim()))
    .find((one) => one.trim() !== '');
  if (line !== undefined) return truncate(line, textColumns, ellipsis);
  return attachments.length > 0 ? literal('(attachment)') : literal('(no text)');
}

const messages = (count: number): SafeText => (count === 1 ? literal('New message') : safe`${count} new messages`);

function messagesFrom(count: number, author: SafeText | null): SafeText {
  if (author === null) return messages(count);
  return safe`${messages(count)}${literal(count > 1 ? ', the last' : '')} from ${author}`;
}

/** The title, such as `(3) msg-tui - Ann Wells`: the count comes first, as tabs cut the end off. */
export function titleOf(state: AppState, unread: number): SafeText {
  const { openId } = state.view;
  const count = unread === 0 ? literal('') : safe`(${unread}) `;
  const isNamed = openId !== null && state.settings.notify.privacy !== 'none';
  const name = isNamed ? safe` - ${selectConversationName(state, openId)}` : literal('');
  return safe`${count}${program}${name}`;
}
