/** What the reaction picker and the new-conversation prompt offer for the text typed in them. */
import type { ContactId, ConversationId, GroupId } from '../../protocol/types.ts';
import { glyphOf, quickReactions, searchEmoji } from '../../text/emoji/emoji.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';
import { memoBy, memoLast } from '../collections/memo.ts';
import type { AppState, NamePrompt } from '../model/app-state.ts';
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

/** The name of the nth quick reaction, from 0. */
export const quickReaction = (index: number): string | null => quickReactions[index] ?? null;

/** `+1`, `thumbsup` and 👍 are one reaction. */
export function sameReaction(a: string, b: string): boolean {
  if (a === b) return true;
  const glyph = glyphOf(a);
  return glyph !== null && glyph === glyphOf(b);
}

/** The rows of the reaction picker on top. What was typed is offered itself where it can be the name of a reaction. */
export function selectReactionChoices(state: AppState): readonly ReactionChoice[] {
  const top = topOverlay(state);
  return top?.kind === 'reaction-picker' ? reactionChoices(top.typed.trim()) : noChoices;
}

const reactionChoices = memoLast((query: string): readonly ReactionChoice[] => {
  if (query === '') return quickReactions.map((name) => ({ name, glyph: glyphOf(name) }));
  const found = searchEmoji(query, choiceLimit);
  const isOffered = found.some(({ name }) => name === query) || !/^[\w+-]{1,64}$/.test(query);
  return isOffered ? found : [...found, { name: query, glyph: glyphOf(query) }];
});

/** A row of "new conversation": somebody with whom a conversation can be started. */
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
