/** What the reaction picker and the new-conversation prompt offer for the text typed in them. */
import { isSendableReactionName } from '../../protocol/fields.ts';
import type { ContactId, ConversationId, GroupId } from '../../protocol/types.ts';
import { glyphOf, nameOfGlyph, quickReactions, searchEmoji } from '../../text/emoji/emoji.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';
import { memoBy, memoLast } from '../collections/memo.ts';
import { ownReactionIds } from '../local/identity.ts';
import { usedReactions } from '../local/uses.ts';
import type { AppState, NamePrompt } from '../model/app-state.ts';
import { reactorNames } from '../select/reactions.ts';
import { type MessageItem, selectThreadItems } from '../select/thread-items.ts';
import { topOverlay } from '../view/overlays.ts';
import { selectNamePrompt } from './name-prompt.ts';
import { nameOfRow } from './switcher.ts';
import { sourcesOf } from './switcher-row.ts';

const choiceLimit = 50;
const noChoices: readonly never[] = [];

/** A row of the reaction picker. */
export interface ReactionChoice {
  readonly name: string;
  /** null: a name that has no emoji; shown as `:name:`. */
  readonly glyph: SafeText | null;
}

/** `+1`, `thumbsup` and 👍 are one reaction. */
export function sameReaction(a: string, b: string): boolean {
  if (a === b) return true;
  const glyph = glyphOf(a);
  return glyph !== null && glyph === glyphOf(b);
}

/** The reactions that the message has, then the quick ones that it has not: in this order the keys 1 to 9 take them. */
export const numberedReactions = (given: readonly string[]): readonly string[] => [
  ...given,
  ...quickReactions.filter((quick) => !given.some((name) => sameReaction(name, quick))),
];

/** The message that the reaction picker on top is about, with its reactions as they are shown. */
function pickedMessage(state: AppState): MessageItem | null {
  const top = topOverlay(state);
  if (top?.kind !== 'reaction-picker') return null;
  const item = selectThreadItems(state, top.conversationId).find(({ id }) => id === top.messageId);
  return item?.kind === 'message' ? item : null;
}

/** The rows of the reaction picker on top. What was typed is offered itself where it can be the name of a reaction. */
export function selectReactionChoices(state: AppState): readonly ReactionChoice[] {
  const top = topOverlay(state);
  if (top?.kind !== 'reaction-picker') return noChoices;
  // A colon before a name is accepted, as in a message. Names that begin with a digit can be found only with it.
  const query = top.typed.trim().replace(/^:|:$/g, '');
  return top.typed.trim() === ''
    ? untypedChoices(top.reactionsThen ?? noChoices, usedReactions(state.local.reactionUses))
    : reactionChoices(query);
}

/** Those with a number, then others that the user gives often and lately. */
const untypedChoices = memoLast((given: readonly string[], used: readonly string[]): readonly ReactionChoice[] => {
  const names = [...numberedReactions(given)];
  for (const name of used) if (!names.some((one) => sameReaction(one, name))) names.push(name);
  return names.slice(0, choiceLimit).map((name) => ({ name, glyph: glyphOf(name) }));
});

/** Who has reacted with the name of each row; null where nobody has. */
export const selectReactedBy: (state: AppState) => readonly (SafeText | null)[] = memoBy(
  (state) => [selectReactionChoices(state), pickedMessage(state), state.cache.contacts, state.local],
  (state) => {
    const reactions = pickedMessage(state)?.message.reactions ?? [];
    const top = topOverlay(state);
    const mine = top?.kind === 'reaction-picker' ? ownReactionIds(state, top.conversationId) : [];
    return selectReactionChoices(state).map(({ name }) => {
      const reaction = reactions.find((one) => sameReaction(one.name, name));
      return reaction === undefined ? null : reactorNames(state, reaction, mine);
    });
  },
);

const reactionChoices = memoLast((query: string): readonly ReactionChoice[] => {
  const found = searchEmoji(query, choiceLimit);
  const isComplete = found.some(({ name }) => name === query) || !isSendableReactionName(query);
  return isComplete ? found : [...found, { name: query, glyph: glyphOf(query) }];
});

/** A row of "new conversation": a person or group that a conversation can be started with. */
export interface PartnerChoice {
  readonly kind: 'contact' | 'group';
  readonly id: ContactId | GroupId;
  readonly name: SafeText;
  /** The existing conversation with them; null where there is none. */
  readonly conversationId: ConversationId | null;
}

/** The rows of "new conversation" on top: known contacts and groups by name, then what was typed taken as an id. */
export function selectPartnerChoices(state: AppState): readonly PartnerChoice[] {
  return selectPartnerPrompt(state) === null ? noChoices : partnerChoices(state);
}

function selectPartnerPrompt(state: AppState): NamePrompt | null {
  const top = selectNamePrompt(state);
  return top?.kind === 'new-conversation' ? top : null;
}

const partnerChoices = memoBy(
  (state: AppState) => {
    const top = selectPartnerPrompt(state);
    return [top?.result.rows, top?.typed, ...Object.values(sourcesOf(state))];
  },
  (state): readonly PartnerChoice[] => {
    const { result, typed } = selectPartnerPrompt(state) ?? { result: { rows: [] }, typed: '' };
    const found = result.rows.map((row): PartnerChoice => {
      const { key: id, conversationId, contactId } = row;
      return { kind: contactId === null ? 'group' : 'contact', id, name: nameOfRow(state, row), conversationId };
    });
    const query = typed.trim();
    if (query === '' || found.some(({ id }) => id === query)) return found;
    const shown = sanitizeName(query);
    return [
      ...found,
      { kind: 'contact', id: query, name: safe`Contact with the id ${shown}`, conversationId: null },
      { kind: 'group', id: query, name: safe`Group with the id ${shown}`, conversationId: null },
    ];
  },
);

/** Whether it is the name of an emoji, or the emoji itself. */
export const isEmojiName = (name: string): boolean => glyphOf(name) !== null || nameOfGlyph(name) !== null;
