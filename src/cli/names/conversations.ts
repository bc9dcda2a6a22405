/** Finds the conversation that a user means by an id, the beginning of one, a name, `@username` or `#group`. */
import type { Conversation } from '../../protocol/types.ts';
import { nameOfPartner, textAbout } from '../../state/local/own-names.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { conversationName, shortId } from '../../state/select/names.ts';
import { firstMatch, foldedName, isPrefixOf, type Match, normalName, type Rule, shownName } from './match.ts';

/**
 * In this order: the exact id of a conversation, of its contact or group; `@username` and `#group`; the exact name; the
 * name without regard to upper and lower case; the beginning of an id.
 */
export function matchConversation(state: AppState, typed: string): Match<Conversation> {
  const wanted = normalName(typed);
  const folded = foldedName(typed);
  const named = (same: (name: string) => boolean): Rule<Conversation> => {
    return (conversation) => namesOf(state, conversation).some(same);
  };
  const rules: readonly Rule<Conversation>[] = [
    ({ id }) => id === typed,
    ({ contactId, groupId }) => contactId === typed || groupId === typed,
    ...prefixed(state, wanted),
    named((name) => name === wanted),
    named((name) => foldedName(name) === folded),
    ({ id }) => isPrefixOf(typed, id),
    ({ contactId, groupId }) => [contactId, groupId].some((id) => id !== null && isPrefixOf(typed, id)),
  ];
  return firstMatch([...state.cache.conversations.values()], wanted === '' ? [] : rules);
}

/** The rules for `@username`, and for a group by its name or id: `#crew`, `#c0ffee`. */
function prefixed({ cache, local }: AppState, wanted: string): readonly Rule<Conversation>[] {
  const rest = wanted.slice(1);
  const folded = foldedName(rest);
  if (wanted.startsWith('@') && rest !== '') {
    const username = ({ contactId }: Conversation): string | null =>
      contactId === null ? null : (cache.contacts.get(contactId)?.username ?? null);
    return [
      (one) => username(one) === rest,
      (one) => foldedName(username(one) ?? '') === folded,
      (one) => shownName(username(one) ?? '') === folded,
    ];
  }
  if (!wanted.startsWith('#') || rest === '') return [];
  const group = ({ groupId }: Conversation): string =>
    groupId === null ? '' : (textAbout(local.names, 'group', groupId) ?? '');
  return [
    ({ groupId }) => groupId === rest,
    (one) => normalName(group(one)) === rest,
    (one) => foldedName(group(one)) === folded,
    (one) => shownName(group(one)) === folded,
    ({ groupId }) => groupId !== null && isPrefixOf(rest, groupId),
    // The screen names a group without a name by the end of its id: `Group #c0ffee`.
    ({ groupId }) => groupId !== null && shortId(groupId) === wanted,
  ];
}

/** The user's own name, those of the contact book, and the name as the screen shows it. */
function namesOf(state: AppState, conversation: Conversation): readonly string[] {
  const { contactId } = conversation;
  const contact = contactId === null ? undefined : state.cache.contacts.get(contactId);
  const own = nameOfPartner(state.local.names, conversation);
  const names = [own, contact?.username, contact?.phoneNumber, conversationName(state, conversation)];
  return names.flatMap((name) => (name === undefined || name === null || name === '' ? [] : [normalName(name)]));
}

const mostSimilar = 5;

/** The conversations with a name that contains what was typed. */
export function similarConversations(state: AppState, typed: string): readonly Conversation[] {
  const folded = foldedName(typed.replace(/^[@#]/, ''));
  if (folded === '') return [];
  const found = [...state.cache.conversations.values()].filter((one) =>
    namesOf(state, one).some((name) => foldedName(name).includes(folded)),
  );
  return found.slice(0, mostSimilar);
}
