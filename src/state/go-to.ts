/** The "go to" overlay: what is typed in it, what was found by it, and the rows as they are shown. */
import type { ContactId, ConversationId, Millis } from '../protocol/types.ts';
import { literal, type SafeText } from '../text/safe-text.ts';
import { isBlank } from './draft.ts';
import { beginLook, type Look } from './go-to-look.ts';
import { rowLimit, soughtBy, sourcesOf } from './go-to-row.ts';
import type { GoToRow, Looked } from './looked.ts';
import { memoBy, sameList } from './memo.ts';
import { selectContactName, selectConversationName } from './names.ts';
import { pushOverlay, replaceOverlay, setQuery, topOverlay } from './overlays.ts';
import { selectConversation, selectUnread } from './selectors.ts';
import type { AppState, GoingTo } from './state.ts';
import type { Transition } from './store.ts';

export const startGoingTo: Transition = (state) =>
  pushOverlay({ kind: 'go-to', query: '', selected: 0, isMoved: false, looked: lookedOf(beginLook(state, '')) })(state);

export function selectGoingTo(state: AppState): GoingTo | null {
  const top = topOverlay(state);
  return top?.kind === 'go-to' ? top : null;
}

const lookedOf = ({ query, sources, rows, count, isDone }: Look): Looked => ({ query, sources, rows, count, isDone });

/** What is typed now; what can be found at once stands there at once. */
export const typeGoingTo =
  (query: string): Transition =>
  (state) => {
    const top = selectGoingTo(state);
    if (top === null || top.query === query) return state;
    const looked = lookedOf(beginLook(state, query, top.looked.rows));
    return replaceOverlay({ ...top, query, selected: 0, isMoved: false, looked })(state);
  };

/** What is typed in the field of any overlay. */
export const typeQuery =
  (query: string): Transition =>
  (state) =>
    (selectGoingTo(state) === null ? setQuery : typeGoingTo)(query)(state);

/** There are names that were not looked at, or something has changed since. */
export function isLookDue(state: AppState): boolean {
  const top = selectGoingTo(state);
  if (top === null || soughtBy(top.query).reach === 'commands') return false;
  const { isDone, sources } = top.looked;
  return !isDone || !sameList(Object.values(sources), Object.values(sourcesOf(state)));
}

/** Ignored when something else is asked for meanwhile. A choice that was moved stays with its row. */
export const putLook =
  (look: Look): Transition =>
  (state) => {
    const top = selectGoingTo(state);
    if (top === null || top.query !== look.query) return state;
    const chosen = top.isMoved ? top.looked.rows[top.selected] : undefined;
    const looked = withChosen(lookedOf(look), chosen);
    const selected = chosen === undefined ? 0 : looked.rows.findIndex(({ key }) => key === chosen.key);
    return replaceOverlay({ ...top, looked, selected: Math.max(0, selected) })(state);
  };

/** Better ones may have driven it out of the rows. */
function withChosen(looked: Looked, chosen: GoToRow | undefined): Looked {
  const { rows } = looked;
  if (chosen === undefined || rows.length < rowLimit || rows.some(({ key }) => key === chosen.key)) return looked;
  return { ...looked, rows: [...rows.slice(0, -1), chosen] };
}

/** A row in the words of the screen. */
export interface ShownGoToRow {
  readonly key: string;
  readonly name: SafeText;
  readonly conversationId: ConversationId | null;
  readonly unread: number;
  readonly isPinned: boolean;
  readonly isMuted: boolean;
  readonly isArchived: boolean;
  readonly isOpen: boolean;
  readonly hasDraft: boolean;
  readonly at: Millis | null;
}

const none: readonly ShownGoToRow[] = [];

const foundRows = (state: AppState): readonly GoToRow[] => selectGoingTo(state)?.looked.rows ?? [];

const shownRows = memoBy(
  (state: AppState) => [foundRows(state), ...Object.values(sourcesOf(state)), state.local.drafts, state.view.openId],
  (state): readonly ShownGoToRow[] => foundRows(state).map((row) => shownRow(state, row)),
);

/** Of the overlay on top. */
export const selectGoToRows = (state: AppState): readonly ShownGoToRow[] =>
  foundRows(state).length === 0 ? none : shownRows(state);

function shownRow(state: AppState, { key, conversationId, contactId, at }: GoToRow): ShownGoToRow {
  const conversation = conversationId === null ? null : selectConversation(state, conversationId);
  const draft = conversationId === null ? undefined : state.local.drafts.get(conversationId);
  return {
    key,
    name: nameOf(state, conversationId, contactId),
    conversationId,
    unread: conversationId === null ? 0 : selectUnread(state, conversationId),
    isPinned: conversation?.isPinned === true,
    isMuted: conversation?.isMuted === true,
    isArchived: (conversation?.archivedAt ?? null) !== null,
    isOpen: conversationId !== null && conversationId === state.view.openId,
    hasDraft: draft !== undefined && !isBlank(draft),
    at: at > 0 ? at : null,
  };
}

function nameOf(state: AppState, conversationId: ConversationId | null, contactId: ContactId | null): SafeText {
  if (conversationId !== null) return selectConversationName(state, conversationId);
  return contactId === null ? literal('(unknown)') : selectContactName(state, contactId, null);
}
