/** What the reaction picker and the new-conversation prompt offer for the text typed in them. */
import type { Contact, ContactId, Conversation, ConversationId, GroupId } from '../protocol/types.ts';
import { glyphOf, quickReactions, searchEmoji } from '../text/emoji.ts';
import { type SafeText, safe } from '../text/safe-text.ts';
import { sanitizeName } from '../text/sanitize.ts';
import { memoLast } from './memo.ts';
import { conversationName, selectContactName } from './names.ts';
import { topOverlay } from './overlays.ts';
import type { AppState } from './state.ts';

const choiceLimit = 50;
const noChoices: readonly never[] = [];

export interface ReactionChoice {
  readonly name: string;
  /** null: a name that has no emoji; shown as `:name:`. */
  readonly glyph: SafeText | null;
}

/** The name of the nth quick reaction, from 0. */
export const quickReaction = (index: number): string | null => quickReactions[index] ?? null;

/** `+1`, `thumbsup` and 👍 are one reaction. */
export function sameReaction(a: string, b: string): boolean {
  if (a === b) return true;
  const glyph = glyphOf(a);
  return glyph !== null && glyph === glyphOf(b);
}

/** Of the reaction picker on top; what was typed is itself offered when it could be a name. */
export function selectReactionChoices(state: AppState): readonly ReactionChoice[] {
  const top = topOverlay(state);
  return top?.kind === 'react' ? reactionChoices(top.query.trim()) : noChoices;
}

const reactionChoices = memoLast((query: string): readonly ReactionChoice[] => {
  if (query === '') return quickReactions.map((name) => ({ name, glyph: glyphOf(name) }));
  const found = searchEmoji(query, choiceLimit);
  const isOffered = found.some(({ name }) => name === query) || !/^[\w+-]{1,64}$/.test(query);
  return isOffered ? found : [...found, { name: query, glyph: glyphOf(query) }];
});

export interface PartnerChoice {
  readonly kind: 'contact' | 'group';
  readonly id: ContactId | GroupId;
  readonly name: SafeText;
  /** The conversation that there is already. */
  readonly conversationId: ConversationId | null;
}

/** Of the new-conversation prompt on top: known contacts and groups by name, then what was typed taken as an id. */
export function selectPartnerChoices(state: AppState): readonly PartnerChoice[] {
  const top = topOverlay(state);
  if (top?.kind !== 'new-conversation') return noChoices;
  const known = knownPartners(
    state.cache.contacts,
    state.cache.conversations,
    state.local.names,
    state.local.me,
    state,
  );
  return partnerChoices(known, top.query.trim());
}

const partnerChoices = memoLast((known: readonly PartnerChoice[], query: string): readonly PartnerChoice[] => {
  const wanted = query.toLowerCase();
  const starts: PartnerChoice[] = [];
  const contains: PartnerChoice[] = [];
  for (const choice of known) {
    const at = choice.name.toLowerCase().indexOf(wanted);
    if (at === 0) starts.push(choice);
    else if (at > 0) contains.push(choice);
  }
  const found = [...starts, ...contains].slice(0, choiceLimit);
  if (query === '' || found.some(({ id }) => id === query)) return found;
  const shown = sanitizeName(query);
  return [
    ...found,
    { kind: 'contact', id: query, name: safe`Contact with the id ${shown}`, conversationId: null },
    { kind: 'group', id: query, name: safe`Group with the id ${shown}`, conversationId: null },
  ];
});

type Inputs = readonly [
  contacts: ReadonlyMap<ContactId, Contact>,
  conversations: ReadonlyMap<ConversationId, Conversation>,
  names: ReadonlyMap<string, string>,
  me: AppState['local']['me'],
];

let last: { readonly inputs: Inputs; readonly known: readonly PartnerChoice[] } | null = null;

/** By name. `state` only lends the names and is not compared. */
function knownPartners(
  ...[contacts, conversations, names, me, state]: [...Inputs, AppState]
): readonly PartnerChoice[] {
  const inputs: Inputs = [contacts, conversations, names, me];
  if (last?.inputs.every((input, index) => input === inputs[index]) === true) return last.known;
  const partners = new Map<string, PartnerChoice>();
  for (const contact of contacts.values()) {
    if (contact.id === me?.contactId) continue;
    const name = selectContactName(state, contact.id, contact);
    partners.set(`contact ${contact.id}`, { kind: 'contact', id: contact.id, name, conversationId: null });
  }
  for (const conversation of conversations.values()) {
    const { id: conversationId, contactId, groupId } = conversation;
    const kind = contactId === null ? 'group' : 'contact';
    const id = contactId ?? groupId;
    if (id !== null)
      partners.set(`${kind} ${id}`, { kind, id, name: conversationName(state, conversation), conversationId });
  }
  const known = [...partners.values()].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  last = { inputs, known };
  return known;
}
