/** The overlays about one message and about one person, with what was read from the disk for them. */
import type { ContactId, ConversationId, GroupId, Message, Millis } from '../../protocol/types.ts';
import type { Links } from './links.ts';

/** A text that a message had before. */
export interface MessageVersion {
  readonly text: string;
  /** When another text was seen in its place. */
  readonly until: Millis;
}

/** All that is known of one message. */
export interface DetailsOverlay {
  readonly kind: 'details';
  readonly conversationId: ConversationId;
  /** As in the thread: of a message, or of one that was not sent. */
  readonly itemId: string;
  readonly scroll: number;
  /** Its earlier texts, newest first; null until they have been read from the disk. */
  readonly versions: readonly MessageVersion[] | null;
}

/** All that is known of one person, or of a group. */
export interface PersonOverlay {
  readonly kind: 'person';
  readonly of: Person;
  readonly scroll: number;
  /** null until the first part of the cache has been searched. */
  readonly findings: Findings | null;
}

export type Person =
  | { readonly kind: 'contact'; readonly id: ContactId }
  | { readonly kind: 'group'; readonly id: GroupId };

/** What is known about a person from cached messages. */
export interface Findings {
  readonly of: Person;
  /** The newest message of theirs to the user alone, and the newest one to them; for a group, of anybody. */
  readonly lastFrom: Message | null;
  readonly lastTo: Message | null;
  /** Groups in which messages of theirs were found, with the newest of these. */
  readonly groups: readonly { readonly id: ConversationId; readonly last: Message }[];
  /** For a group: the newest message of each person who has written there, the user left out, newest first. */
  readonly authors: readonly Message[];
  readonly links: Links;
  readonly files: readonly string[];
  /** The number of messages that were searched. */
  readonly searched: number;
  readonly isDone: boolean;
}
