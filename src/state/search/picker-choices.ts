/** What the reaction picker and the new-conversation prompt offer for the text typed in them. */
import type { ContactId, ConversationId, GroupId } from '../../protocol/types.ts';
import { glyphOf, quickReactions, searchEmoji } from '../../text/emoji/emoji.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';
import { memoBy, memoLast } from '../collections/memo.ts';
import type { AppState, LookingUp } from '../model/app-state.ts';
import { topOverlay } from '../view/overlays.ts';
import { selectLookingUp } from './name-prompt.ts';
import { nameOfRow } from './switcher.ts';
import { sourcesOf } from './switcher-row.ts';

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
  return meeting(state) === null ? noChoices : partnerChoices(state);
}

function meeting(state: AppState): LookingUp | null {
  const top = selectLookingUp(state);
  return top?.kind === 'new-conversation' ? top : null;
}

const partnerChoices = memoBy(
  (state: AppState) => {
    const top = meeting(state);
    return [top?.looked.rows, top?.query, ...Object.values(sourcesOf(state))];
  },
  (state): readonly PartnerChoice[] => {
    const { looked, query: typed } = meeting(state) ?? { looked: { rows: [] }, query: '' };
    const found = looked.rows.map((row): PartnerChoice => {
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
