/** Reads names of conversations, people, messages and waiting ops from the account's files, as commands take them. */
import type { Contact, Conversation, Message } from '../../protocol/types.ts';
import { nameOfPartner, textAbout } from '../../state/local/own-names.ts';
import { initialState } from '../../state/store.ts';
import {
  type AccountFiles,
  readContacts,
  readConversations,
  readNewestMessages,
  readOps,
  readOwnId,
  readOwnNames,
} from '../../storage/completion-names.ts';
import { sanitizeLine, sanitizeName } from '../../text/safe/sanitize.ts';
import { matchConversation } from '../names/conversations.ts';
import { foldedName, leastPrefix, normalName, shortestPrefix } from '../names/match.ts';
import type { Candidate } from './candidate.ts';

/** The most candidates: nobody reads a longer list. */
const mostCandidates = 200;

/** The names that can be typed for one conversation or person. */
interface Named {
  readonly id: string;
  readonly isGroup: boolean;
  /** The user's own name first, then that of the contact book. */
  readonly names: readonly string[];
  readonly username: string | null;
}

export function conversationCandidates(files: AccountFiles, word: string): readonly Candidate[] {
  const names = readOwnNames(files);
  const contacts = new Map(readContacts(files).map((contact) => [contact.id, contact]));
  const named = readConversations(files).map((conversation): Named => {
    const { id, contactId, groupId } = conversation;
    const contact = contactId === null ? undefined : contacts.get(contactId);
    return { ...namedContact(contact, nameOfPartner(names, conversation)), id, isGroup: groupId !== null };
  });
  return candidatesOf(named, word);
}

/** People other than the user: nobody starts a conversation with oneself, or waits for an own message. */
export function personCandidates(files: AccountFiles, word: string): readonly Candidate[] {
  const names = readOwnNames(files);
  const me = readOwnId(files);
  const others = readContacts(files).filter(({ id }) => id !== me);
  const named = others.map(
    (contact): Named => ({
      ...namedContact(contact, textAbout(names, 'contact', contact.id)),
      id: contact.id,
      isGroup: false,
    }),
  );
  return candidatesOf(named, word);
}

function namedContact(contact: Contact | undefined, own: string | undefined): Pick<Named, 'names' | 'username'> {
  const names = [own, contact?.username, contact?.phoneNumber].flatMap((name) =>
    name === undefined || name === null || name.trim() === '' ? [] : [normalName(name)],
  );
  return { names, username: contact?.username ?? null };
}

/** The name that is shown, if it means this one alone; else the `@username`; else the beginning of the id. */
function candidatesOf(all: readonly Named[], word: string): readonly Candidate[] {
  const holders = new Map<string, number>();
  for (const { names } of all)
    for (const name of new Set(names.map(foldedName))) holders.set(name, (holders.get(name) ?? 0) + 1);
  const isOwn = (name: string): boolean => isTypeable(name) && holders.get(foldedName(name)) === 1;
  const ids = all.map(({ id }) => id);
  const found: Candidate[] = [];
  for (const one of all) {
    if (found.length >= mostCandidates) break;
    const value = waysTo(one, isOwn, word).find((way) => foldedName(way).startsWith(foldedName(word)));
    const [name] = one.names;
    const about = name === undefined ? '' : sanitizeName(name);
    if (value !== undefined) found.push({ value, about: value === about ? '' : about });
    else if (word === '' || (word.length >= leastPrefix && one.id.startsWith(word)))
      found.push({ value: isTypeable(one.id) ? shortestPrefix(one.id, ids) : '', about });
  }
  return found.filter(({ value }) => value !== '');
}

function waysTo({ names, username, isGroup }: Named, isOwn: (name: string) => boolean, word: string): string[] {
  const good = names.filter(isOwn);
  const unique = good.length > 0 || names.length === 0;
  if (word.startsWith('@')) return username !== null && isTypeable(username) ? [`@${username}`] : [];
  if (word.startsWith('#')) return isGroup ? good.map((name) => `#${name}`) : [];
  const byUsername = username !== null && isTypeable(username) && !unique ? [`@${username}`] : [];
  return [...good, ...byUsername];
}

/** Whether the sanitiser leaves the name as it is, and no command takes it for an option or a keyword. */
function isTypeable(name: string): boolean {
  return name !== '' && !/^[-@#]/.test(name) && sanitizeName(name) === name;
}

/**
 * @param typed the conversation, as the user typed it
 * @param isOwn only the user's own messages are meant; all are offered where it is not known which ones they are
 */
export function messageCandidates(files: AccountFiles, typed: string, isOwn: boolean): readonly Candidate[] {
  const conversation = conversationNamed(files, typed);
  const last: Candidate = { value: 'last', about: isOwn ? 'your newest message' : 'the newest message' };
  if (conversation === null) return [last];
  const messages = readNewestMessages(files, conversation.id);
  const ids = messages.map(({ id }) => id);
  const me = isOwn ? readOwnId(files) : null;
  const isMeant = ({ contact }: Message): boolean => me === null || contact === null || contact.id === me;
  const shown = messages.filter((message) => isTypeable(message.id) && isMeant(message));
  return [last, ...shown.map(({ id, text }) => ({ value: shortestPrefix(id, ids), about: excerpt(text) }))];
}

function conversationNamed(files: AccountFiles, typed: string): Conversation | null {
  const conversations = new Map(readConversations(files).map((one) => [one.id, one]));
  const contacts = new Map(readContacts(files).map((one) => [one.id, one]));
  const state = initialState({ cache: { conversations, contacts }, local: { names: readOwnNames(files) } });
  const match = matchConversation(state, typed);
  return match.kind === 'one' ? match.item : null;
}

export function opCandidates(files: AccountFiles): readonly Candidate[] {
  const ops = readOps(files);
  const uuids = ops.map(({ uuid }) => uuid);
  return ops.map(({ uuid, state, action }) => ({
    value: shortestPrefix(uuid, uuids),
    about: excerpt(`${state}: ${'text' in action ? String(action.text) : action.kind}`),
  }));
}

const excerpt = (text: Message['text']): string => sanitizeLine(text.slice(0, 200)).slice(0, 60);
