/** The types and keys of the entries of an archive, one entry a line. `docs/archive.md` describes the lines. */
import type { Contact, Conversation, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { HistoryReach } from '../../state/cache/cached-history.ts';
import type { MessageVersion } from '../../state/model/details.ts';

export interface Header {
  readonly type: 'header';
  /** The base URL, which holds no token. */
  readonly server: string;
}

export interface PersonEntry {
  readonly type: 'person';
  readonly contact: Contact;
  /** The name that the user gave to the person. */
  readonly localName: string | null;
  /** The person whose account this is. */
  readonly isMe: boolean;
}

export interface ConversationEntry {
  readonly type: 'conversation';
  readonly conversation: Conversation;
  /** The name that the user gave to the group; the service has no names of groups. */
  readonly localName: string | null;
}

export interface MessageEntry {
  readonly type: 'message';
  readonly conversationId: ConversationId;
  readonly message: Message;
  /** Earlier texts that were seen, newest first. */
  readonly versions: readonly MessageVersion[];
}

/** The entry after the messages of a conversation that says which of them are missing. */
export interface HistoryEntry {
  readonly type: 'history';
  readonly conversationId: ConversationId;
  /** The number of messages of the conversation before this entry. */
  readonly messages: number;
  readonly older: HistoryReach['older'];
  /** Whether the newest messages are there. */
  readonly newest: Newest;
  /** Messages directly before which history is missing. */
  readonly gaps: readonly MessageId[];
  /** Older messages are cached, and `--since` left them out. It is not written into a file. */
  readonly isLimitedBySince?: boolean;
}

/** `unreachable`: the server does not give the newest messages. `unknown`: it may not, and was not asked. */
export type Newest = 'reached' | 'unknown' | 'unreachable';

/** The entry after all conversations that says whether others are missing. */
export interface ListEntry {
  readonly type: 'list';
  readonly rest: ListRest;
}

/** `missing`: the server does not give the rest of the list. `unread`: the list was never read to its end. */
export type ListRest = 'none' | 'unread' | 'missing';

export type Entry = Header | PersonEntry | ConversationEntry | MessageEntry | HistoryEntry | ListEntry;

/** Two entries with one key are two states of one thing; the later one counts. */
export function keyOf(entry: Entry): string {
  switch (entry.type) {
    case 'header':
      return 'header';
    case 'person':
      return JSON.stringify(['person', entry.contact.id]);
    case 'conversation':
      return JSON.stringify(['conversation', entry.conversation.id]);
    case 'message':
      return JSON.stringify(['message', entry.conversationId, entry.message.id]);
    case 'history':
      return JSON.stringify(['history', entry.conversationId]);
    case 'list':
      return 'list';
  }
}

/** Whether nothing is missing but what `--since` left out. */
export const isCompleteSince = ({ isLimitedBySince, gaps, newest }: HistoryEntry): boolean =>
  isLimitedBySince === true && gaps.length === 0 && newest === 'reached';

export const isComplete = (entry: HistoryEntry | ListEntry): boolean =>
  entry.type === 'list'
    ? entry.rest === 'none'
    : entry.older === 'end' && entry.gaps.length === 0 && entry.newest === 'reached';
