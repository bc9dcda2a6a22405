/** Transitions of `local` besides the outbox: read lines, names, who I am, what was learned of the server. */

import type { CapabilityName, ServerCapabilities } from '../../protocol/capabilities.ts';
import { unescapeText } from '../../protocol/same-text.ts';
import { policyOf } from '../../protocol/server-policy.ts';
import type { ContactId, ConversationId, GroupId, Message, MessageId } from '../../protocol/types.ts';
import { setUnread } from '../cache/conversations.ts';
import { sameValue } from '../collections/equal.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { AppState, Local, Me, ReadLine } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { isOwn } from './outbox.ts';

const patchLocal = (state: AppState, patch: Partial<Local>): AppState =>
  (Object.keys(patch) as (keyof Local)[]).every((key) => Object.is(patch[key], state.local[key]))
    ? state
    : { ...state, local: { ...state.local, ...patch } };

export const lineAt = (message: Message): ReadLine => ({ messageId: message.id, at: message.createdAt ?? 0 });

/** The same object when the line is there already. */
export const setReadLine =
  (id: ConversationId, line: ReadLine): Transition =>
  (state) =>
    sameValue(state.local.readLines.get(id), line)
      ? state
      : patchLocal(state, { readLines: withEntry(state.local.readLines, id, line) });

/** Everything known of the conversation counts as read from here on. */
export const markRead =
  (id: ConversationId): Transition =>
  (state) => {
    const newest = state.cache.lastMessages.get(id) ?? state.cache.threads.get(id)?.messages.at(-1);
    const held = state.local.readLines.get(id);
    if (newest === undefined) return setUnread(id, 0)(state);
    // Never backwards: the line is the user's, and the newest message may have been deleted since.
    const isBehind = held !== undefined && held.at > (newest.createdAt ?? 0);
    return setUnread(id, 0)(isBehind ? state : setReadLine(id, lineAt(newest))(state));
  };

/** The newest incoming message counts as unread again, or everything from `messageId` on. */
export const markUnread =
  (id: ConversationId, messageId?: MessageId): Transition =>
  (state) => {
    const messages = state.cache.threads.get(id)?.messages ?? lastOf(state, id);
    const at =
      messageId === undefined
        ? messages.findLastIndex((message) => !isOwn(message, state))
        : messages.findIndex((message) => message.id === messageId);
    const first = messages[at];
    if (first === undefined) return state;
    const before = messages[at - 1];
    const line = before === undefined ? { messageId: null, at: (first.createdAt ?? 1) - 1 } : lineAt(before);
    const count = messages.slice(at).filter((message) => !isOwn(message, state)).length;
    return setUnread(id, count)(setReadLine(id, line)(state));
  };

function lastOf(state: AppState, id: ConversationId): readonly Message[] {
  const last = state.cache.lastMessages.get(id);
  return last === undefined ? [] : [last];
}

/** Incoming messages after the line; `messages` in order, oldest first. */
export function countUnread(messages: readonly Message[], line: ReadLine | undefined, state: AppState): number {
  return messagesAfter(messages, line).filter((message) => !isOwn(message, state)).length;
}

/** The messages after the line. One with the time of the line counts as read unless it stands after the line's own message. */
export function messagesAfter(messages: readonly Message[], line: ReadLine | undefined): readonly Message[] {
  if (line === undefined) return messages;
  const at = line.messageId === null ? -1 : messages.findLastIndex((message) => message.id === line.messageId);
  if (at >= 0) return messages.slice(at + 1);
  return messages.filter((message) => (message.createdAt ?? 0) > line.at);
}

/** The last message at or before the line: the "new" line stands after it; null when nothing after it is unread. */
export function newLineFor(
  messages: readonly Message[],
  line: ReadLine | undefined,
  state: AppState,
): MessageId | null {
  const after = messagesAfter(messages, line);
  if (countUnread(after, undefined, state) === 0) return null;
  return messages[messages.length - after.length - 1]?.id ?? null;
}

/**
 * Where reading stood when a conversation is met for the first time: the newest message that is the user's own or
 * that the server calls read, else the time it was last opened.
 */
export function firstReadLine(messages: readonly Message[], openedAt: number | null, state: AppState): ReadLine {
  const read = messages.findLast((message) => message.readAt !== null || isOwn(message, state));
  if (read !== undefined && (read.createdAt ?? 0) >= (openedAt ?? 0)) return lineAt(read);
  return { messageId: null, at: openedAt ?? 0 };
}

/** A name of the user's own for a contact or group; null takes it away. */
export const setName =
  (id: ContactId | GroupId, name: string | null): Transition =>
  (state) =>
    patchLocal(state, {
      names: name === null ? withoutEntry(state.local.names, id) : withEntry(state.local.names, id, name),
    });

export const setMe =
  (me: Me): Transition =>
  (state) => {
    const { me: held } = state.local;
    // What was told once stays so when the same is only concluded later.
    const next = held?.contactId === me.contactId && held.isTold === true ? { ...me, isTold: held.isTold } : me;
    return sameValue(held, next) ? state : patchLocal(state, { me: next });
  };

/** An answer names another user than the one whose account this is. */
export const disputeMe: Transition = (state) =>
  state.local.me === null ? state : patchLocal(state, { me: { ...state.local.me, isDisputed: true } });

/** The user vouches for a new token after a dispute: the next answer is believed, whomever it names. */
export const trustMeAnew: Transition = (state) => {
  const { me } = state.local;
  if (me?.isDisputed !== true) return state;
  return patchLocal(state, { me: { contactId: me.contactId, username: me.username } });
};

export const setTraits =
  (traits: ServerCapabilities): Transition =>
  (state) =>
    patchLocal(state, { traits });

/** Takes over what an exchange that began with `before` has learned, and leaves what others learned meanwhile. */
export const learnTraits =
  (before: ServerCapabilities, after: ServerCapabilities): Transition =>
  (state) => {
    const names = (Object.keys(after) as CapabilityName[]).filter((name) => after[name] !== before[name]);
    if (names.length === 0) return state;
    const learned = Object.fromEntries(names.map((name) => [name, after[name]])) as ServerCapabilities;
    return setTraits({ ...state.local.traits, ...learned })(state);
  };

/**
 * The strings that stand for the user under a reaction name, the one to send first: usernames unless this server was
 * seen to use ids. Empty while nobody knows who the user is.
 */
export function ownReactionIds(state: AppState, conversationId?: ConversationId): readonly string[] {
  const me = state.local.me ?? identityFrom(state, conversationId);
  if (me === null) return [];
  const asId = policyOf(state.local.traits).reactions.writesUserAs === 'id' || me.username === null;
  const both = asId ? [me.contactId, me.username] : [me.username, me.contactId];
  return both.filter((entry): entry is string => entry !== null);
}

/**
 * In a contact conversation whoever is not the contact is the user (server-differences: Who am I). Only where the contact wrote
 * too: a server that names contacts otherwise in the two places would make everybody the user.
 */
export const inferIdentity =
  (id: ConversationId, messages: readonly Message[]): Transition =>
  (state) => {
    const other = state.cache.conversations.get(id)?.contactId ?? null;
    if (state.local.me !== null || other === null || !messages.some(({ contact }) => contact?.id === other))
      return state;
    const own = messages.findLast(({ contact }) => contact !== null && contact.id !== other)?.contact ?? null;
    return own === null ? state : setMe({ contactId: own.id, username: own.username })(state);
  };

/** In a contact conversation, whoever is not the contact (server-differences: Who am I); null when no such message is held. */
export function identityFrom(state: AppState, conversationId: ConversationId | undefined): Me | null {
  if (conversationId === undefined) return null;
  const messages = state.cache.threads.get(conversationId)?.messages ?? lastOf(state, conversationId);
  const contact = messages.findLast((message) => isOwn(message, state))?.contact;
  return contact === undefined || contact === null ? null : { contactId: contact.id, username: contact.username };
}

/** What was sent for a text that the server shows, where it is known to escape what it is sent. */
export const toWireText = ({ local }: AppState, text: string): string =>
  policyOf(local.traits).textOnWire.unescapesShownText ? unescapeText(text) : text;
