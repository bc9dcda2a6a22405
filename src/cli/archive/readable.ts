/** Writes the parts that the two formats for people have in common: names, times, and the sentence about what is missing. */

import type { Attachment, Contact, Conversation, Message, Millis, Reaction } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { authorName, conversationName } from '../../state/select/names.ts';
import { reactorNames } from '../../state/select/reactions.ts';
import { openableHref } from '../../text/links.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { type HistoryEntry, isComplete, type ListEntry } from './entry.ts';

/** The names of people and conversations as the screen shows them. */
export interface Names {
  conversation(conversation: Conversation): SafeText;
  author(contact: Contact | null): SafeText;
  reactors(reaction: Reaction): SafeText;
}

export const namesOf = (state: AppState): Names => ({
  conversation: (conversation) => conversationName(state, conversation),
  author: (contact) => authorName(state, contact),
  reactors: (reaction) => reactorNames(state, reaction, []),
});

/** The day in UTC, so that the file is the same wherever it is made. */
export const dayOf = (at: Millis | null): string =>
  at === null ? 'Time unknown' : new Date(at).toISOString().slice(0, 10);

export const clockOf = (at: Millis | null): string => (at === null ? '' : new Date(at).toISOString().slice(11, 16));

export const dayAndClockOf = (at: Millis): string => `${dayOf(at)} ${clockOf(at)}`;

export const reactionName = ({ name }: Reaction): SafeText => (name === '' ? literal('?') : sanitizeLine(name));

export interface File {
  readonly label: SafeText;
  readonly url: SafeText | null;
  /** The address, where a browser may open it: http and https alone; null elsewhere. */
  readonly href: string | null;
}

export function fileOf({ label, url }: Attachment): File {
  return { label: sanitizeLine(label), url: url === null ? null : sanitizeLine(url), href: hrefOf(url) };
}

const hrefOf = (url: string | null): string | null => (url === null ? null : openableHref(url));

export const cutNote = ({ isTruncated, isCut }: Message): string | null => {
  if (isTruncated) return 'Only the beginning of this text is held.';
  return isCut === true ? 'Some reactions or attachments of this message were left out.' : null;
};

const beginningNotes: Readonly<Record<HistoryEntry['older'], string | null>> = {
  end: null,
  server: 'older messages were not fetched',
  unknown: 'there may be older messages',
  unreachable: 'the server does not give the older messages',
};

const newestNotes: Readonly<Record<HistoryEntry['newest'], string | null>> = {
  reached: null,
  unknown: 'the newest messages may be missing',
  unreachable: 'the server does not give the newest messages',
};

const listNotes: Readonly<Record<ListEntry['rest'], string | null>> = {
  none: null,
  unread: 'Conversations may be missing: the list of them was never read to its end.',
  missing: 'Conversations may be missing: the server does not give the whole list.',
};

/** Says in a sentence that conversations may be missing; null where the list is complete. */
export function listNote({ rest }: ListEntry): SafeText | null {
  const note = listNotes[rest];
  return note === null ? null : sanitizeLine(note);
}

/** Says in a sentence what the archive lacks of the conversation. */
export function historyNote(entry: HistoryEntry): SafeText {
  const count = entry.messages === 1 ? '1 message' : `${entry.messages} messages`;
  if (isComplete(entry)) return sanitizeLine(`${count}. The history is complete.`);
  const places = entry.gaps.length === 1 ? 'one place' : `${entry.gaps.length} places`;
  const gaps = entry.gaps.length === 0 ? null : `messages are missing in ${places}`;
  const beginning = entry.isLimitedBySince === true ? 'older messages were left out' : beginningNotes[entry.older];
  const missing = [beginning, gaps, newestNotes[entry.newest]].filter((note) => note !== null).join(', and ');
  return safe`${sanitizeLine(`${count}. Incomplete: ${missing}.`)}`;
}
