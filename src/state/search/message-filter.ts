/** Decides which cached messages match the operators of a message search (`from:`, `in:`, `has:`, `is:`, `before:`, `after:`). */
import type { ConversationId, Message, MessageId, Millis } from '../../protocol/types.ts';
import { fold } from '../../text/search/find.ts';
import { parseTypedDate } from '../../text/typed-date.ts';
import { isOwn } from '../local/identity.ts';
import { isAfterLine } from '../local/unread.ts';
import type { AppState } from '../model/app-state.ts';
import { linksIn } from '../select/links.ts';
import { authorName, selectConversationName } from '../select/names.ts';
import type { SearchCondition, SearchQuery } from './search-query.ts';

export interface MessageFilter {
  /** Whether a message has to be read to say if it is found; its time and text are known without. */
  readonly readsMessages: boolean;
  /** Messages at this time or later; null: from the first one. */
  readonly since: Millis | null;
  /** Messages before this time; null: up to the newest one. */
  readonly until: Millis | null;
  searches(id: ConversationId): boolean;
  finds(id: ConversationId, message: Message): boolean;
}

type Of<Kind extends SearchCondition['kind']> = Extract<SearchCondition, { kind: Kind }>;

/** A longer text is searched for links and code up to here, in UTF-16 units. */
const searchedUnits = 4_096;
const code = /`[^`]+`/;

/** Finds a cached message. */
type MessageOf = (id: ConversationId, messageId: MessageId) => Message | null;

/** @param state as it is when the search begins, at `now` */
export function messageFilter(
  state: AppState,
  { conditions }: SearchQuery,
  now: Millis,
  messageOf: MessageOf,
): MessageFilter {
  const places = conditions.filter((one): one is Of<'in'> => one.kind === 'in');
  const ofMessages = conditions.filter(
    (one): one is Of<'from' | 'has' | 'is'> => one.kind === 'from' || one.kind === 'has' || one.kind === 'is',
  );
  const isNamed = foldedOnce();
  const isUnread = unreadOf(state, messageOf);
  return {
    ...timesOf(conditions, now),
    readsMessages: ofMessages.length > 0,
    searches: (id) =>
      places.every(({ name, isNegated }) => isNamed(selectConversationName(state, id), name) !== isNegated),
    finds: (id, message) =>
      ofMessages.every((one) => {
        if (one.kind === 'from') return isFrom(state, message, one.name, isNamed) !== one.isNegated;
        const holds = one.kind === 'has' ? has(message, one.part) : isInState(state, id, message, one.state, isUnread);
        return holds !== one.isNegated;
      }),
  };
}

/** Compares a name with a folded part of it. Each name is folded once. */
function foldedOnce(): (name: string, part: string) => boolean {
  const folded = new Map<string, string>();
  return (name, part) => {
    const held = folded.get(name) ?? fold(name);
    folded.set(name, held);
    return held.includes(part);
  };
}

/** The narrowest span that all conditions leave. `after:` includes its day, `before:` ends before it. */
function timesOf(conditions: readonly SearchCondition[], now: Millis): Pick<MessageFilter, 'since' | 'until'> {
  let since: Millis | null = null;
  let until: Millis | null = null;
  for (const one of conditions) {
    const at = one.kind === 'before' || one.kind === 'after' ? parseTypedDate(one.day, now) : null;
    if (at === null) continue;
    if ((one.kind === 'after') !== one.isNegated) since = Math.max(since ?? at, at);
    else until = Math.min(until ?? at, at);
  }
  return { since, until };
}

function isFrom(state: AppState, message: Message, name: string, isNamed: (name: string, part: string) => boolean) {
  if (isOwn(message, state)) return name === 'me' || isNamed(message.contact?.username ?? '', name);
  const { contact } = message;
  return isNamed(authorName(state, contact), name) || isNamed(contact?.username ?? '', name);
}

function has({ text, attachments }: Message, part: Of<'has'>['part']): boolean {
  if (part === 'file') return attachments.length > 0;
  const searched = text.slice(0, searchedUnits);
  return part === 'code' ? code.test(searched) : linksIn(searched, attachments).addresses.length > 0;
}

type IsUnread = (id: ConversationId, message: Message) => boolean;

/** Whether a message of others is after the read line. The message of each line is read once. */
function unreadOf({ local }: AppState, messageOf: MessageOf): IsUnread {
  const read = new Map<ConversationId, Message | null>();
  return (id, message) => {
    const line = local.readLines.get(id);
    const messageId = line?.messageId ?? null;
    if (!read.has(id)) read.set(id, messageId === null ? null : messageOf(id, messageId));
    return isAfterLine(message, line, read.get(id) ?? null);
  };
}

function isInState(
  state: AppState,
  id: ConversationId,
  message: Message,
  asked: Of<'is'>['state'],
  isUnread: IsUnread,
): boolean {
  if (asked === 'pinned') return state.cache.conversations.get(id)?.pinnedMessageId === message.id;
  if (isOwn(message, state)) return asked === 'mine';
  return asked === 'unread' && isUnread(id, message);
}
