/** Finds the message that a reply quotes among those that are held, so that the quote can be drawn as a link to it. */
import type { Attachment, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { coverSpoilers } from '../../text/markdown/spoilers.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { parseQuote, quotedText, shownAuthor } from '../composer/quote.ts';
import { isOwn } from '../local/identity.ts';
import type { AppState } from '../model/app-state.ts';
import type { Quote } from '../model/history.ts';
import { selectThreadItems, type ThreadItem, textOf } from './thread-items.ts';

export interface Quoted {
  readonly messageId: MessageId;
  readonly author: SafeText;
  /** The first line of the message as it is now, with its markers; '' where it has no words. */
  readonly text: SafeText;
  /** The line is of a block of code, and has no markers. */
  readonly isCode: boolean;
  readonly attachments: readonly Attachment[];
  /** The offset in the raw text of the reply at which its own words begin. */
  readonly end: number;
}

/** The name that others know the author of a message by, and never the one that the user has given; null where unknown. */
export function publicName(state: AppState, message: Message): string | null {
  const isMine = isOwn(message, state);
  const me = isMine ? state.local.me : null;
  const id = message.contact?.id ?? me?.contactId;
  const contact = (id === undefined ? null : state.cache.contacts.get(id)) ?? message.contact;
  const names = [me?.username, contact?.username, contact?.phoneNumber];
  return names.find((name) => name != null && name.trim() !== '') ?? null;
}

/** Whether this is the message that the quote was made from: the same author and beginning, and it ends where the quote does. */
export const isQuoted = (state: AppState, { author, body }: Quote, message: Message): boolean =>
  mayBegin(message.text, body) && bodyOf(message) === body && shownAuthor(publicName(state, message)) === author;

/** A cheap check that most messages fail: the first letters must be found near the beginning. */
const mayBegin = (text: string, body: string): boolean =>
  text.slice(0, 4_096).includes(body.slice(0, 8).split(/\s/, 1)[0] ?? '');

const bodies = new WeakMap<Message, string>();

function bodyOf(message: Message): string {
  const held = bodies.get(message);
  if (held !== undefined) return held;
  const body = quotedText(message.text);
  bodies.set(message, body);
  return body;
}

interface Held {
  readonly items: readonly ThreadItem[];
  readonly quoted: Quoted | null;
}

const found = new WeakMap<ThreadItem, Held>();

/**
 * The message that an item quotes; null where it quotes none that is held. Of several that are alike it is the nearest one
 * before the reply. The same object while nothing of it changed.
 */
export function selectQuoted(state: AppState, id: ConversationId, item: ThreadItem): Quoted | null {
  if (!textOf(item).startsWith('> ')) return null;
  const items = selectThreadItems(state, id);
  const held = found.get(item);
  if (held?.items === items) return held.quoted;
  const quoted = same(held?.quoted ?? null, find(state, items, item));
  found.set(item, { items, quoted });
  return quoted;
}

function find(state: AppState, items: readonly ThreadItem[], item: ThreadItem): Quoted | null {
  const quote = parseQuote(textOf(item));
  if (quote === null) return null;
  for (let index = items.lastIndexOf(item) - 1; index >= 0; index--) {
    const one = items[index];
    if (one?.kind !== 'message' || !isQuoted(state, quote, one.message)) continue;
    const { text, attachments } = one.message;
    return { messageId: one.id, author: one.authorName, ...firstLine(text), attachments, end: quote.end };
  }
  return null;
}

/** The first line with content: the fence of a block of code is skipped, and spoilers stay covered. */
function firstLine(text: string): Pick<Quoted, 'text' | 'isCode'> {
  const body = quotedText(coverSpoilers(text));
  const [first = '', second] = body.split('\n').filter((line) => line.trim() !== '');
  const isCode = /^\s*(?:```|~~~)/.test(first);
  return { text: sanitizeLine(isCode ? (second ?? first) : first), isCode };
}

const same = (before: Quoted | null, now: Quoted | null): Quoted | null =>
  before !== null &&
  now !== null &&
  before.messageId === now.messageId &&
  before.author === now.author &&
  before.text === now.text &&
  before.isCode === now.isCode &&
  before.attachments === now.attachments &&
  before.end === now.end
    ? before
    : now;
