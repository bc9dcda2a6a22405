/** The find overlay: where is searched, what has been found, and the hits as they are shown. */
import type { ConversationId, Message, MessageId, Millis } from '../../protocol/types.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { wordsOf } from '../../text/search/find.ts';
import { memoBy, sameList } from '../collections/memo.ts';
import { isOwn } from '../local/outbox.ts';
import type { AppState, Finding, Found, Hit } from '../model/app-state.ts';
import { authorName, selectConversationName } from '../select/names.ts';
import type { Transition } from '../store.ts';
import { pushOverlay, replaceOverlay, topOverlay } from '../view/overlays.ts';

/** For sync, which asks the state what a query means. */
export { excerptAround, holdsAll, wordsOf } from '../../text/search/find.ts';

/** Begins in a conversation; everywhere when there is none. */
export const startFinding = (here: ConversationId | null): Transition =>
  pushOverlay({ kind: 'find', conversationId: here, here, query: '', selected: 0, found: null });

export const selectFinding = (state: AppState): Finding | null => {
  const top = topOverlay(state);
  return top?.kind === 'find' ? top : null;
};

/** From here to everywhere and back. */
export const switchFinding: Transition = (state) => {
  const finding = selectFinding(state);
  if (finding === null || finding.here === null) return state;
  const conversationId = finding.conversationId === null ? finding.here : null;
  return replaceOverlay({ ...finding, conversationId, selected: 0, found: null })(state);
};

/** Whether this is what the overlay asks for now. */
export const isAnswer = (found: Found | null, { query, conversationId }: Finding): found is Found =>
  found !== null && found.conversationId === conversationId && sameList(found.words, wordsOf(query));

/** Ignored when something else is asked for meanwhile. A choice that was moved stays with its message. */
export const putFound =
  (found: Found): Transition =>
  (state) => {
    const finding = selectFinding(state);
    if (finding === null || !isAnswer(found, finding)) return state;
    return replaceOverlay({ ...finding, found, selected: followed(finding, found) })(state);
  };

function followed({ selected, found: before }: Finding, { hits }: Found): number {
  const chosen = before?.hits[selected];
  if (selected === 0 || chosen === undefined) return 0;
  const at = hits.findIndex((hit) => sameHit(hit, chosen));
  return at >= 0 ? at : Math.max(0, Math.min(selected, hits.length - 1));
}

const sameHit = (a: Hit, b: Hit): boolean => a.conversationId === b.conversationId && a.message.id === b.message.id;

/** A hit in the words of the screen. */
export interface ShownHit {
  readonly conversationId: ConversationId;
  readonly messageId: MessageId;
  readonly at: Millis | null;
  readonly author: SafeText;
  /** The name of its conversation. */
  readonly where: SafeText;
  readonly line: SafeText;
}

const none: readonly ShownHit[] = [];

const foundHits = (state: AppState): readonly Hit[] => selectFinding(state)?.found?.hits ?? [];

const shownHits = memoBy(
  (state: AppState) => [
    foundHits(state),
    state.cache.contacts,
    state.cache.conversations,
    state.local.names,
    state.local.me,
  ],
  (state): readonly ShownHit[] => foundHits(state).map((hit) => shownHit(state, hit)),
);

/** Of the find overlay on top. */
export const selectHits = (state: AppState): readonly ShownHit[] =>
  foundHits(state).length === 0 ? none : shownHits(state);

const shownHit = (state: AppState, { conversationId, message, excerpt }: Hit): ShownHit => ({
  conversationId,
  messageId: message.id,
  at: message.createdAt,
  author: authorOf(state, message),
  where: selectConversationName(state, conversationId),
  line: sanitizeLine(excerpt),
});

const authorOf = (state: AppState, message: Message): SafeText =>
  isOwn(message, state) ? literal('You') : authorName(state, message.contact);
